import { expect, it } from 'vitest'
import { newAdmin } from './administrators'

const PATH = '/settings'
const settings = (percent: unknown) => ({ confirm_deactivation_percent: percent })

it('the settings of a workspace are the usual ones until an admin changes them, and of the own one alone', async () => {
  const [one, other] = [await newAdmin(), await newAdmin()]
  expect(await one.dataOf(PATH)).toEqual(settings(10))
  expect(await one.dataOf(PATH, settings(0))).toEqual(settings(0))
  expect(await one.dataOf(PATH)).toEqual(settings(0))
  expect(await other.dataOf(PATH)).toEqual(settings(10))
})

import { describe, expect, it } from 'vitest'
import { newAdmin } from './administrators'

const PATH = '/settings'
const settings = (percent: unknown) => ({ confirm_deactivation_percent: percent })

describe('the settings of a workspace', () => {
  it('are the usual ones until an admin changes them', async () => {
    const admin = await newAdmin()
    expect(await admin.dataOf(PATH)).toEqual(settings(10))
    expect(await admin.dataOf(PATH, settings(0))).toEqual(settings(0))
    expect(await admin.dataOf(PATH)).toEqual(settings(0))
  })

  it('are those of the own workspace alone', async () => {
    const [one, other] = [await newAdmin(), await newAdmin()]
    await one.dataOf(PATH, settings(25))
    expect(await other.dataOf(PATH)).toEqual(settings(10))
  })
})

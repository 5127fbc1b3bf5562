import { describe, expect, it } from 'vitest'
import { expectFieldError } from '../../support/responses'
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

  it.each([
    [undefined, 'is required'],
    ['10', 'must be a whole number'],
    [1.5, 'must be a whole number'],
    [-1, 'must not be less than 0'],
    [51, 'must not be more than 50'],
  ])('answer 400 to the share %j', async (percent, msg) => {
    const response = await (await newAdmin()).call(PATH, settings(percent))
    await expectFieldError(response, 'confirm_deactivation_percent', msg)
  })
})

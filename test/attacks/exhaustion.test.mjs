import { expect, it, onTestFinished } from 'vitest'
import { IsolateUnderAttack } from './isolate-under-attack.mjs'

/** More than twice what all kinds take on two quiet cores. */
const LIMIT_MS = 1_800_000

it(
  'an isolate outlives two requests at once of each kind that is made to exhaust it',
  async () => {
    const isolate = await IsolateUnderAttack.prepare()
    onTestFinished(() => isolate.close())
    const { sent, failed } = await isolate.send(2)
    expect(failed).toEqual({})
    expect(sent.length).toBeGreaterThan(60)
  },
  LIMIT_MS,
)

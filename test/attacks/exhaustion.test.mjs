import { expect, it, onTestFinished } from 'vitest'
import { IsolateUnderAttack } from './isolate-under-attack.mjs'

/** More than twice the time that all kinds need on two idle cores. */
const LIMIT_MS = 1_800_000

it(
  'an isolate survives two parallel requests of each kind that is designed to exhaust it',
  async () => {
    const isolate = await IsolateUnderAttack.prepare()
    onTestFinished(() => isolate.close())
    const { sent, failed } = await isolate.send(2)
    expect(failed).toEqual({})
    expect(sent.length).toBeGreaterThan(60)
  },
  LIMIT_MS,
)

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { IsolateUnderAttack } from './isolate-under-attack.mjs'

/** Two at once of each kind take twice as long as one of each, which takes 330 seconds on two quiet cores. */
const LIMIT_MS = 1_800_000

describe('an isolate', () => {
  let isolate

  beforeAll(async () => {
    isolate = await IsolateUnderAttack.prepare()
  })

  afterAll(() => isolate?.close())

  it.each([
    ['one request', 1],
    ['two requests at once', 2],
  ])(
    'outlives %s of each kind that is made to exhaust it',
    async (_, count) => {
      const { sent, failed } = await isolate.send(count)
      expect(failed).toEqual({})
      expect(sent.length).toBeGreaterThan(100)
    },
    LIMIT_MS,
  )
})

import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { leaveReplayGuards } from './replay-guards'

const claim = (kid: string) => env.REPLAY_GUARD.getByName(kid).claim('a-jti', Date.now() + 60_000, Date.now())

it('a replay guard serves one test only', async () => {
  expect([await claim('one'), await claim('one')]).toEqual([true, false])
  leaveReplayGuards()
  expect(() => claim('one')).toThrow('has served an earlier test')
  expect(await claim('another')).toBe(true)
})

import { env } from 'cloudflare:workers'

const guards = env.REPLAY_GUARD
const getByName = guards.getByName.bind(guards)

const ofEarlierTests = new Set<string>()
const ofThisTest = new Set<string>()

guards.getByName = (name, options) => {
  if (ofEarlierTests.has(name)) throw new Error(`The replay guard ${name} has served an earlier test.`)
  ofThisTest.add(name)
  return getByName(name, options)
}

/**
 * Replay guards cannot be emptied one by one, and need not be: each has the random id of a credential as its name. From
 * here on, a test that asks one of an earlier test fails.
 */
export function leaveReplayGuards(): void {
  for (const name of ofThisTest) ofEarlierTests.add(name)
  ofThisTest.clear()
}

/** Checks a newly deployed service as its clients see it. */
import { setTimeout as sleep } from 'node:timers/promises'
import { clientCredentials, ServiceClient, ServiceError } from '../client/client.mjs'
import { countText } from '../script.mjs'

/** Time limit for a new version to be everywhere, and the interval between attempts, in milliseconds. */
const PATIENCE_MS = 120_000
const PAUSE_MS = 2000

const OPTIONS = { timeoutMs: 15_000, retry: { attempts: 1 } }

/** A client whose errors name the requested address. */
function clientOf(issuer, tokens) {
  const client = new ServiceClient({ baseUrl: issuer, tokens, ...OPTIONS })
  /** @param {any} path @param {any} [options] @returns {Promise<any>} */
  const get = (path, options) =>
    client.get(path, options).catch((error) => {
      if (error instanceof ServiceError && error.status > 0 && !error.isLasting)
        error.message = `${issuer}${path} returns ${error.status}: ${error.message}`
      throw error
    })
  return { get }
}

/** @throws {Error} if another version, or none, responds for too long, or at a permanent error */
async function waitForVersion({ get }, version, patience) {
  const until = Date.now() + patience
  for (let answer; ; await sleep(Math.min(PAUSE_MS, patience))) {
    try {
      answer = (await get('/health')).version
      if (answer === version) return
    } catch (error) {
      if (error.isLasting) throw error
      answer = error.message
    }
    if (Date.now() > until) throw new Error(`/health does not show version ${version}, but: ${answer}`)
  }
}

/** One search, with a client that may search. @param {string} issuer @param {Record<string, any>} environment */
export async function checkSearch(issuer, { DCS_CLIENT_ID, DCS_CLIENT_SECRET, DCS_API_KEY }) {
  const access = { clientId: DCS_CLIENT_ID, clientSecret: DCS_CLIENT_SECRET, apiKey: DCS_API_KEY }
  const { get } = clientOf(issuer, clientCredentials({ baseUrl: issuer, ...access, ...OPTIONS }))
  await get('/medical-db/v1/search/', { query: { type: 'medication', q: 'a' } })
}

/** The unhealthy parts of a service, in words. */
export const problemsIn = ({ databases, ...others }) =>
  [...databases.map((one) => [one.database, one]), ...Object.entries(others)]
    // The first run comes within ten minutes of the first deployment.
    .filter(([name, part]) => part?.ok === false && name !== 'scheduled_run')
    .map(([name, { problem }]) => `${name}: ${problem}`)

async function requireHealthy(issuer, token) {
  const problems = problemsIn(await clientOf(issuer, { token: async () => token }).get('/platform/v1/health'))
  if (problems.length > 0) throw new Error(problems.join('\n'))
}

/**
 * Checks the version, the public keys and one search. With the operator's token, also checks every part.
 *
 * @param {{ issuer: string, version: string, environment: Record<string, string | undefined>, patience?: number }} what
 *   `environment` may contain PLATFORM_ADMIN_TOKEN, and DCS_CLIENT_ID, DCS_CLIENT_SECRET and DCS_API_KEY
 * @returns {Promise<{ passed: string[], skipped: string[] }>} in words
 * @throws {Error} naming the errors
 */
export async function checkService({ issuer, version, environment, patience = PATIENCE_MS }) {
  const passed = []
  const skipped = []
  const client = clientOf(issuer)
  await waitForVersion(client, version, patience)
  passed.push(`/health shows version ${version}`)
  const { keys } = await client.get('/.well-known/jwks.json')
  if (!(keys.length > 0)) throw new Error('the key set has no key')
  passed.push(`the key set has ${countText(keys.length, 'key')}`)
  if (environment.DCS_CLIENT_ID && environment.DCS_CLIENT_SECRET && environment.DCS_API_KEY) {
    await checkSearch(issuer, environment)
    passed.push('a search was answered')
  } else skipped.push('a search: set DCS_CLIENT_ID, DCS_CLIENT_SECRET and DCS_API_KEY of a client that may search')
  if (environment.PLATFORM_ADMIN_TOKEN) {
    await requireHealthy(issuer, environment.PLATFORM_ADMIN_TOKEN)
    passed.push('every part is well')
  } else skipped.push('its parts: set PLATFORM_ADMIN_TOKEN')
  return { passed, skipped }
}

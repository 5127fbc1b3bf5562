/** Checks a service that was just deployed, as its callers see it. */
import { setTimeout as sleep } from 'node:timers/promises'

/** How long a new version may take to be everywhere, in milliseconds, and how often it is asked. */
const PATIENCE_MS = 120_000
const PAUSE_MS = 2000
const REQUEST_MS = 15_000

async function get(url, headers = {}) {
  const response = await fetch(url, { headers, signal: AbortSignal.timeout(REQUEST_MS) })
  const text = await response.text()
  if (!response.ok) throw new Error(`${url} answers ${response.status}: ${text.slice(0, 200)}`)
  return JSON.parse(text)
}

/** @throws {Error} when another version answers, or none, for too long */
async function waitForVersion(issuer, version, patience) {
  const until = Date.now() + patience
  for (let answer; ; await sleep(Math.min(PAUSE_MS, patience))) {
    try {
      answer = (await get(`${issuer}/health`)).version
      if (answer === version) return
    } catch (error) {
      answer = error.message
    }
    if (Date.now() > until) throw new Error(`/health does not show version ${version}, but: ${answer}`)
  }
}

/** One search, with a client that may search. @param {string} issuer @param {Record<string, any>} environment */
export async function checkSearch(issuer, { DCS_CLIENT_ID, DCS_CLIENT_SECRET, DCS_API_KEY }) {
  const response = await fetch(`${issuer}/api/v1/auth/token`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-API-KEY': DCS_API_KEY },
    body: JSON.stringify({
      client_id: DCS_CLIENT_ID,
      client_secret: DCS_CLIENT_SECRET,
      grant_type: 'client_credentials',
    }),
    signal: AbortSignal.timeout(REQUEST_MS),
  })
  if (!response.ok) throw new Error(`/api/v1/auth/token answers ${response.status}`)
  const { access_token: token } = await response.json()
  await get(`${issuer}/medical-db/v1/search/?type=medication&q=a`, { Authorization: `Bearer ${token}` })
}

async function requireHealthy(issuer, token) {
  const { data } = await get(`${issuer}/platform/v1/health`, { Authorization: `Bearer ${token}` })
  const parts = { ...data, ...Object.fromEntries(data.databases.map((one) => [one.database, one])) }
  // The first run comes within ten minutes of the first deployment.
  const problems = Object.entries(parts)
    .filter(([name, part]) => part?.ok === false && name !== 'scheduled_run')
    .map(([name, { problem }]) => `${name}: ${problem}`)
  if (problems.length > 0) throw new Error(problems.join('\n'))
}

/**
 * Checks the version, the public keys, one search and, with the operator's token, every part.
 *
 * @param {{ issuer: string, version: string, environment: Record<string, string | undefined>, patience?: number }} what
 *   `environment` may have PLATFORM_ADMIN_TOKEN, and DCS_CLIENT_ID, DCS_CLIENT_SECRET and DCS_API_KEY
 * @returns {Promise<{ passed: string[], skipped: string[] }>} in words
 * @throws {Error} with what is wrong
 */
export async function checkService({ issuer, version, environment, patience = PATIENCE_MS }) {
  const passed = []
  const skipped = []
  await waitForVersion(issuer, version, patience)
  passed.push(`/health shows version ${version}`)
  const { keys } = await get(`${issuer}/.well-known/jwks.json`)
  if (!(keys.length > 0)) throw new Error('the key set has no key')
  passed.push(`the key set has ${keys.length} ${keys.length === 1 ? 'key' : 'keys'}`)
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

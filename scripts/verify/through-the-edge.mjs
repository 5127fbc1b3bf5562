/** Assumptions that can only be tested with Cloudflare's edge between the client and the service. */
import { edgeAnswerOf } from '#client/edge-answer'
import { newCredential, put } from './on-the-service.mjs'
import { records } from './records.mjs'
import { finding } from './verdicts.mjs'

/** @typedef {import('./verdicts.mjs').Assumption} Assumption */

const LIST = '/admin/datasets/v1/?type=symptom&limit=100'

/** User agents by which Cloudflare's rules recognize clients. */
const PROGRAMS = ['curl/8.5.0', 'python-requests/2.32.3', 'Go-http-client/2.0', 'Java-http-client/21', 'node']
/** Number of token requests. wrangler.toml allows 120 per minute. */
const MOST_TOKEN_REQUESTS = 600
const TOGETHER = 20

const authorized = async ({ token }) => ({ Authorization: `Bearer ${await token()}` })

/** @type {Assumption[]} */
const assumptions = [
  {
    sentence: 'Programs reach the service without a challenge, whatever they are called',
    measure: async ({ origin }) => {
      const answers = await Promise.all(
        PROGRAMS.map(async (program) => {
          const answer = await fetch(`${origin}/health`, { headers: { 'User-Agent': program } })
          const edge = edgeAnswerOf(answer.headers, await answer.text())
          return { program, problem: edge?.message ?? (answer.ok ? undefined : `status ${answer.status}`) }
        }),
      )
      const problems = answers.flatMap(({ program, problem }) => (problem ? [`${program}: ${problem}`] : []))
      return finding(problems.length === 0, problems.join('; ') || `${PROGRAMS.length} of ${PROGRAMS.length} answered`)
    },
  },
  {
    sentence: 'A compressed response keeps its entity tag, weak or not, and is 304 for clients that have cached it',
    measure: async (place) => {
      await put(place, 'symptom', records('symptom', 20_000))
      const headers = { ...(await authorized(place)), 'Accept-Encoding': 'gzip' }
      const first = await fetch(`${place.origin}${LIST}`, { headers })
      await first.body?.cancel()
      const tag = first.headers.get('ETag')
      if (tag === null) return finding(false, 'the entity tag is gone')
      const { status } = await fetch(`${place.origin}${LIST}`, { headers: { ...headers, 'If-None-Match': tag } })
      return finding(
        status === 304,
        `${tag}, ${first.headers.get('Content-Encoding') ?? 'not compressed'}, then ${status}`,
      )
    },
  },
  {
    sentence: 'Preflights of browsers on partner sites succeed, with the origin (CORS)',
    measure: async (place) => {
      const origin = 'https://verify.example'
      await newCredential(place, [origin])
      const answer = await fetch(`${place.origin}/medical-db/v1/search/?type=symptom&q=a`, {
        method: 'OPTIONS',
        headers: {
          Origin: origin,
          'Access-Control-Request-Method': 'GET',
          'Access-Control-Request-Headers': 'x-auth-token',
        },
      })
      const allowed = answer.headers.get('Access-Control-Allow-Origin')
      const text = answer.ok ? '' : `: ${(await answer.text()).slice(0, 200)}`
      return finding(answer.ok && allowed === origin, `answered ${answer.status}, for ${allowed}${text}`)
    },
  },
  {
    sentence: 'The rate limit of token requests ends a flood',
    measure: async ({ origin }) => {
      const body = JSON.stringify({
        client_id: crypto.randomUUID(),
        client_secret: 'x',
        grant_type: 'client_credentials',
      })
      const headers = { 'Content-Type': 'application/json', 'X-API-KEY': 'x' }
      const ask = async () => {
        const answer = await fetch(`${origin}/api/v1/auth/token`, { method: 'POST', headers, body })
        await answer.body?.cancel()
        return answer.status
      }
      for (let sent = TOGETHER; sent <= MOST_TOKEN_REQUESTS; sent += TOGETHER) {
        const statuses = await Promise.all(Array.from({ length: TOGETHER }, ask))
        if (statuses.includes(429)) return finding(true, `429 within ${sent} requests (120 are allowed in a minute)`)
      }
      return finding(false, `no 429 in ${MOST_TOKEN_REQUESTS} requests`)
    },
  },
]

export const THROUGH_THE_EDGE = assumptions.map((each) => ({ ...each, needs: /** @type {const} */ ('edge') }))

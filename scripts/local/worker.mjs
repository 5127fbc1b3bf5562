/**
 * The Worker of `npm start`: the real one, with some additions. Its responses have a `Date`, as on Cloudflare. The path
 * of `wrangler dev` starts a scheduled run. Other paths set the clock and query the databases. Miniflare serves these
 * paths only to this machine, and web pages cannot use them (`control.mjs`). The databases can be distant
 * (`--distance`). The rate limits are in memory, and can be turned off (`--no-rate-limits`).
 */
import worker from '../../src/worker/index.ts'
import { atDistance, delayedBy, rateLimit } from './bindings.mjs'
import { CLOCK_PATH, controlRefusal, QUERY_PATH, SCHEDULED_PATH } from './control.mjs'

export * from '../../src/worker/index.ts'

const RealDate = Date
let offset = 0

/** `Date` with an adjustable clock, as on a real machine. Everything else is the real `Date`. */
class SetDate extends RealDate {
  constructor(...args) {
    if (args.length === 0) super(SetDate.now())
    else super(...args)
  }

  static now() {
    return RealDate.now() + offset
  }
}

/** @param {number} ms how much the clock of the Worker is ahead of the real one; negative if it is behind */
function setClock(ms) {
  offset = ms
  globalThis.Date = ms === 0 ? RealDate : SetDate
}

function localBindings(env) {
  const ms = Number(env.DISTANCE_MS)
  const unlimited = { limit: async () => ({ success: true }) }
  const limitOf = (simple) => (env.HAS_RATE_LIMITS === 'true' ? rateLimit(simple) : unlimited)
  const limits = Object.entries(env.RATE_LIMITS).map(([name, { simple }]) => [name, limitOf(simple)])
  return { ...(ms === 0 ? env : atDistance(env, delayedBy(ms))), ...Object.fromEntries(limits) }
}

let bindings

/** The Worker caches what it derives from its bindings, so they must stay the same object. */
function bindingsOf(env) {
  bindings ??= localBindings(env)
  return bindings
}

/** Runs a statement, as D1's API does. */
async function answerQuery(env, { binding, sql, params }) {
  try {
    const { results } = await env[binding]
      .prepare(sql)
      .bind(...params)
      .all()
    return Response.json(results)
  } catch ({ message }) {
    return new Response(message, { status: 500 })
  }
}

const scheduled = (controller, env, context) => worker.scheduled(controller, bindingsOf(env), context)

export default {
  scheduled,
  async fetch(request, env, context) {
    const { pathname, searchParams } = new URL(request.url)
    if (![CLOCK_PATH, QUERY_PATH, SCHEDULED_PATH].includes(pathname)) {
      const response = await worker.fetch(request, bindingsOf(env), context)
      const headers = new Headers(response.headers)
      headers.set('Date', new Date().toUTCString())
      return new Response(response.body, { status: response.status, headers })
    }
    const refusal = controlRefusal(request)
    if (refusal !== undefined) return refusal
    if (pathname === CLOCK_PATH) {
      setClock(Number(searchParams.get('ahead') ?? 0))
      return new Response('ok')
    }
    if (pathname === QUERY_PATH) return answerQuery(bindingsOf(env), await request.json())
    try {
      await scheduled({ scheduledTime: Number(searchParams.get('time') ?? Date.now()) }, env, context)
    } catch ({ message }) {
      return new Response(message, { status: 500 })
    }
    return new Response('ok')
  },
}

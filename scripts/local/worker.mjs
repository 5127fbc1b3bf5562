/**
 * The Worker of `npm start`: the real one, with three additions. Its scheduled run can also be asked for, at the path of
 * `wrangler dev`, and its clock can be set beside that; Miniflare answers these paths only to this machine. And its
 * databases can be far away (`--distance`).
 */
import worker from '../../src/index.ts'
import { setClock } from './clock.mjs'
import { atDistance, road } from './distance.mjs'

export * from '../../src/index.ts'

const SCHEDULED_PATH = '/cdn-cgi/handler/scheduled'
const CLOCK_PATH = '/cdn-cgi/handler/clock'

/** The Worker remembers what it derives from its bindings, so they stay the same object. */
const distant = new WeakMap()

function far(env) {
  const ms = Number(env.DISTANCE_MS)
  if (ms === 0) return env
  if (!distant.has(env)) distant.set(env, atDistance(env, road(ms)))
  return distant.get(env)
}

const scheduled = (controller, env, context) => worker.scheduled(controller, far(env), context)

export default {
  scheduled,
  async fetch(request, env, context) {
    const { pathname, searchParams } = new URL(request.url)
    if (pathname === CLOCK_PATH) {
      setClock(Number(searchParams.get('ahead') ?? 0))
      return new Response('ok')
    }
    if (pathname !== SCHEDULED_PATH) return worker.fetch(request, far(env), context)
    try {
      await scheduled({ scheduledTime: Number(searchParams.get('time') ?? Date.now()) }, env, context)
    } catch ({ message }) {
      return new Response(message, { status: 500 })
    }
    return new Response('ok')
  },
}

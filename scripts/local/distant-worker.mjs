/** The Worker of `npm start -- --distance N`: the real one, N milliseconds away from its databases. */
import worker from '../../src/index.ts'
import { atDistance, road } from './distance.mjs'

export * from '../../src/index.ts'

/** The Worker remembers what it derives from its bindings, so they stay the same object. */
const distant = new WeakMap()

function far(env) {
  if (!distant.has(env)) distant.set(env, atDistance(env, road(Number(env.DISTANCE_MS))))
  return distant.get(env)
}

export default {
  fetch: (request, env, context) => worker.fetch(request, far(env), context),
  scheduled: (controller, env, context) => worker.scheduled(controller, far(env), context),
}

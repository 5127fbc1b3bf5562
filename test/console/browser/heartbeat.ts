/** Between two requests that keep a service awake, in milliseconds. */
const EVERY_MS = 1000

/** The request that keeps it awake; its lines in the service's log are of no interest. */
export const HEARTBEAT_PATH = '/health'

/**
 * Keeps the connection inside `wrangler dev` in use. Both of its ends close a connection that has been idle for five
 * seconds, and a write that comes at that moment is answered 503 although the service never sees it
 * (https://github.com/cloudflare/workers-sdk/issues/14641). On a slow machine, a story often pauses for as long as that.
 *
 * @returns ends it
 */
export function keepAwake(origin: string): () => void {
  const timer = setInterval(() => {
    // Whether the service answers is for the tests to say.
    fetch(`${origin}${HEARTBEAT_PATH}`)
      .then((response) => response.body?.cancel())
      .catch(() => undefined)
  }, EVERY_MS)
  return () => clearInterval(timer)
}

import { setTimeout as sleep } from 'node:timers/promises'

/** How long everything except the service may take to end, in milliseconds. */
const REST_TIMEOUT_MS = 2000

/**
 * Stops the service first, then everything else at the same time. A part that fails or hangs does not keep the others
 * from ending.
 *
 * @param {(() => unknown) | undefined} stopService undefined when it was not started
 * @param {readonly (() => unknown)[]} rest
 * @param {number} restTimeoutMs how long to wait for the rest, in milliseconds
 * @returns {Promise<Error[]>} the faults
 */
export async function shutDown(stopService, rest, restTimeoutMs = REST_TIMEOUT_MS) {
  const faults = []
  const attempt = async (stop) => {
    try {
      await stop()
    } catch (error) {
      faults.push(error)
    }
  }
  if (stopService) await attempt(stopService)
  await Promise.race([Promise.all(rest.map(attempt)), sleep(restTimeoutMs, undefined, { ref: false })])
  return faults
}

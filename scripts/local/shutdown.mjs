import { setTimeout as sleep } from 'node:timers/promises'

/** How long everything beside the service may take to end, in milliseconds. */
const REST_TIMEOUT_MS = 2000

/**
 * Stops the service first, and then the rest at once. What fails or hangs keeps nothing else from ending.
 *
 * @param {(() => unknown) | undefined} stopService undefined where it was not started
 * @param {readonly (() => unknown)[]} rest
 * @param {number} restTimeoutMs how long the rest is waited for, in milliseconds
 * @returns {Promise<Error[]>} what failed
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

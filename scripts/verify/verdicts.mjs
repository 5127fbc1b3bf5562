/**
 * An assumption about the platform: a sentence that this project relies on, and its test.
 *
 * @typedef {'holds' | 'FALSE' | 'not tried here'} Verdict
 * @typedef {{ measured: string, verdict: Verdict }} Finding
 * @typedef {object} Assumption
 * @property {string} sentence
 * @property {'edge' | 'account'} [needs] a requirement that only a deployed service meets
 * @property {(place: import('./place.mjs').Place) => Promise<Finding>} measure its error is also a finding
 */

/** @param {boolean} holds @param {string} measured @returns {Finding} */
export const finding = (holds, measured) => ({ measured, verdict: holds ? 'holds' : 'FALSE' })

/** @param {string} reason @returns {Finding} */
export const notTried = (reason) => ({ measured: reason, verdict: 'not tried here' })

export const seconds = (ms) => `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 0)} s`

/** @template T @param {() => Promise<T>} work @returns {Promise<{ value: T, ms: number }>} */
export async function timed(work) {
  const startedAt = performance.now()
  const value = await work()
  return { value, ms: performance.now() - startedAt }
}

/**
 * Work on a body after which other requests of the isolate get a turn, in units of some 30 ns: about what one character
 * takes that is read, checked and written. Units, because the clock of a Worker stands still while it computes.
 */
const STEP_UNITS = 300_000

/**
 * Work that is done in steps, so that one large body does not keep the other requests of an isolate waiting
 * (docs/contract.md#request-bodies). Pure code says where it may pause; what runs it decides whether it does.
 */

/** Between two values of a sequence: a step has ended. */
export const PAUSE = null
export type Pause = typeof PAUSE

/** Work with a result, which yields at the end of each step. */
export type Steps<T> = Generator<Pause, T>

/** Does the work without pauses, for code that nobody waits for. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}

/** Does the work with a pause after each step. */
export async function inSteps<T>(steps: Steps<T>, pause: () => Promise<void>): Promise<T> {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
    await pause()
  }
}

/** Counts work, and tells when a step has had enough of it. */
export class StepCounter {
  #units = 0

  /** @returns whether the step ends here */
  ends(units: number): boolean {
    this.#units += units
    if (this.#units < STEP_UNITS) return false
    this.#units = 0
    return true
  }
}

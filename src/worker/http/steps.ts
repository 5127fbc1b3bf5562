import type { Work } from '#shared/work'

/** Milliseconds that one step of work usually takes. */
const STEP_MS = 3

/** Work (`Work`) of one step: 4.5 ms at most. */
const STEP_UNITS = 150_000

/** How long after its last pause other work still waits for this one, in milliseconds. */
const AT_WORK_MS = 500

/** Until when each piece of work counts as at work. A request that the platform ends says nothing, so it runs out. */
const atWork = new Map<Steps, number>()

/** Lets the other requests of the isolate run. A promise alone would not: it is resolved before them. */
export const pause = (ms = 0): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/**
 * Work that is done in steps, with a pause after each. The pauses are as long as the steps of all others that are at
 * work: then the isolate is never busy for longer than a few steps before a small request runs.
 */
export class Steps {
  #units = 0

  /** Whether a pause is due. @param units of work that was done since the last call, as `Work` counts */
  isDue(units: number): boolean {
    this.#units += units
    return this.#units >= STEP_UNITS
  }

  async pause(): Promise<void> {
    this.#units = 0
    const now = Date.now()
    for (const [steps, until] of atWork) if (until < now) atWork.delete(steps)
    atWork.delete(this)
    const ms = atWork.size * STEP_MS
    atWork.set(this, now + ms + AT_WORK_MS)
    await pause(ms)
  }

  /** Other work no longer waits for this one. */
  end(): void {
    atWork.delete(this)
  }
}

/** Does work with pauses, so that one large body does not keep the other requests of an isolate waiting. */
export async function withPauses<T>(work: Work<T>): Promise<T> {
  const steps = new Steps()
  for (;;) {
    const { done, value } = work.next()
    if (done) {
      steps.end()
      return value
    }
    if (steps.isDue(value)) await steps.pause()
  }
}

/**
 * The texts of rows, joined to portions that take one step.
 *
 * @param rowUnits of work for a row, beside its text
 */
export async function* textInSteps<Row>(
  pages: AsyncIterable<readonly Row[]>,
  rowUnits: number,
  textOf: (row: Row) => string,
): AsyncGenerator<string> {
  const steps = new Steps()
  for await (const rows of pages) {
    let portion = ''
    for (const row of rows) {
      const text = textOf(row)
      portion += text
      if (!steps.isDue(rowUnits + 2 * text.length)) continue
      yield portion
      portion = ''
      await steps.pause()
    }
    yield portion
  }
  steps.end()
}

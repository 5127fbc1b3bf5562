import type { Work } from '#shared/work'

/** Usual duration of one step, in milliseconds. */
const STEP_MS = 3

/** Work (`Work`) of one step: 4.5 ms at most. */
const STEP_UNITS = 150_000

/** The same after a pause in which no other request arrived. Each pause takes more than a millisecond. */
const UNDISTURBED_UNITS = 3 * STEP_UNITS

/** Milliseconds after its last pause for which work counts as active. */
const AT_WORK_MS = 500

/** Number of requests that have arrived at the isolate. */
let arrivals = 0

/** Counts a request, so that work in progress makes shorter steps. */
export const noteArrival = (): void => void arrivals++

/** Time until which each piece of work counts as active. It expires: the platform may end a request silently. */
const atWork = new Map<Steps, number>()

/** Lets the other requests of the isolate run. A promise alone would not, because it resolves before them. */
export const pause = (ms = 0): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/**
 * Work in steps, with a pause after each that is as long as the steps of all other active work. So the isolate is never
 * busy for longer than a few steps before a small request runs.
 */
export class Steps {
  #units = 0
  #arrivals = arrivals
  /** Time until which the isolate counts as shared. */
  #sharedUntil = 0
  #stepUnits = STEP_UNITS

  /** Whether a pause is due. @param units work since the last call (`Work`) */
  isDue(units: number): boolean {
    this.#units += units
    return this.#units >= this.#stepUnits
  }

  async pause(): Promise<void> {
    this.#units = 0
    const now = Date.now()
    for (const [steps, until] of atWork) if (until < now) atWork.delete(steps)
    atWork.delete(this)
    const ms = atWork.size * STEP_MS
    atWork.set(this, now + ms + AT_WORK_MS)
    await pause(ms)
    if (arrivals !== this.#arrivals) this.#sharedUntil = now + AT_WORK_MS
    this.#arrivals = arrivals
    this.#stepUnits = ms > 0 || now < this.#sharedUntil ? STEP_UNITS : UNDISTURBED_UNITS
  }

  /** Ends this work, so that other work no longer pauses for it. */
  end(): void {
    atWork.delete(this)
  }
}

/** Does work with pauses, so that one large body does not block the other requests of an isolate. */
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
 * Joins the texts of rows into portions of one step each.
 *
 * @param rowUnits work per row, in addition to its text
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

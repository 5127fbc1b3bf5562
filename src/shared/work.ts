/**
 * Work on a body. It yields how much it has done, in units of some 30 ns (what one character takes to be read, checked
 * and written), so that other requests have a turn. Not in time: the clock of a Worker stands still while it computes.
 */
export type Work<T> = Generator<number, T>

/** Does the work without pauses, for code that nobody waits for. */
export function atOnce<T>(work: Work<T>): T {
  for (;;) {
    const { done, value } = work.next()
    if (done) return value
  }
}

/**
 * Work on a body, such as reading a file. It yields how much it has done since it last did, in units of some 30 ns:
 * about what it takes to read, check and write one character. So the caller can let other requests have a turn in
 * between (docs/contract.md#request-bodies). Units, because the clock of a Worker stands still while it computes.
 */
export type Work<T> = Generator<number, T>

/** Does the work without pauses, for code that nobody waits for. */
export function atOnce<T>(work: Work<T>): T {
  for (;;) {
    const { done, value } = work.next()
    if (done) return value
  }
}

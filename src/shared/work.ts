/**
 * Work on a body. It yields how much it has done, so that other requests get a turn. One unit is about 30 ns: the time
 * to read, check and write one character. It cannot measure time, because a Worker's clock stops while it computes.
 */
export type Work<T> = Generator<number, T>

/** Does the work without pauses, where no other request waits. */
export function atOnce<T>(work: Work<T>): T {
  for (;;) {
    const { done, value } = work.next()
    if (done) return value
  }
}

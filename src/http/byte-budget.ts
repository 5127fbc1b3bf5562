/**
 * Bytes of memory that requests share; who finds too few left waits for its turn, in order. A reservation is for the
 * whole of what a request may need, so that two halves never wait for each other.
 */
export class ByteBudget {
  #free: number
  readonly #total: number
  readonly #waiting: { bytes: number; admit: () => void }[] = []

  constructor(totalBytes: number) {
    this.#total = totalBytes
    this.#free = totalBytes
  }

  /** @returns a function that gives the bytes back; further calls of it do nothing */
  async reserve(bytes: number): Promise<() => void> {
    const needed = Math.min(bytes, this.#total)
    if (this.#waiting.length > 0 || needed > this.#free) {
      await new Promise<void>((admit) => this.#waiting.push({ bytes: needed, admit }))
    } else {
      this.#free -= needed
    }
    let held = true
    return () => {
      if (!held) return
      held = false
      this.#free += needed
      this.#admitWaiting()
    }
  }

  #admitWaiting(): void {
    for (let next = this.#waiting[0]; next && next.bytes <= this.#free; next = this.#waiting[0]) {
      this.#waiting.shift()
      this.#free -= next.bytes
      next.admit()
    }
  }
}

import type { Lease } from './lease-queue'

/** The leases of one request. Other requests may wait for them, so all of them end before the answer is sent. */
export class RequestLeases {
  readonly #leases = new Set<Lease>()
  #isClosed = false
  memory: Lease | undefined

  /** A lease that comes after the deadline ends at once. */
  add(lease: Lease): Lease {
    if (this.#isClosed) lease.release()
    else this.#leases.add(lease)
    return lease
  }

  /** Takes over the memory of the body for an answer that is made of it while it is sent. */
  takeMemory(): Lease | undefined {
    const { memory } = this
    this.memory = undefined
    if (memory === undefined || memory.hasEnded) return undefined
    this.#leases.delete(memory)
    return memory
  }

  releaseAll(): void {
    this.#isClosed = true
    for (const lease of this.#leases) lease.release()
    this.#leases.clear()
  }
}

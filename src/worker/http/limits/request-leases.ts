import type { Lease } from './lease-queue'

/** The leases of one request. They all end before the response is sent, because other requests may wait for them. */
export class RequestLeases {
  readonly #leases = new Set<Lease>()
  #isClosed = false
  memory: Lease | undefined

  /** A lease granted after the deadline ends immediately. */
  add(lease: Lease): Lease {
    if (this.#isClosed) lease.release()
    else this.#leases.add(lease)
    return lease
  }

  /** Keeps the lease on the body's memory for a streaming response that is created from the body. */
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

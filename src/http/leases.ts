import type { Lease } from './lease-pool'

/** What one request holds and others may wait for. All of it is given back before the answer is sent. */
export class RequestLeases {
  readonly #leases = new Set<Lease>()
  #memory: Lease | undefined
  #closed = false

  /** A lease that comes too late, because time had run out on the request, ends at once. */
  add(lease: Lease): Lease {
    if (this.#closed) lease.release()
    else this.#leases.add(lease)
    return lease
  }

  /** The lease of the memory in which the body lies. */
  addMemory(lease: Lease): Lease {
    this.#memory = this.add(lease)
    return lease
  }

  /** The memory of the body for an answer that is made of it while it is sent; it is no longer given back with the rest. */
  takeMemory(): Lease | undefined {
    const memory = this.#memory
    this.#memory = undefined
    if (memory !== undefined) this.#leases.delete(memory)
    return memory?.ended === false ? memory : undefined
  }

  /** Whether the body takes memory that others may wait for. */
  get hasMemory(): boolean {
    return this.#memory?.ended === false
  }

  /** What stays in memory of the body, or in its place. */
  settleMemory(bytes: number): void {
    this.#memory?.settle(bytes)
  }

  releaseAll(): void {
    this.#closed = true
    for (const lease of this.#leases) lease.release()
    this.#leases.clear()
  }
}

import type { Lease } from './lease-pool'

/** The leases of one request. Other requests may wait for them, so all of them end before the answer is sent. */
export class RequestLeases {
  readonly #leases = new Set<Lease>()
  #memory: Lease | undefined
  #closed = false

  /** A lease that comes after the deadline ends at once. */
  add(lease: Lease): Lease {
    if (this.#closed) lease.release()
    else this.#leases.add(lease)
    return lease
  }

  addMemory(lease: Lease): Lease {
    this.#memory = this.add(lease)
    return lease
  }

  /** Takes over the memory of the body for an answer that is made of it while it is sent. */
  takeMemory(): Lease | undefined {
    const memory = this.#memory
    this.#memory = undefined
    if (memory !== undefined) this.#leases.delete(memory)
    return memory?.hasEnded === false ? memory : undefined
  }

  /** Bytes of the body that others may wait for; 0 when there are none. */
  get memoryBytes(): number {
    return this.#memory?.hasEnded === false ? this.#memory.units : 0
  }

  /** Sets how many bytes of the body, or of what replaces it, stay in memory. */
  settleMemory(bytes: number): void {
    this.#memory?.settle(bytes)
  }

  releaseAll(): void {
    this.#closed = true
    for (const lease of this.#leases) lease.release()
    this.#leases.clear()
  }
}

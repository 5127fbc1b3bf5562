import { ApiError } from '#shared/errors/errors'
import { LARGE_BODY_BYTES, LONGEST_LEASE_MS, MAX_BODY_BYTES } from '#shared/limits'
import type { AppContext } from '#worker/http/context'
import type { Lease } from '#worker/http/sharing/lease'
import { LeasePool, NoRoomError } from '#worker/http/sharing/lease-pool'

/**
 * Bytes of large request bodies, and of answers made of them, that one isolate holds at the same time.
 * Further large bodies wait. An isolate has 128 MB for all requests that it serves.
 */
const BODY_MEMORY_BYTES = 2 * MAX_BODY_BYTES + 4 * 1024 * 1024

/**
 * The part of `BODY_MEMORY_BYTES` that one workspace may take. It is enough for one body of any size and leaves room
 * for another workspace.
 */
const WORKSPACE_BODY_MEMORY_BYTES = BODY_MEMORY_BYTES / 2

const busy = (): ApiError =>
  new ApiError(
    'unavailable',
    'The service holds too many large bodies at the moment. Nothing was written; try again.',
    {
      reason: 'no memory for the rest of a body',
    },
  )

/** Memory of the isolate for large bodies, and for answers that are made of them, by workspace. */
const bodyMemory = new LeasePool({
  total: BODY_MEMORY_BYTES,
  share: WORKSPACE_BODY_MEMORY_BYTES,
  longestMs: LONGEST_LEASE_MS,
})

/** Milliseconds for which a body that had stopped arriving waits for memory for the rest. */
const REST_WAITS_MS = 5000

/**
 * The memory of one body, counted as its bytes arrive. So a client that declares a size and then stops sending takes
 * no memory from others.
 */
export class BodyMemory {
  readonly #c: AppContext
  readonly #expected: number
  #counted = LARGE_BODY_BYTES
  #lease: Lease | undefined

  constructor(c: AppContext, expected: number) {
    this.#c = c
    this.#expected = expected
  }

  /** Waits until there is room for this many bytes. */
  async hold(bytes: number): Promise<void> {
    if (bytes <= this.#counted) return
    if (this.#lease === undefined) {
      this.#lease = await bodyMemory.take(this.#expected, this.#c.var.caller?.workspaceId ?? '')
      this.#c.var.leases.addMemory(this.#lease)
    }
    this.#counted = bytes
    try {
      await this.#lease.progress(bytes, REST_WAITS_MS)
    } catch (error) {
      throw error instanceof NoRoomError ? busy() : error
    }
  }

  complete(bytes: number): void {
    this.#lease?.settle(bytes)
  }
}

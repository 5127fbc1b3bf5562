import { sha256Hex } from '#worker/crypto/hash'

/** Milliseconds that a request waits for the store that gets its body. Then it is not kept. */
const LONGEST_STORING_MS = 5000

/** A body that is stored, unpacked. */
export interface StoredBody {
  bytes: number
  /** Hexadecimal. */
  sha256: string
}

/** The store cannot be reached, or is too slow. */
export class NotCopiedError extends Error {
  constructor(cause: unknown) {
    super('the body was not stored', { cause })
    this.name = 'NotCopiedError'
  }
}

async function inTime<T>(work: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error('the store is too slow')), LONGEST_STORING_MS)
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

/**
 * A body that may have to wait in the bucket. Until that is known, the request only keeps its bytes. They count as
 * memory of the body anyway, so a body that does not wait costs nothing.
 */
export class BodyCopy {
  readonly #bucket: R2Bucket
  readonly #key: string
  readonly #contentType: string
  #bytes: Uint8Array = new Uint8Array()
  #putting: Promise<unknown> | undefined
  #storing: Promise<StoredBody> | undefined

  constructor(bucket: R2Bucket, key: string, contentType: string) {
    this.#bucket = bucket
    this.#key = key
    this.#contentType = contentType
  }

  /** @param bytes all bytes of the body, unpacked */
  arrived(bytes: Uint8Array): void {
    this.#bytes = bytes
  }

  /** Stores the body; once only, also if it is called again. @throws NotCopiedError */
  store(): Promise<StoredBody> {
    this.#storing ??= this.#store().catch((cause: unknown) => {
      throw new NotCopiedError(cause)
    })
    // The dry run of a body that is being stored may end first, and call `drop`.
    this.#storing.catch(() => undefined)
    return this.#storing
  }

  async #store(): Promise<StoredBody> {
    const { byteLength } = this.#bytes
    const sha256 = await sha256Hex(this.#bytes)
    this.#putting = this.#bucket.put(this.#key, this.#bytes, {
      httpMetadata: { contentType: this.#contentType },
    })
    await inTime(this.#putting)
    return { bytes: byteLength, sha256 }
  }

  /** Forgets the body, and removes it from the store if it is there. Goes on after the answer. */
  async drop(): Promise<void> {
    this.#bytes = new Uint8Array()
    if (this.#storing === undefined) return
    await this.#storing.catch(() => undefined)
    await this.#putting?.catch(() => undefined)
    await this.#bucket.delete(this.#key)
  }
}

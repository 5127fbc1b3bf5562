import { sha256Hex } from '#worker/crypto/hash'
import type { BodyReader } from './body-stream'

/** Bytes of a packed body that are kept beside the unpacked ones: a few times what real files take. */
const MAX_PACKED_BYTES = 2 * 1024 * 1024

/** Milliseconds that a request waits for the store that gets its body. Then it is not kept. */
const LONGEST_STORING_MS = 5000

/** A body that is stored as it came. */
export interface StoredBody {
  /** Null if it is stored unpacked. */
  encoding: string | null
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
 * memory of the body anyway (`BodyMemory`), so a body that does not wait costs nothing.
 */
export class BodyCopy {
  readonly #bucket: R2Bucket
  readonly #key: string
  readonly #headers: Headers
  #unpacked: Uint8Array = new Uint8Array()
  #packed: Uint8Array[] = []
  #packedBytes = 0
  #putting: Promise<unknown> | undefined
  #storing: Promise<StoredBody> | undefined

  constructor(bucket: R2Bucket, key: string, headers: Headers) {
    this.#bucket = bucket
    this.#key = key
    this.#headers = headers
  }

  /** Keeps the bytes of a packed body while it is unpacked. */
  following(body: BodyReader): BodyReader {
    const read = async () => {
      const chunk = await body.read()
      if (chunk !== null) {
        this.#packedBytes += chunk.byteLength
        if (this.#packedBytes <= MAX_PACKED_BYTES) this.#packed.push(chunk.slice())
        else this.#packed = []
      }
      return chunk
    }
    return { ...body, read }
  }

  /** @param unpacked all bytes of the body; a body that is too large when packed is stored like this */
  arrived(unpacked: Uint8Array): void {
    this.#unpacked = unpacked
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
    const isPacked = this.#packed.length > 0
    const bytes = isPacked ? await new Blob(this.#packed).bytes() : this.#unpacked
    const sha256 = await sha256Hex(bytes)
    this.#putting = this.#bucket.put(this.#key, bytes, {
      httpMetadata: { contentType: this.#headers.get('Content-Type') ?? '' },
    })
    await inTime(this.#putting)
    const encoding = isPacked ? this.#headers.get('Content-Encoding') : null
    return { encoding, bytes: bytes.byteLength, sha256 }
  }

  /** Forgets the body, and removes it from the store if it is there. Goes on after the answer. */
  async drop(): Promise<void> {
    this.#unpacked = new Uint8Array()
    this.#packed = []
    if (this.#storing === undefined) return
    await this.#storing.catch(() => undefined)
    await this.#putting?.catch(() => undefined)
    await this.#bucket.delete(this.#key)
  }
}

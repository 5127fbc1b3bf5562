import { hexDigits } from '#crypto/hash'
import { LARGE_BODY_BYTES } from '#limits'
import type { Receiver } from './body-stream'

/** Bytes of a packed body of unknown length that can be kept: a few times what real files take. */
const MAX_BUFFERED_BYTES = 2 * 1024 * 1024

/** Milliseconds that a body waits for the store that keeps a copy of it. Then it is not kept. */
const LONGEST_STORING_MS = 3000

/** A body that is stored as it came. */
export interface StoredBody {
  bytes: number
  /** Hexadecimal. */
  sha256: string
}

/** The store cannot be reached, is too slow, or the body cannot be copied. */
export class NotCopiedError extends Error {
  constructor(reason: string, cause?: unknown) {
    super(reason, { cause })
    this.name = 'NotCopiedError'
  }
}

async function inTime<T>(work: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new NotCopiedError('the store is too slow')), LONGEST_STORING_MS)
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

function joined(pieces: readonly Uint8Array[], size: number): Uint8Array {
  const bytes = new Uint8Array(size)
  let at = 0
  for (const piece of pieces) {
    bytes.set(piece, at)
    at += piece.byteLength
  }
  return bytes
}

/**
 * A copy of a body in the bucket, made while the body arrives, so that it takes no memory. The store may be slow or out of
 * order: then there is no copy, and the request goes on. Small bodies are stored only if they are kept.
 */
export class BodyCopy {
  readonly #bucket: R2Bucket
  readonly #key: string
  readonly #contentType: string
  readonly #digest = new crypto.DigestStream('SHA-256')
  readonly #hasher = this.#digest.getWriter()
  #bytes = 0
  /** What is not in the store: all of a small body. */
  #waiting: Uint8Array[] = []
  #stream: WritableStreamDefaultWriter<Uint8Array> | undefined
  #putting: Promise<unknown> | undefined
  #fault: unknown

  constructor(bucket: R2Bucket, key: string, contentType: string) {
    this.#bucket = bucket
    this.#key = key
    this.#contentType = contentType
  }

  /** @param length bytes of the body, if they are known. The store takes streams of a known length only */
  following(body: Receiver, length: number | undefined): Receiver {
    if (length !== undefined && length > LARGE_BODY_BYTES) this.#open(length)
    const read = async () => {
      const chunk = await body.read()
      if (chunk !== null) await this.#unlessFailed(() => this.#add(chunk))
      return chunk
    }
    return { ...body, read }
  }

  /** For a body that has been read into memory. Waits until a large one is stored, so that its memory can be freed. */
  async whole(bytes: Uint8Array): Promise<void> {
    await this.#unlessFailed(async () => {
      await this.#count(bytes)
      if (bytes.byteLength <= LARGE_BODY_BYTES) this.#waiting = [bytes.slice()]
      else await inTime(this.#put(bytes))
    })
  }

  /** @throws NotCopiedError */
  async keep(): Promise<StoredBody> {
    await this.#unlessFailed(async () => {
      if (this.#putting === undefined) this.#put(joined(this.#waiting, this.#bytes))
      this.#waiting = []
      await inTime(Promise.all([this.#stream?.close(), this.#putting]))
      await this.#hasher.close()
    })
    if (this.#fault !== undefined) throw new NotCopiedError('the body was not stored', this.#fault)
    return { bytes: this.#bytes, sha256: hexDigits(await this.#digest.digest) }
  }

  /** Removes the copy. Goes on after the answer. */
  async drop(): Promise<void> {
    this.#waiting = []
    if (this.#putting === undefined) return
    await this.#stream?.abort().catch(() => undefined)
    await this.#putting.catch(() => undefined)
    await this.#bucket.delete(this.#key)
  }

  #open(length: number): void {
    const { readable, writable } = new FixedLengthStream(length)
    this.#stream = writable.getWriter()
    this.#put(readable)
  }

  #put(body: ReadableStream | Uint8Array): Promise<unknown> {
    this.#putting = this.#bucket.put(this.#key, body, { httpMetadata: { contentType: this.#contentType } })
    // `keep` gets the fault, if it is called.
    this.#putting.catch(() => undefined)
    return this.#putting
  }

  async #count(chunk: Uint8Array): Promise<void> {
    this.#bytes += chunk.byteLength
    await this.#hasher.write(chunk)
  }

  async #add(chunk: Uint8Array): Promise<void> {
    await this.#count(chunk)
    if (this.#stream !== undefined) await inTime(this.#stream.write(chunk))
    else if (this.#bytes <= MAX_BUFFERED_BYTES) this.#waiting.push(chunk.slice())
    else throw new NotCopiedError('too large a packed body without Content-Length')
  }

  async #unlessFailed(work: () => Promise<void>): Promise<void> {
    if (this.#fault !== undefined) return
    try {
      await work()
    } catch (error) {
      this.#fault = error
      this.#waiting = []
    }
  }
}

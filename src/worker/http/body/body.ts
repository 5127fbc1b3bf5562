import { ApiError } from '#shared/errors/errors'
import { BODY_IDLE_MS, MAX_DISCARDED_BYTES, MAX_SMALL_BODY_BYTES } from '#shared/limits'
import type { AppContext } from '#worker/http/context'
import { Pace, pause } from '#worker/http/sharing/turns'
import { BodyMemory } from './body-memory'
import { type BodyReader, receiver } from './body-stream'
import { digested } from './digest'

const limitText = (maxBytes: number): string =>
  maxBytes === MAX_SMALL_BODY_BYTES
    ? `16 KB (${maxBytes} bytes), the limit of this endpoint`
    : `10 MB (${maxBytes} bytes)`

/** @param maxBytes the limit of the endpoint */
export const tooLarge = (maxBytes: number): ApiError =>
  new ApiError('payload_too_large', `The body is larger than ${limitText(maxBytes)}.`)

/** A body, and what tells how to read it: that of the request, or one that was stored. */
export interface SentBody {
  stream: ReadableStream<Uint8Array> | null
  headers: Headers
  /** Decrypts the received body; undefined if it is not encrypted. */
  open?: ((received: Uint8Array) => Promise<Uint8Array>) | undefined
}

export const bodyOf = (c: AppContext): SentBody => ({
  stream: c.req.raw.body,
  headers: c.req.raw.headers,
  open: c.var.openBody,
})

/** Bytes that `Content-Length` declares; undefined without this header. */
export const declaredLength = ({ headers }: Pick<SentBody, 'headers'>): number | undefined => {
  const header = headers.get('Content-Length')
  return header === null ? undefined : Number(header)
}

/**
 * Reads a body to its end or to `MAX_DISCARDED_BYTES`, keeping nothing.
 *
 * @param counted bytes of the body that were read before
 * @returns whether the body is larger than `maxBytes`
 */
export async function discard(body: BodyReader, counted: number, maxBytes: number): Promise<boolean> {
  let size = counted
  try {
    while (size <= MAX_DISCARDED_BYTES) {
      const chunk = await body.read()
      if (chunk === null) break
      size += chunk.byteLength
    }
  } catch {
    // The client has left or stopped sending, so nobody reads the answer.
  }
  body.stop()
  return size > maxBytes
}

class ByteBuffer {
  #bytes: Uint8Array
  readonly #maxBytes: number
  size = 0

  constructor(expected: number, maxBytes: number) {
    this.#bytes = new Uint8Array(expected)
    this.#maxBytes = maxBytes
  }

  append(chunk: Uint8Array): void {
    const needed = this.size + chunk.byteLength
    if (needed > this.#bytes.byteLength) {
      const larger = new Uint8Array(Math.min(this.#maxBytes, Math.max(needed, this.#bytes.byteLength * 2)))
      larger.set(this.#bytes.subarray(0, this.size))
      this.#bytes = larger
    }
    this.#bytes.set(chunk, this.size)
    this.size = needed
  }

  get bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.size)
  }
}

const FIRST_BUFFER_BYTES = 16 * 1024

/** Reads a body into memory and stops, without cancelling it, at the first byte over the limit. */
async function collect(
  body: BodyReader,
  memory: BodyMemory,
  expected: number,
  maxBytes: number,
): Promise<Uint8Array | 'too large'> {
  const buffer = new ByteBuffer(Math.min(expected, FIRST_BUFFER_BYTES), maxBytes)
  for (;;) {
    const chunk = await body.read()
    if (chunk === null) break
    if (buffer.size + chunk.byteLength > maxBytes) return 'too large'
    await memory.hold(buffer.size + chunk.byteLength)
    buffer.append(chunk)
  }
  memory.complete(buffer.size)
  return buffer.bytes
}

type Stream = ReadableStream<Uint8Array>

async function readPlain(c: AppContext, body: Stream, { headers }: SentBody): Promise<Uint8Array> {
  const { maxBodyBytes } = c.var
  const expected = declaredLength({ headers }) ?? maxBodyBytes
  const source = digested(receiver(body, BODY_IDLE_MS), headers)
  const bytes = await collect(source, new BodyMemory(c, expected), expected, maxBodyBytes)
  if (bytes !== 'too large') {
    await source.check()
    return bytes
  }
  await discard(source, maxBodyBytes, maxBodyBytes)
  throw tooLarge(maxBodyBytes)
}

/** Decompresses a body and counts its bytes before and after. */
async function readGzip(c: AppContext, body: Stream, { headers }: SentBody): Promise<Uint8Array> {
  const { maxBodyBytes } = c.var
  const source = digested(receiver(body, BODY_IDLE_MS), headers)
  let received = 0
  let ended = false
  let fault: unknown
  const compressed = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const chunk = await source.read()
          ended = chunk === null
          received += chunk?.byteLength ?? 0
          if (chunk === null) controller.close()
          else if (received > maxBodyBytes) throw tooLarge(maxBodyBytes)
          else controller.enqueue(chunk)
        } catch (error) {
          fault = error
          controller.error(error)
        }
      },
    },
    { highWaterMark: 0 },
  )
  const unpacked = compressed.pipeThrough(new DecompressionStream('gzip'))
  const plain = inTurns(receiver(unpacked, BODY_IDLE_MS))
  let bytes: Uint8Array | 'too large' | 'not gzip'
  try {
    bytes = await collect(plain, new BodyMemory(c, maxBodyBytes), FIRST_BUFFER_BYTES, maxBodyBytes)
  } catch (error) {
    if (fault !== undefined) throw fault
    if (error instanceof ApiError && error.code === 'unavailable') throw error
    bytes = 'not gzip'
  }
  if (bytes instanceof Uint8Array) {
    await source.check()
    return bytes
  }
  plain.stop()
  if (!ended) await discard(source, received, maxBodyBytes)
  if (bytes === 'too large') throw tooLarge(maxBodyBytes)
  throw new ApiError('invalid_request', 'The Content-Encoding is gzip, but the body is not valid gzip.')
}

/** Unpacking 10 MB takes some 20 ms and waits for nothing, so other requests of the isolate get a turn in between. */
function inTurns(body: BodyReader): BodyReader {
  const pace = new Pace()
  const read = async () => {
    const chunk = await body.read()
    if (chunk !== null && pace.isDue(chunk.byteLength)) await pause()
    return chunk
  }
  return { ...body, read }
}

const NO_BODY: BodyReader = { read: async () => null, stop: () => undefined }

async function receiveBody(c: AppContext, sent: SentBody): Promise<Uint8Array> {
  const { stream, headers } = sent
  const encoding = (headers.get('Content-Encoding') ?? 'identity').trim().toLowerCase()
  if (encoding !== 'identity' && encoding !== 'gzip' && encoding !== 'x-gzip' && encoding !== '') {
    throw new ApiError('unsupported_media_type', 'The Content-Encoding must be gzip or absent.', {
      headers: { 'Accept-Encoding': 'gzip' },
    })
  }
  if (stream === null) {
    await digested(NO_BODY, headers).check()
    return new Uint8Array()
  }
  return encoding.endsWith('gzip') ? readGzip(c, stream, sent) : readPlain(c, stream, sent)
}

/**
 * A body, by default that of the request, decompressed and, if it is encrypted, decrypted.
 *
 * @returns its bytes; empty if there is no body
 * @throws ApiError 413 over the limit of the endpoint, received or decompressed; 415 for a Content-Encoding other
 * than gzip; 400 when it is not valid gzip, does not fit its digest, stops arriving, or cannot be decrypted; 503 when
 * it stopped for a while
 *   and there is no memory for the rest
 */
export async function readBody(c: AppContext, sent = bodyOf(c)): Promise<Uint8Array> {
  const received = await receiveBody(c, sent)
  return sent.open === undefined ? received : sent.open(received)
}

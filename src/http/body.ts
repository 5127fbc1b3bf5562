import { createMiddleware } from 'hono/factory'
import { ApiError } from '#errors'
import { BUFFERED_BODIES_BYTES, MAX_BODY_BYTES, MAX_DISCARDED_BYTES, SMALL_BODY_BYTES } from '#limits'
import { ByteBudget } from './byte-budget'
import type { AppContext, AppEnv } from './context'

const tooLarge = (): ApiError =>
  new ApiError('payload_too_large', `The body is larger than 10 MB (${MAX_BODY_BYTES} bytes).`)

const declaredLength = (request: Request): number | undefined => {
  const header = request.headers.get('Content-Length')
  return header === null ? undefined : Number(header)
}

/**
 * Refuses a body that declares more than 10 MB before anything else is looked at, and reads what a refused request
 * still has to send without keeping it, counting: the size comes before every other check (decisions, section 1), and
 * a client that is cut off in mid-body would not see the answer.
 */
export const limitBody = createMiddleware<AppEnv>(async (c, next) => {
  const request = c.req.raw
  const declared = declaredLength(request)
  if (declared !== undefined && declared > MAX_BODY_BYTES) throw tooLarge()
  await next()
  if (c.res.ok || declared !== undefined || request.body === null || request.bodyUsed) return
  if (await discard(request.body, 0)) throw tooLarge()
})

/**
 * Reads a stream to its end or to `MAX_DISCARDED_BYTES`, keeping nothing.
 *
 * @param counted bytes of the body that were read before
 * @returns whether the body is larger than 10 MB
 */
async function discard(body: ReadableStream<Uint8Array>, counted: number): Promise<boolean> {
  const reader = body.getReader()
  let size = counted
  try {
    while (size <= MAX_DISCARDED_BYTES) {
      const { done, value } = await reader.read()
      if (done) break
      size += value.byteLength
    }
  } catch {
    // The client has gone; there is nobody left to answer.
  }
  await reader.cancel().catch(() => undefined)
  return size > MAX_BODY_BYTES
}

/** Bytes of a growing body, in one buffer. */
class ByteBuffer {
  #bytes: Uint8Array
  size = 0

  constructor(expected: number) {
    this.#bytes = new Uint8Array(expected)
  }

  append(chunk: Uint8Array): void {
    const needed = this.size + chunk.byteLength
    if (needed > this.#bytes.byteLength) {
      const larger = new Uint8Array(Math.min(MAX_BODY_BYTES, Math.max(needed, this.#bytes.byteLength * 2)))
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

/** Reads a stream into memory and stops, without cancelling it, at the first byte over the limit. */
async function collect(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  expected: number,
): Promise<Uint8Array | 'too large'> {
  const buffer = new ByteBuffer(expected)
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return buffer.bytes
    if (buffer.size + value.byteLength > MAX_BODY_BYTES) return 'too large'
    buffer.append(value)
  }
}

/** Of the isolate, not of the request: what all bodies that are held at the moment may take together. */
const bodyMemory = new ByteBudget(BUFFERED_BODIES_BYTES)

/** Waits until there is room for the body, and gives the room back when the request is complete. */
async function reserveMemory(c: AppContext, declared: number | undefined): Promise<void> {
  const bytes = declared ?? MAX_BODY_BYTES
  if (bytes <= SMALL_BODY_BYTES) return
  c.var.completion.add(await bodyMemory.reserve(bytes))
}

const FIRST_BUFFER_BYTES = 64 * 1024

async function readPlain(body: ReadableStream<Uint8Array>): Promise<Uint8Array> {
  const reader = body.getReader()
  const bytes = await collect(reader, FIRST_BUFFER_BYTES)
  if (bytes !== 'too large') return bytes
  reader.releaseLock()
  await discard(body, MAX_BODY_BYTES)
  throw tooLarge()
}

/** Decompresses a body and counts it on both sides: what arrives, and what it becomes. */
async function readGzip(body: ReadableStream<Uint8Array>): Promise<Uint8Array> {
  const source = body.getReader()
  let received = 0
  let ended = false
  const compressed = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await source.read()
      ended = done
      received += value?.byteLength ?? 0
      if (done) controller.close()
      else if (received > MAX_BODY_BYTES) controller.error(tooLarge())
      else controller.enqueue(value)
    },
  })
  const reader = compressed.pipeThrough(new DecompressionStream('gzip')).getReader()
  const bytes = await collect(reader, FIRST_BUFFER_BYTES).catch(() =>
    received > MAX_BODY_BYTES ? 'too large' : 'not gzip',
  )
  if (bytes instanceof Uint8Array) return bytes
  await reader.cancel().catch(() => undefined)
  if (!ended) await discardRest(source, body, received)
  if (bytes === 'too large') throw tooLarge()
  throw new ApiError('invalid_request', 'The body is not valid gzip, as its Content-Encoding says.')
}

/** Goes on reading where a reader has stopped. */
async function discardRest(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  body: ReadableStream<Uint8Array>,
  received: number,
): Promise<void> {
  try {
    reader.releaseLock()
  } catch {
    // A read is still under way: the stream ends with the request.
    return
  }
  await discard(body, received)
}

/** The request body as it was sent, decompressed. */
async function receiveBody(c: AppContext): Promise<Uint8Array> {
  const request = c.req.raw
  const encoding = (request.headers.get('Content-Encoding') ?? 'identity').trim().toLowerCase()
  if (encoding !== 'identity' && encoding !== 'gzip' && encoding !== 'x-gzip' && encoding !== '') {
    throw new ApiError('unsupported_media_type', 'The Content-Encoding must be gzip, or absent.', {
      headers: { 'Accept-Encoding': 'gzip' },
    })
  }
  if (request.body === null) return new Uint8Array()
  const gzip = encoding.endsWith('gzip')
  await reserveMemory(c, gzip ? undefined : declaredLength(request))
  if (gzip) return readGzip(request.body)
  // With a declared length, which the runtime enforces, the native reader is as safe and takes a tenth of the time.
  if (declaredLength(request) !== undefined) return new Uint8Array(await request.arrayBuffer())
  return readPlain(request.body)
}

/**
 * The request body, decompressed and, where it is encrypted, decrypted.
 *
 * @returns its bytes; empty where there is no body
 * @throws ApiError 413 over 10 MB, received or decompressed; 415 for a Content-Encoding other than gzip; 400 when it is
 *   not the gzip that it says it is, or cannot be decrypted
 */
export async function readBody(c: AppContext): Promise<Uint8Array> {
  const { openBody } = c.var
  return openBody === undefined ? receiveBody(c) : openBody(await receiveBody(c))
}

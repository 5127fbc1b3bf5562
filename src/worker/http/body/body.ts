import { ApiError } from '#shared/errors/errors'
import {
  BODY_IDLE_MS,
  LARGE_BODY_BYTES,
  MAX_BODY_BYTES,
  MAX_DISCARDED_BYTES,
  MAX_SMALL_BODY_BYTES,
} from '#shared/limits'
import type { AppContext } from '#worker/http/context'
import { LeaseQueue } from '#worker/http/limits/lease-queue'
import { type BodyReader, bodyReader, NotArrivedError } from './body-stream'
import { unpackGzip } from './gzip'

const limitText = (maxBytes: number): string =>
  maxBytes === MAX_SMALL_BODY_BYTES
    ? `16 KB (${maxBytes} bytes), the limit of this endpoint`
    : `10 MB (${maxBytes} bytes)`

export const tooLarge = (maxBytes: number): ApiError =>
  new ApiError('payload_too_large', `The body is larger than ${limitText(maxBytes)}.`)

/** A body and how to read it: that of the request, or a stored one. */
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

export const declaredLength = ({ headers }: Pick<SentBody, 'headers'>): number | undefined => {
  const header = headers.get('Content-Length')
  return header === null ? undefined : Number(header)
}

/** Milliseconds for which the rest of a rejected body is read: less than the deadline of a request. */
const DISCARDING_MS = 20_000

/**
 * Reads and discards a body to its end, up to `MAX_DISCARDED_BYTES` or for `DISCARDING_MS`.
 *
 * @param counted bytes already read
 * @returns whether the body is larger than `maxBytes`
 */
export async function discard(body: BodyReader, counted: number, maxBytes: number): Promise<boolean> {
  let size = counted
  const until = Date.now() + DISCARDING_MS
  try {
    while (size <= MAX_DISCARDED_BYTES && Date.now() < until) {
      const chunk = await body.read()
      if (chunk === null) break
      size += chunk.byteLength
    }
  } catch {
    // The client has disconnected or stalled, so no one reads the response.
  }
  body.stop()
  return size > maxBytes
}

const FIRST_BUFFER_BYTES = 16 * 1024

/** Bytes for large bodies in one isolate. It has 128 MB for all its requests. */
const BODY_MEMORY_BYTES = 2 * MAX_BODY_BYTES + 4 * 1024 * 1024

/** The budget of an isolate for buffered bodies. One workspace gets half of it, which fits one maximum body. */
const bodyMemory = new LeaseQueue({ total: BODY_MEMORY_BYTES, share: BODY_MEMORY_BYTES / 2, of: 'large bodies' })

/** Reads a body into memory. A large one first waits for memory of its expected size. @throws ApiError 413 */
async function collect(c: AppContext, body: BodyReader, expected: number): Promise<Uint8Array> {
  const { caller, leases, maxBodyBytes } = c.var
  let buffer = new Uint8Array(Math.min(expected, FIRST_BUFFER_BYTES))
  let size = 0
  for (let chunk = await body.read(); chunk !== null; chunk = await body.read()) {
    const end = size + chunk.byteLength
    if (end > maxBodyBytes) throw tooLarge(maxBodyBytes)
    if (end > LARGE_BODY_BYTES) {
      leases.memory ??= leases.add(await bodyMemory.take(caller?.workspaceId ?? '', () => expected))
    }
    if (end > buffer.byteLength) {
      const larger = new Uint8Array(Math.min(maxBodyBytes, Math.max(end, buffer.byteLength * 2)))
      larger.set(buffer)
      buffer = larger
    }
    buffer.set(chunk, size)
    size = end
  }
  leases.memory?.resize(size)
  return buffer.subarray(0, size)
}

/** Whether a body is compressed. @throws ApiError 415 for a Content-Encoding other than gzip */
function isGzip(headers: Headers): boolean {
  const encoding = (headers.get('Content-Encoding') ?? '').trim().toLowerCase()
  if (['gzip', 'x-gzip'].includes(encoding)) return true
  if (['identity', ''].includes(encoding)) return false
  throw new ApiError('unsupported_media_type', 'The Content-Encoding must be gzip or absent.', {
    headers: { 'Accept-Encoding': 'gzip' },
  })
}

async function receiveBody(c: AppContext, { stream, headers }: SentBody): Promise<Uint8Array> {
  const isPacked = isGzip(headers)
  if (stream === null) return new Uint8Array()
  const { maxBodyBytes } = c.var
  const source = bodyReader(stream, BODY_IDLE_MS)
  let receivedBytes = 0
  const read = async () => {
    const chunk = await source.read()
    receivedBytes += chunk?.byteLength ?? 0
    if (receivedBytes > maxBodyBytes) throw tooLarge(maxBodyBytes)
    return chunk
  }
  const countedSource = { ...source, read }
  const body = isPacked ? unpackGzip(countedSource) : countedSource
  const expected = isPacked ? undefined : declaredLength({ headers })
  try {
    return await collect(c, body, expected ?? maxBodyBytes)
  } catch (error) {
    if (isPacked) body.stop()
    if (!(error instanceof NotArrivedError)) await discard(source, receivedBytes, maxBodyBytes)
    throw error
  }
}

/**
 * A body, by default that of the request, decompressed and decrypted; empty if there is none.
 *
 * @throws ApiError 413, 415; 400 if it is not valid gzip, stops arriving, or cannot be decrypted
 */
export async function readBody(c: AppContext, sent = bodyOf(c)): Promise<Uint8Array> {
  const bytes = await receiveBody(c, sent)
  return sent.open === undefined ? bytes : sent.open(bytes)
}

import { ApiError } from '#shared/errors/errors'
import { withinTime } from '#worker/storage/deadline'

export interface BodyReader {
  /** @returns the next bytes, valid until the next call; null at the end */
  read(): Promise<Uint8Array | null>
  stop(): void
}

const READ_BYTES = 128 * 1024

export class NotArrivedError extends ApiError {}

const notArrived = (what: string, reason: string, cause?: unknown): ApiError =>
  new NotArrivedError('invalid_request', `The body ${what}. Nothing was written. It is safe to retry.`, {
    reason,
    cause,
  })

/**
 * Reads a stream of bytes.
 *
 * @param idleMs milliseconds to wait for a byte
 * @throws (its `read`) ApiError 400 if the body stops arriving or breaks off
 */
export function bodyReader(stream: ReadableStream<Uint8Array>, idleMs: number): BodyReader {
  const { read, stop } = bytesReader(stream)
  const readInTime = async () => {
    try {
      return await withinTime(read(), idleMs, () => {
        throw notArrived('stopped arriving', 'the client sends no more of the body')
      })
    } catch (error) {
      if (!(error instanceof NotArrivedError)) {
        throw notArrived('was cut off', 'the client left while it sent the body', error)
      }
      stop()
      throw error
    }
  }
  return { read: readInTime, stop }
}

/** Without a time limit. Reads large pieces if possible, because otherwise a body of 10 MB needs 2,500 reads. */
function bytesReader(stream: ReadableStream<Uint8Array>): BodyReader {
  let large: ReadableStreamBYOBReader
  try {
    large = stream.getReader({ mode: 'byob' })
  } catch {
    // Not a byte stream (Streams standard), for example one created by a script.
    const reader = stream.getReader()
    return {
      read: async () => (await reader.read()).value ?? null,
      stop: () => void reader.cancel().catch(() => undefined),
    }
  }
  let buffer: ArrayBufferLike = new ArrayBuffer(READ_BYTES)
  return {
    read: async () => {
      const { done, value } = await large.read(new Uint8Array(buffer))
      if (value !== undefined) buffer = value.buffer
      return done || value === undefined ? null : value
    },
    stop: () => void large.cancel().catch(() => undefined),
  }
}

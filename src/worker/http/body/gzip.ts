import { ApiError } from '#shared/errors/errors'
import { pause } from '#worker/http/sharing/large-bodies'
import { type BodyReader, bytesReader } from './body-stream'

/**
 * Bytes that are unpacked at once. Gzip can make a thousand times as many of them (RFC 1951), here fewer than a body
 * may have. All are made before anybody else has a turn, so a larger piece of a hostile body would block the isolate
 * for seconds and fill its memory.
 */
const PIECE_BYTES = 8 * 1024

const notGzip = (cause: unknown): ApiError =>
  new ApiError('invalid_request', 'The Content-Encoding is gzip, but the body is not valid gzip.', { cause })

/**
 * Unpacks a body while it is read, piece by piece: the next piece only when all of the ones before it has been read.
 *
 * @throws (its `read`) ApiError 400 when the body is not valid gzip; what the `read` of the body throws
 */
export function unpackGzip(body: BodyReader): BodyReader {
  const { readable, writable } = new DecompressionStream('gzip')
  const writer = writable.getWriter()
  const unpacked = bytesReader(readable)
  let rest: Uint8Array | null = new Uint8Array()

  const unpackPiece = async (): Promise<void> => {
    if (rest?.byteLength === 0) {
      rest = await body.read()
      if (rest === null) await writer.close().catch(refuse)
    }
    if (rest === null) return
    const piece = rest.subarray(0, PIECE_BYTES)
    rest = rest.subarray(PIECE_BYTES)
    await writer.write(piece).catch(refuse)
  }

  return {
    async read() {
      const bytes = unpacked.read().catch(refuse)
      // The loop below throws a fault first if it waits for the next piece. Then nobody waits for these bytes.
      bytes.catch(() => undefined)
      while (!(await isThere(bytes))) await unpackPiece()
      return bytes
    },
    stop: () => unpacked.stop(),
  }
}

const refuse = (cause: unknown): never => {
  throw notGzip(cause)
}

/** Whether something is there without further work. Other requests of the isolate get a turn meanwhile. */
const isThere = (work: Promise<unknown>): Promise<boolean> =>
  Promise.race([work.then(() => true), pause().then(() => false)])

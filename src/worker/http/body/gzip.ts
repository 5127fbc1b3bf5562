import { Z_NO_FLUSH, Z_OK, Z_STREAM_END, ZStream, zlibInflate, zlibInflateInit2, zlibInflateReset } from 'pako'
import { ApiError } from '#shared/errors/errors'
import { pause } from '#worker/http/steps'
import type { BodyReader } from './body-stream'

/** Bytes to decompress before other requests run: a bound, however well a body compresses. */
const PIECE_BYTES = 64 * 1024

/** The largest window, of gzip and not of zlib (zlib.h, inflateInit2). */
const GZIP_WINDOW_BITS = 15 + 16

const notGzip = (reason: string): ApiError =>
  new ApiError('invalid_request', 'The Content-Encoding is gzip, but the body is not valid gzip.', { reason })

/**
 * Decompresses a body while it is read. Accepts several members and trailing zero bytes (RFC 1952, section 2.2), which
 * `DecompressionStream` rejects.
 *
 * @throws (its `read`) ApiError 400 if the body is not valid gzip
 */
export function unpackGzip({ read, stop }: BodyReader): BodyReader {
  const stream = new ZStream()
  stream.output = new Uint8Array(PIECE_BYTES)
  zlibInflateInit2(stream, GZIP_WINDOW_BITS)
  let isInMember = true

  /** @returns whether there are bytes left */
  const readPacked = async (): Promise<boolean> => {
    if (stream.avail_in > 0) return true
    const bytes = await read()
    if (bytes === null) return false
    stream.input = bytes
    stream.next_in = 0
    stream.avail_in = bytes.byteLength
    return true
  }

  /** Skips zero bytes after a member. Other bytes start a new member. */
  const findMember = (): void => {
    while (stream.avail_in > 0 && stream.input[stream.next_in] === 0) {
      stream.next_in++
      stream.avail_in--
    }
    if (stream.avail_in === 0) return
    zlibInflateReset(stream)
    isInMember = true
  }

  /** @returns the decompressed bytes, valid until the next call */
  const unpackPiece = (): Uint8Array => {
    stream.next_out = 0
    stream.avail_out = PIECE_BYTES
    const status = zlibInflate(stream, Z_NO_FLUSH)
    if (status === Z_STREAM_END) isInMember = false
    else if (status !== Z_OK) throw notGzip(stream.msg)
    return stream.output.subarray(0, stream.next_out)
  }

  return {
    stop,
    async read() {
      while (await readPacked()) {
        if (!isInMember) findMember()
        if (!isInMember) continue
        const bytes = unpackPiece()
        if (bytes.byteLength === 0) continue
        await pause()
        return bytes
      }
      if (isInMember) throw notGzip('the body ends within a member')
      return null
    },
  }
}

import { utf8Encoder } from '#shared/text/utf8'

/** Bytes that are never compressed. The rest of a longer text may be. */
const PLAIN_BYTES = 4 * 1024 * 1024

const PIECE_CHARACTERS = 64 * 1024

/** A complete text outside the heap, which is sent later. */
export interface Spool {
  bytes: number
  pieces(): AsyncGenerator<Uint8Array>
}

/**
 * Collects pieces that need much memory to create. A text much longer than its body is repetitive, so its rest is
 * compressed.
 *
 * @param plainBytes bytes to keep uncompressed
 */
export async function spool(pieces: AsyncIterable<string>, plainBytes: number): Promise<Spool> {
  const plainLimit = Math.max(PLAIN_BYTES, plainBytes)
  const plain: Uint8Array[] = []
  let rest: ReturnType<typeof compression> | undefined
  let bytes = 0
  for await (const piece of encodedPieces(pieces)) {
    if (bytes < plainLimit) {
      plain.push(piece)
      bytes += piece.byteLength
    } else {
      rest ??= compression()
      await rest.write(piece)
    }
  }
  const compressed = await rest?.end()
  return { bytes: bytes + (compressed?.size ?? 0), pieces: () => unspool(plain, compressed) }
}

async function* encodedPieces(pieces: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  let text = ''
  for await (const piece of pieces) {
    text += piece
    if (text.length < PIECE_CHARACTERS) continue
    yield utf8Encoder.encode(text)
    text = ''
  }
  if (text !== '') yield utf8Encoder.encode(text)
}

function compression() {
  const { readable, writable } = new CompressionStream('gzip')
  const writer = writable.getWriter()
  const compressed = new Response(readable).blob()
  return { write: (bytes: Uint8Array) => writer.write(bytes), end: () => writer.close().then(() => compressed) }
}

async function* unspool(plain: Uint8Array[], compressed: Blob | undefined): AsyncGenerator<Uint8Array> {
  for (let piece = plain.shift(); piece; piece = plain.shift()) yield piece
  if (compressed === undefined) return
  for await (const piece of compressed.stream().pipeThrough(new DecompressionStream('gzip'))) yield piece
}

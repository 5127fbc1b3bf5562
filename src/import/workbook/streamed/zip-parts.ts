/** A part of an archive, as it is stored. */
export interface ZipPart {
  bytes: Uint8Array
  isPacked: boolean
}

/** Signatures and lengths of records (APPNOTE.TXT of PKWARE, 6.3.10, sections 4.3.7, 4.3.12 and 4.3.16). */
const ZIP_FILE = 0x04034b50
const ZIP_FILE_BYTES = 30
const ZIP_ENTRY = 0x02014b50
const ZIP_ENTRY_BYTES = 46
const ZIP_END = 0x06054b50
const ZIP_END_BYTES = 22
const LONGEST_COMMENT = 0xffff

/** Methods of packing. */
const NOT_PACKED = 0
const DEFLATED = 8

/** Of the flags: the part is encrypted. */
const ENCRYPTED = 1

/** In place of a number that does not fit (ZIP64). */
const ELSEWHERE = 0xffffffff

/** @throws RangeError behind the end of the bytes */
function directoryEnd(view: DataView): number {
  const last = view.byteLength - ZIP_END_BYTES
  for (let at = last; at >= last - LONGEST_COMMENT; at--) if (view.getUint32(at, true) === ZIP_END) return at
  throw new Error('no end of the directory')
}

/** @param entry place of the part in the directory */
function partAt(view: DataView, entry: number): ZipPart {
  const method = view.getUint16(entry + 10, true)
  const packedBytes = view.getUint32(entry + 20, true)
  const file = view.getUint32(entry + 42, true)
  const isPlain = (view.getUint16(entry + 8, true) & ENCRYPTED) === 0
  if (!isPlain || (method !== NOT_PACKED && method !== DEFLATED) || packedBytes === ELSEWHERE)
    throw new Error('a part that is not plain')
  if (view.getUint32(file, true) !== ZIP_FILE) throw new Error('no part where the directory has one')
  const start = file + ZIP_FILE_BYTES + view.getUint16(file + 26, true) + view.getUint16(file + 28, true)
  const bytes = new Uint8Array(view.buffer, view.byteOffset + start, packedBytes)
  return { bytes, isPacked: method === DEFLATED }
}

/**
 * The parts of a ZIP archive by their paths.
 *
 * @throws Error for an archive that is not plain: damaged, encrypted, of several volumes, larger than 4 GB
 */
export function zipParts(bytes: Uint8Array): Map<string, ZipPart> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const end = directoryEnd(view)
  const parts = new Map<string, ZipPart>()
  const decoder = new TextDecoder()
  let entry = view.getUint32(end + 16, true)
  for (let count = view.getUint16(end + 10, true); count > 0; count--) {
    if (view.getUint32(entry, true) !== ZIP_ENTRY) throw new Error('no entry of the directory')
    const [name = 0, extra = 0, comment = 0] = [28, 30, 32].map((at) => view.getUint16(entry + at, true))
    const start = entry + ZIP_ENTRY_BYTES
    parts.set(decoder.decode(bytes.subarray(start, start + name)), partAt(view, entry))
    entry = start + name + extra + comment
  }
  return parts
}

/** The text of a part, unpacked piece by piece. */
export async function* partText({ bytes, isPacked }: ZipPart): AsyncGenerator<string> {
  const stored = new Blob([bytes]).stream()
  const unpacked = isPacked ? stored.pipeThrough(new DecompressionStream('deflate-raw')) : stored
  const reader = unpacked.pipeThrough(new TextDecoderStream()).getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield value
    }
  } finally {
    // Who has seen enough does not unpack the rest.
    await reader.cancel()
  }
}

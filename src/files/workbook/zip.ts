import { buf as crc32 } from 'crc-32'
import { strFromU8, Unzip, type UnzipFileInfo, UnzipInflate, unzipSync, zipSync } from 'fflate'

/**
 * ZIP archives, the format of most workbooks. fflate unpacks them, because the workbook library never returns for some
 * damaged archives. Checksums are verified, because one wrong byte may look like a different value.
 */

/**
 * Thrown for a file that is not a workbook, is damaged, or has a structure that hardly any program writes. The workbook
 * library, which supports all structures, handles it instead.
 */
export class UnusualFile extends Error {
  override name = 'UnusualFile'
}

/** Errors of fflate have a `code`. A RangeError is possible because an archive may declare any size for a part. */
const isDamage = (error: unknown): boolean => error instanceof RangeError || (error instanceof Error && 'code' in error)

/** Runs a function that unpacks an archive. @throws UnusualFile if it is damaged; any other error of `run` */
function runUnpacking<T>(run: () => T): T {
  try {
    return run()
  } catch (error) {
    throw isDamage(error) ? new UnusualFile('a damaged archive', { cause: error }) : error
  }
}

/** Signatures: the end of an archive, of a large archive, and an entry of its directory (APPNOTE.TXT, 4.3). */
const END = 0x06054b50
const LARGE_END_LOCATOR = 0x07064b50
const ENTRY = 0x02014b50

/** Size of the end record, and of the longest comment after it, in bytes. */
const END_BYTES = 22
const MOST_COMMENT_BYTES = 0xffff

/** The position of the directory, and its number of parts. */
function listIn(view: DataView): { at: number; parts: number } {
  const last = view.byteLength - END_BYTES
  let end = last
  while (view.getUint32(end, true) !== END) {
    if (end === 0 || last - end === MOST_COMMENT_BYTES) throw new UnusualFile('an archive without an end')
    end--
  }
  if (end < 20 || view.getUint32(end - 20, true) !== LARGE_END_LOCATOR)
    return { at: view.getUint32(end + 16, true), parts: view.getUint16(end + 10, true) }
  const largeEnd = view.getUint32(end - 12, true)
  return { at: view.getUint32(largeEnd + 48, true), parts: view.getUint32(largeEnd + 32, true) }
}

/**
 * The CRC-32 of each part, by path.
 *
 * @throws UnusualFile if two different parts have the same path: programs differ in which part they read
 */
function checksumsIn(bytes: Uint8Array): Map<string, number> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const checksums = new Map<string, number>()
  let { at, parts } = listIn(view)
  for (; parts > 0 && view.getUint32(at, true) === ENTRY; parts--) {
    const isUtf8 = (view.getUint16(at + 8, true) & 0x800) !== 0
    const length = view.getUint16(at + 28, true)
    const path = strFromU8(bytes.subarray(at + 46, at + 46 + length), !isUtf8)
    const checksum = view.getInt32(at + 16, true)
    if ((checksums.get(path) ?? checksum) !== checksum) throw new UnusualFile(`two parts ${path}`)
    checksums.set(path, checksum)
    at += 46 + length + view.getUint16(at + 30, true) + view.getUint16(at + 32, true)
  }
  return checksums
}

function requireChecksum(path: string, checksum: number, checksums: ReadonlyMap<string, number>): void {
  if (checksums.get(path) !== checksum) throw new UnusualFile(`the checksum of ${path}`)
}

/** Receives the text of a part of an archive, piece by piece. */
export type TakeText = (piece: string, isLast: boolean) => void

/** Number of bytes of an archive to unpack at a time. */
const BYTES_AT_ONCE = 64 * 1024

/**
 * Unpacks some parts of an archive.
 *
 * @param takerOf returns the receiver of a part, by path; undefined for a part that is not needed
 * @throws UnusualFile if the archive is damaged; any error of a receiver
 */
export function unpack(bytes: Uint8Array, takerOf: (path: string) => TakeText | undefined): void {
  const checksums = runUnpacking(() => checksumsIn(bytes))
  const archive = new Unzip((part) => {
    const take = takerOf(part.name)
    if (take === undefined) return
    const decoder = new TextDecoder()
    let checksum = 0
    part.ondata = (error, piece, isLast) => {
      if (error !== null) throw error
      checksum = crc32(piece, checksum)
      if (isLast) requireChecksum(part.name, checksum, checksums)
      take(decoder.decode(piece, { stream: !isLast }), isLast)
    }
    part.start()
  })
  archive.register(UnzipInflate)
  runUnpacking(() => {
    for (let at = 0; at < bytes.byteLength; at += BYTES_AT_ONCE)
      archive.push(bytes.subarray(at, at + BYTES_AT_ONCE), at + BYTES_AT_ONCE >= bytes.byteLength)
  })
}

/** Largest part in bytes: the library reads it as one string, and engines do not support longer ones. */
const MOST_PART_BYTES = 2 ** 29

function requireSize({ name, originalSize }: UnzipFileInfo): true {
  if (originalSize > MOST_PART_BYTES) throw new UnusualFile(`the size of ${name}`)
  return true
}

/**
 * The same archive without compression.
 *
 * @param change converts a part
 * @throws UnusualFile if the archive is damaged
 */
export const withoutCompression = (
  bytes: Uint8Array,
  change: (path: string, part: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer> = (_, part) => part,
): Uint8Array =>
  runUnpacking(() => {
    const checksums = checksumsIn(bytes)
    const parts = unzipSync(bytes, { filter: requireSize })
    for (const [path, part] of Object.entries(parts)) {
      requireChecksum(path, crc32(part), checksums)
      parts[path] = change(path, part)
    }
    return pack(parts)
  })

/** Creates an archive. @param parts by path */
export const pack = (parts: Readonly<Record<string, Uint8Array>>): Uint8Array => zipSync({ ...parts }, { level: 0 })

/** The paths of the parts of an archive. @throws UnusualFile if it is damaged */
export function pathsIn(bytes: Uint8Array): string[] {
  const paths: string[] = []
  const notePath = ({ name }: UnzipFileInfo) => {
    paths.push(name)
    return false
  }
  runUnpacking(() => unzipSync(bytes, { filter: notePath }))
  return paths
}

import { Unzip, type UnzipFileInfo, UnzipInflate, unzipSync, zipSync } from 'fflate'

/**
 * The archives that most workbooks are. fflate unpacks them: the library for workbooks never comes to an end with some that
 * are damaged.
 */

/**
 * No workbook, a damaged one, or one that is written in a way that hardly any program uses: it is left to the library that
 * knows all of them.
 */
export class UnusualFile extends Error {
  override name = 'UnusualFile'
}

export const isZip = (bytes: Uint8Array): boolean => bytes[0] === 0x50 && bytes[1] === 0x4b

/** What fflate throws has a number; and an archive may say that a part has any size. */
const isDamage = (error: unknown): boolean =>
  error instanceof RangeError || (error instanceof Error && 'code' in error)

/** @throws UnusualFile if the archive is damaged; what else `run` throws */
function unpacking<T>(run: () => T): T {
  try {
    return run()
  } catch (error) {
    throw isDamage(error) ? new UnusualFile('a damaged archive', { cause: error }) : error
  }
}

/** Gets the text of a part of an archive, piece by piece. */
export type TakeText = (piece: string, isLast: boolean) => void

/** Bytes of an archive that are unpacked at a time. */
const BYTES_AT_ONCE = 64 * 1024

/**
 * Unpacks some parts of an archive.
 *
 * @param takerOf what gets a part, by its path; undefined for one that nobody needs
 * @throws UnusualFile for an archive that is damaged; what the takers throw
 */
export function unpack(bytes: Uint8Array, takerOf: (path: string) => TakeText | undefined): void {
  const archive = new Unzip((part) => {
    const take = takerOf(part.name)
    if (take === undefined) return
    const decoder = new TextDecoder()
    part.ondata = (error, piece, isLast) => {
      if (error !== null) throw error
      take(decoder.decode(piece, { stream: !isLast }), isLast)
    }
    part.start()
  })
  archive.register(UnzipInflate)
  unpacking(() => {
    for (let at = 0; at < bytes.byteLength; at += BYTES_AT_ONCE)
      archive.push(bytes.subarray(at, at + BYTES_AT_ONCE), at + BYTES_AT_ONCE >= bytes.byteLength)
  })
}

/** Bytes of a part: the library reads it as one text, and engines have no longer ones. */
const MOST_PART_BYTES = 2 ** 29

function requireSize({ name, originalSize }: UnzipFileInfo): true {
  if (originalSize > MOST_PART_BYTES) throw new UnusualFile(`the size of ${name}`)
  return true
}

/** An archive with the same parts, none of them packed. @throws UnusualFile for an archive that is damaged */
export const unpacked = (bytes: Uint8Array): Uint8Array =>
  packed(unpacking(() => unzipSync(bytes, { filter: requireSize })))

/** An archive. @param parts by their paths */
export const packed = (parts: Readonly<Record<string, Uint8Array>>): Uint8Array =>
  zipSync({ ...parts }, { level: 0 })

/** The paths of the parts of an archive. @throws UnusualFile for one that is damaged */
export function pathsIn(bytes: Uint8Array): string[] {
  const paths: string[] = []
  const note = ({ name }: UnzipFileInfo) => {
    paths.push(name)
    return false
  }
  unpacking(() => unzipSync(bytes, { filter: note }))
  return paths
}

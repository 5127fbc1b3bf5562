import { MAX_FILE_NAME_LENGTH } from '#shared/limits'

/** A parameter of a header, as a token or quoted (RFC 9110, section 5.6.6); null if there is none. */
export function parameter(header: string, name: string): string | null {
  const match = new RegExp(`;\\s*${name}\\s*=\\s*(?:"((?:[^"\\\\]|\\\\.)*)"|([^;\\s]+))`, 'i').exec(header)
  return match ? (match[1]?.replace(/\\(.)/g, '$1') ?? match[2] ?? null) : null
}

export const fieldNameOf = (header: string): string | null => parameter(header, 'name')

/** The file name of a Content-Disposition header, the extended form (RFC 8187) before the plain one (RFC 6266). */
export function fileNameOf(header: string): string | null {
  const encodedName = /filename\*\s*=\s*UTF-8'[^']*'([^;\s]+)/i.exec(header)?.[1]
  if (encodedName !== undefined) {
    try {
      return decodeURIComponent(encodedName)
    } catch {
      // Invalid encoding: use the plain form.
    }
  }
  return parameter(header, 'filename')
}

/** The header for a file to save, with a name of any characters (RFC 6266, appendix D; RFC 8187). */
export const attachment = (fileName: string): string => {
  const encodedName = encodeURIComponent(fileName.toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${fileName.replace(/[^\x20-\x7e]|["\\%]/g, '_')}"; filename*=UTF-8''${encodedName}`
}

/** Characters that are invisible or change the order of others. A name must not look like a different one. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu

/** A file name for storage: without invisible characters, and cut after `MAX_FILE_NAME_LENGTH` characters. */
export function storableFileName(name: string | null): string | null {
  if (name === null) return null
  // Cut twice, because a name may be as long as a body.
  const shown = name
    .slice(0, 8 * MAX_FILE_NAME_LENGTH)
    .replace(INVISIBLE, '')
    .trim()
  return [...shown].slice(0, MAX_FILE_NAME_LENGTH).join('') || null
}

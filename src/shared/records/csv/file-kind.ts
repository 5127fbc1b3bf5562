const startsWithText = (bytes: Uint8Array, text: string): boolean =>
  startsWith(
    bytes,
    [...text].map((character) => character.charCodeAt(0)),
  )

/** Whether a file begins with these bytes. */
export const startsWith = (bytes: Uint8Array, signature: readonly number[]): boolean =>
  signature.every((byte, i) => bytes[i] === byte)

const COMPOUND_FILE = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]
const PNG = [0x89, 0x50, 0x4e, 0x47]
const JPEG = [0xff, 0xd8, 0xff]
const GZIP = [0x1f, 0x8b]

/** Bytes at the beginning that are enough to recognise JSON. */
const JSON_SAMPLE = 1024

/**
 * The beginning of a list of records, or of an object with its first member. No header row begins with these two
 * characters. The CSV parser refuses other lists.
 */
const JSON_BEGINNING = /^\uFEFF?\s*(?:\[\s*[[{\]]|\{\s*["}])/

/** Whether a file is a ZIP archive, or begins like one. */
export const isZip = (bytes: Uint8Array): boolean => startsWithText(bytes, 'PK')

/**
 * Whether the file is in the format of a spreadsheet program: a ZIP archive (.xlsx, .ods) or a compound file (.xls).
 */
export const isWorkbook = (bytes: Uint8Array): boolean => isZip(bytes) || startsWith(bytes, COMPOUND_FILE)

/** Whether a file holds JSON records in UTF-8, by its beginning. */
export const isJsonFile = (bytes: Uint8Array): boolean =>
  JSON_BEGINNING.test(new TextDecoder().decode(bytes.subarray(0, JSON_SAMPLE)))

/** The kind of a file that is not CSV, and what to send instead, as the end of a sentence; null when it may be CSV. */
export function fileKindOf(bytes: Uint8Array): string | null {
  if (isWorkbook(bytes)) return 'a spreadsheet workbook; save the sheet as CSV and send that'
  if (startsWithText(bytes, '%PDF')) return 'a PDF document; send the table as a CSV file'
  if (startsWith(bytes, PNG)) return 'a PNG picture; send the table as a CSV file'
  if (startsWith(bytes, JPEG)) return 'a JPEG picture; send the table as a CSV file'
  if (startsWith(bytes, GZIP)) {
    return 'compressed with gzip; send it with the header Content-Encoding: gzip, or unpack it first'
  }
  if (isJsonFile(bytes)) return 'JSON; send it with the header Content-Type: application/json'
  return null
}

const startsWithText = (bytes: Uint8Array, text: string): boolean =>
  startsWith(
    bytes,
    [...text].map((character) => character.charCodeAt(0)),
  )

export const startsWith = (bytes: Uint8Array, signature: readonly number[]): boolean =>
  signature.every((byte, i) => bytes[i] === byte)

const COMPOUND_FILE = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]
const PNG = [0x89, 0x50, 0x4e, 0x47]
const JPEG = [0xff, 0xd8, 0xff]
const GZIP = [0x1f, 0x8b]

/** Bytes at the beginning that are enough to recognize JSON. */
const JSON_SAMPLE = 1024

/** The beginning of a list of records or of an object. No header row begins like this. */
const JSON_BEGINNING = /^\uFEFF?\s*(?:\[\s*[[{\]]|\{\s*["}])/

/** Whether a file begins like a ZIP archive. */
export const isZip = (bytes: Uint8Array): boolean => startsWithText(bytes, 'PK')

/** Whether the file is a ZIP archive (.xlsx, .ods) or a compound file (.xls). */
export const isWorkbook = (bytes: Uint8Array): boolean => isZip(bytes) || startsWith(bytes, COMPOUND_FILE)

/** Whether a file holds JSON records in UTF-8, by its beginning. */
export const isJsonFile = (bytes: Uint8Array): boolean =>
  JSON_BEGINNING.test(new TextDecoder().decode(bytes.subarray(0, JSON_SAMPLE)))

/** The end of a sentence: the kind of a file that is not CSV, and what to send instead. Null if it may be CSV. */
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

/** Bytes within which the encoding is named, and within which a table begins, after a spreadsheet's styles. */
const BEGINNING_BYTES = 64 * 1024

const BLANK = /^\uFEFF?\s*/

/** Beginnings of a web page, of a workbook in XML and of a flat OpenDocument spreadsheet. */
const MARKUP = /^<(?:(?:!doctype|\?xml|html|head|meta|style|body|div|table|office:document)\b|!--)/i

/** A row of a table, whatever precedes it: a comment, `<center>`, a line of text. */
const TABLE_ROW = /<tr[\s>][^<]*(?:<!--.*?-->\s*)?<t[dh][\s>]/is

/** Encodings are named as in `<meta charset="windows-1252">` and `<?xml version="1.0" encoding="utf-8"?>`. */
const ENCODING = /\b(?:charset|encoding)\s*=\s*["']?([\w.:-]+)/i

function markupDecoder(bytes: Uint8Array): InstanceType<typeof TextDecoder> {
  if (startsWith(bytes, [0xff, 0xfe])) return new TextDecoder('utf-16le')
  if (startsWith(bytes, [0xfe, 0xff])) return new TextDecoder('utf-16be')
  const encodingName = ENCODING.exec(new TextDecoder('latin1').decode(bytes.subarray(0, BEGINNING_BYTES)))?.[1]
  try {
    return new TextDecoder(encodingName)
  } catch {
    // Browsers do not know this encoding either.
    return new TextDecoder()
  }
}

/** Whether a file is a table in HTML or XML. Many systems name such files `.xls`. */
export function isMarkup(bytes: Uint8Array): boolean {
  const beginning = markupDecoder(bytes).decode(bytes.subarray(0, BEGINNING_BYTES)).replace(BLANK, '')
  return MARKUP.test(beginning) || TABLE_ROW.test(beginning)
}

export const markupText = (bytes: Uint8Array): string => markupDecoder(bytes).decode(bytes).replace(BLANK, '')

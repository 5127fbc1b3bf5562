import { startsWith } from './file-kind'

/** Bytes in which the encoding is named, and in which a table begins: styles of a spreadsheet may stand before it. */
const BEGINNING_BYTES = 64 * 1024

const BLANK = /^\uFEFF?\s*/

/** Beginnings of a web page, of a workbook in XML and of a flat OpenDocument spreadsheet. */
const MARKUP = /^<(?:(?:!doctype|\?xml|html|head|meta|style|body|div|table|office:document)\b|!--)/i

/** A row of a table, whatever stands before it: a comment, `<center>`, a line of text. */
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
    // A name that browsers do not know either.
    return new TextDecoder()
  }
}

/** Whether a file is a table in HTML or XML. Many systems give such files the ending `.xls`. */
export function isMarkup(bytes: Uint8Array): boolean {
  const beginning = markupDecoder(bytes).decode(bytes.subarray(0, BEGINNING_BYTES)).replace(BLANK, '')
  return MARKUP.test(beginning) || TABLE_ROW.test(beginning)
}

export const markupText = (bytes: Uint8Array): string => markupDecoder(bytes).decode(bytes).replace(BLANK, '')

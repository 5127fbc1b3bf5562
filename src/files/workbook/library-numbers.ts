import { exactDigits } from '#files/cells/long-numbers'
import { utf8Encoder } from '#shared/text/utf8'

/**
 * The workbook library reads a number as a double, which has 15 to 17 digits. A number that would lose digits is
 * converted to text before the library reads it.
 */

const LONG = '(-?\\d{16,})'

/** A number in a sheet of an .xlsx file: the start of its cell, the text before its value, and its digits. */
const OF_SHEET = new RegExp(
  `(<(?:\\w+:)?c\\b)([^>]*>(?:<(?:\\w+:)?f\\b[^>]*(?:/>|>[^<]*</(?:\\w+:)?f>))?<(?:\\w+:)?v\\b[^>]*>)${LONG}(?=<)`,
  'g',
)
/** A number in an XML workbook of 2003. */
const OF_XML = new RegExp(`(<(?:\\w+:)?Data\\b[^>]*\\bType=)"Number"([^>]*>\\s*)${LONG}(?=\\s*<)`, 'g')

const TYPE = /\st="n?"/

const asSheetText = (all: string, cell: string, before: string, digits: string): string => {
  const attributes = before.slice(0, before.indexOf('>'))
  const isNumber = !/\st=/.test(attributes) || TYPE.test(attributes)
  return isNumber && exactDigits(digits) !== undefined ? `${cell} t="str"${before.replace(TYPE, '')}${digits}` : all
}

const asXmlText = (all: string, data: string, before: string, digits: string): string =>
  exactDigits(digits) === undefined ? all : `${data}"String"${before}${digits}`

/** Converts long numbers in an XML workbook, or in a part of a workbook, to text. */
export const withLongNumbers = (xml: string): string => xml.replace(OF_SHEET, asSheetText).replace(OF_XML, asXmlText)

/** The parts of an archive that contain cells. */
const WITH_CELLS = /^xl\/worksheets\/[^/]+\.xml$/

/** Converts long numbers in a part of a workbook to text. */
export function withLongNumbersIn(path: string, part: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  if (!WITH_CELLS.test(path)) return part
  const text = new TextDecoder().decode(part)
  const changed = withLongNumbers(text)
  return changed === text ? part : utf8Encoder.encode(changed)
}

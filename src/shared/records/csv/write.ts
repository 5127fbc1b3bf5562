import Papa from 'papaparse'
import type { DerivedField, Field, FieldValue, RawRecord, RecordType } from '#shared/records/record-type'
import type { Separator } from './dialect'

/** First character of the file, so that spreadsheet programs read it as UTF-8. */
export const BYTE_ORDER_MARK = '\uFEFF'

export const LINE_END = '\r\n'

/**
 * One line (RFC 4180), with its line end. Does not change values, even if a spreadsheet program reads them as formulas.
 */
export const lineOf = (cells: string[], delimiter: Separator = ','): string =>
  Papa.unparse([cells], { delimiter, newline: LINE_END, quoteChar: '"' }) + LINE_END

/**
 * A cell that a spreadsheet program does not read as a formula: a cell that begins like a formula gets `'` in front.
 * It then differs from the stored value, so this is for files that people only read.
 */
export const withoutFormula = (cell: string): string => (/^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell)

/** The header line of an export: all fields in the type's order, and the fields that the service adds. */
export function csvHeader(type: RecordType): string {
  return lineOf([...type.returnedFields.map(({ name }) => name), 'updated_at'])
}

/**
 * One record as a line below `csvHeader`. `readCsv` reads the same values back, except for what a cell cannot
 * hold: white space around a value, and a list's separator inside an item.
 *
 * @param record in the returned form, with `updated_at` and, for a medication, `form_id`; absent values are null or
 *   left out
 * @param safe whether cells are written `withoutFormula`
 */
export function csvLine(type: RecordType, record: RawRecord, safe = false): string {
  const cells = type.returnedFields.map((field) => cellOf(field, record[field.name]))
  return lineOf([...(safe ? cells.map(withoutFormula) : cells), plainText(record.updated_at)])
}

/** The cell of a field. Lists are joined by their separator; an absent value is empty. */
export function cellOf(field: Field | DerivedField, value: FieldValue): string {
  return field.kind === 'list' && Array.isArray(value) ? value.join(field.separator) : plainText(value)
}

/** Text unchanged, null as an empty text, any other value as JSON. */
function plainText(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

import Papa from 'papaparse'
import type { DerivedField, Field, FieldValue, RawRecord, RecordType } from '#shared/records/record-type'
import type { Separator } from './dialect'

/** First character of the file, so that spreadsheet programs read it as UTF-8. */
export const BYTE_ORDER_MARK = '\uFEFF'

export const LINE_END = '\r\n'

/** One line (RFC 4180), including its line end. Values stay unchanged, even if they look like formulas. */
export const lineOf = (cells: string[], delimiter: Separator = ','): string =>
  Papa.unparse([cells], { delimiter, newline: LINE_END, quoteChar: '"' }) + LINE_END

/** A cell that no spreadsheet program runs as a formula. It may differ from the stored value, so only for reading. */
export const withoutFormula = (cell: string): string => (/^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell)

/** The header line of an export: all fields in the type's order, then the fields that the service adds. */
export function csvHeader(type: RecordType): string {
  return lineOf([...type.returnedFields.map(({ name }) => name), 'updated_at'])
}

/**
 * One line for a record in the returned form. `readCsv` reads back the same values, except for white space around them.
 *
 * @param safe whether to write cells `withoutFormula`
 */
export function csvLine(type: RecordType, record: RawRecord, safe = false): string {
  const cells = type.returnedFields.map((field) => cellOf(field, record[field.name]))
  return lineOf([...(safe ? cells.map(withoutFormula) : cells), plainText(record.updated_at)])
}

/** The cell of a field. Joins lists by their separator. An absent value is empty. */
export function cellOf(field: Field | DerivedField, value: FieldValue): string {
  return field.kind === 'list' && Array.isArray(value) ? value.join(field.separator) : plainText(value)
}

/** Text unchanged, null as an empty text, any other value as JSON. */
function plainText(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

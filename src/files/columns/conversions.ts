import type { CsvFile } from '#files/text/csv-file'
import type { Cells } from '#shared/records/csv/rows'
import { valueKey } from './column-values'
import type { FileColumn } from './file-column'
import { withUnit } from './units'
import { oppositeOf } from './yes-no'

type Convert = (text: string, cells: Cells) => string

/** Converts the values of a column. */
export interface Conversion {
  position: number
  convert: Convert
}

const DIGITS = /^\d+$/

/** Restores the leading zeros of an ID that a program has removed. */
const withZeros = (id: string, digits: number): string =>
  DIGITS.test(id.trim()) ? id.trim().padStart(digits, '0') : id

/** The conversion of a column's values that have no explained meaning; undefined if they are kept. */
function changeOf({ field, reversed, unit, digits }: FileColumn, columns: readonly FileColumn[]): Convert | undefined {
  if (reversed) return oppositeOf
  const units = columns.find(({ unitOf }) => unitOf === field?.name)?.position
  // Each row's own unit takes precedence over a common unit.
  if (units !== undefined) return (text, cells) => withUnit(text, (cells[units] ?? '').trim())
  if (unit !== undefined) return (text) => withUnit(text, unit)
  return digits === undefined ? undefined : (text) => withZeros(text, digits)
}

/** The conversions of all columns with explained values, the opposite meaning, or missing units or zeros. */
export function conversionsOf({ fileColumns }: Pick<CsvFile, 'fileColumns'>): Conversion[] {
  return fileColumns.flatMap((column) => {
    const { position, field, meanings } = column
    if (field === undefined) return []
    const change = changeOf(column, fileColumns)
    if (meanings === undefined) return change === undefined ? [] : [{ position, convert: change }]
    return [{ position, convert: (text, cells) => meanings[valueKey(text)] ?? change?.(text, cells) ?? text }]
  })
}

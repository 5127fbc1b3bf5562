import type { CsvFile } from '#files/text/csv-file'
import type { Cells } from '#shared/records/csv/rows'
import { stateKey } from './states'
import { withUnit } from './units'
import { oppositeOf } from './yes-no'

/** How the values of a column are changed. */
export interface Conversion {
  position: number
  convert: (text: string, cells: Cells) => string
}

/** Of the columns whose meaning a person has confirmed: values of a status, yes and no, units. */
export function conversionsOf({ fileColumns }: CsvFile): Conversion[] {
  return fileColumns.flatMap(({ position, field, reversed: isReversed, unit, meanings }) => {
    if (field === undefined) return []
    if (meanings !== undefined) return [{ position, convert: (text: string) => meanings[stateKey(text)] ?? text }]
    if (isReversed) return [{ position, convert: oppositeOf }]
    const units = fileColumns.find(({ unitOf }) => unitOf === field.name)?.position
    // The unit of each row counts, not one for all rows.
    if (units !== undefined)
      return [{ position, convert: (text: string, cells: Cells) => withUnit(text, (cells[units] ?? '').trim()) }]
    return unit === undefined ? [] : [{ position, convert: (text: string) => withUnit(text, unit) }]
  })
}

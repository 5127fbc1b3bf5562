import type { Table } from '#files/fix/table'
import { rowsUpTo } from '#files/text/csv-file'
import type { RecordType } from '#shared/records/record-type'
import { type BetterCatalog, contentFit } from './catalog-fit'

/** Number of rows to read to find the matching catalog. */
const SAMPLE_ROWS = 200

/** Number of IDs to look up in the catalogs. */
const LOOKED_UP_IDS = 20

/** Some distinct, evenly spaced values. */
function sampleOf(values: Iterable<string>, count: number, size: number): string[] {
  const step = Math.max(1, Math.floor(count / size))
  const sample = new Set<string>()
  let index = 0
  for (const value of values) if (value !== '' && index++ % step === 0) sample.add(value)
  return [...sample].slice(0, size)
}

interface TableFit {
  better: BetterCatalog | undefined
  /** Some IDs to look up in the catalogs; none if the header and the values are clear. */
  ids: string[]
}

/** The catalog that a file fits, by its header row and first rows. @param type the chosen catalog */
export function fitOf(table: Table, type: RecordType): TableFit {
  const [, ...rows] = rowsUpTo(table.rows(), SAMPLE_ROWS + 1)
  const { sentHeader, rows: count } = table.csv
  const { better, isClear } = contentFit(sentHeader, rows, type)
  if (better !== undefined || isClear) return { better, ids: [] }
  return { better, ids: sampleOf(table.valuesOf(type.idField), count, LOOKED_UP_IDS) }
}

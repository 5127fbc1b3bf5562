import type { Table } from '#files/fix/table'
import { rowsUpTo } from '#files/text/csv-file'
import type { RecordType } from '#shared/records/record-type'
import { type BetterCatalog, contentFit } from './catalog-fit'

/** Rows that are read to see which catalog a file fits. */
const SAMPLE_ROWS = 200

/** Ids of a file that are looked up in the catalogs. */
const LOOKED_UP_IDS = 20

/** Some different values, taken at even distances. */
function sampleOf(values: Iterable<string>, count: number, size: number): string[] {
  const step = Math.max(1, Math.floor(count / size))
  const sample = new Set<string>()
  let index = 0
  for (const value of values) if (value !== '' && index++ % step === 0) sample.add(value)
  return [...sample].slice(0, size)
}

interface TableFit {
  better: BetterCatalog | undefined
  /** Some ids to look up in the catalogs, if header and values do not tell; else none. */
  ids: string[]
}

/** Which catalog a file fits, by its header row and its first rows. @param type the catalog that was chosen */
export function fitOf(table: Table, type: RecordType): TableFit {
  const [, ...rows] = rowsUpTo(table.rows(), SAMPLE_ROWS + 1)
  const { sentHeader, rows: count } = table.csv
  const { better, isClear } = contentFit(sentHeader, rows, type)
  if (better !== undefined || isClear) return { better, ids: [] }
  return { better, ids: sampleOf(table.valuesOf(type.idField), count, LOOKED_UP_IDS) }
}

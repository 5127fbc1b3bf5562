import type { Table } from '#files/fix/table'
import type { RecordType } from '#shared/records/record-type'

/** A new id of a file that resembles another one. */
export interface AlikeId {
  /** Place of its row below the header row, from 1. */
  index: number
  /** Number of the row, as a spreadsheet program shows it. */
  row: number
  id: string
  /** The id that it resembles. */
  similarTo: string
  /** Whether that one is an id of the file too: then the row cannot have it. */
  isInFile: boolean
}

/** What the service says of one such id. */
export interface SimilarExample {
  index: number
  value: string
  similar_to?: string | undefined
}

/** What the rows of a file have to do with the ids that the service names. */
export function alikeIds(table: Table, type: RecordType, examples: readonly SimilarExample[]): AlikeId[] {
  const ids = new Set(table.valuesOf(type.idField))
  return examples.flatMap(({ index, value, similar_to: similarTo }) =>
    similarTo === undefined
      ? []
      : [{ index, row: index + table.csv.headerRow, id: value, similarTo, isInFile: ids.has(similarTo) }],
  )
}

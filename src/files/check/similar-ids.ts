import type { Table } from '#files/fix/table'
import type { RecordType } from '#shared/records/record-type'

interface RowPlace {
  /** Position below the header row, from 1. */
  index: number
  /** Row number, as spreadsheet programs show it. */
  row: number
}

/** A new ID in a file that resembles another ID. */
export interface SimilarId extends RowPlace {
  id: string
  /** The name in the file. */
  name: string
  /** The ID that it resembles. */
  similarTo: string
  /** The row of the file with that ID; undefined if only the catalog has it. */
  otherRow: RowPlace | undefined
}

/** Such an ID in the service's response. */
export interface SimilarExample {
  index: number
  value: string
  similar_to?: string | undefined
}

/** Finds the rows of the IDs in the service's response. */
export function similarIds(table: Table, type: RecordType, examples: readonly SimilarExample[]): SimilarId[] {
  const column = table.columnOf(type.idField)
  const { headerRow } = table.csv
  const names = table.textsOf('name', new Set(examples.map(({ index }) => index)))
  const rows = new Map<string, RowPlace>()
  let place = 0
  for (const cells of table.rows()) {
    const id = column === undefined ? '' : (cells[column] ?? '').trim()
    if (place > 0 && !table.leftOut.has(place)) rows.set(id, { index: place, row: place + headerRow })
    place++
  }
  return examples.flatMap(({ index, value: id, similar_to: similarTo }) =>
    similarTo === undefined
      ? []
      : [
          {
            index,
            row: index + headerRow,
            id,
            name: names.get(index) ?? '',
            similarTo,
            otherRow: rows.get(similarTo),
          },
        ],
  )
}

/** An existing ID to which the file gives an unexpected name. */
export interface RenamedId extends RowPlace {
  id: string
  /** The names in the file and in the catalog. */
  name: string
  was: string
}

/** Such an ID in the service's response. */
export interface RenamedExample {
  index: number
  /** The new name. */
  value: string
  was?: string | undefined
}

/** Finds the rows of the IDs in the service's response. */
export function renamedIds(table: Table, type: RecordType, examples: readonly RenamedExample[]): RenamedId[] {
  const column = table.columnOf(type.idField) ?? -1
  const places = new Map(examples.map((example) => [example.index, example]))
  const renamed: RenamedId[] = []
  let index = 0
  for (const cells of table.rows()) {
    const example = places.get(index)
    if (example?.was !== undefined) {
      const row = index + table.csv.headerRow
      renamed.push({ index, row, id: (cells[column] ?? '').trim(), name: example.value, was: example.was })
    }
    index++
  }
  return renamed
}

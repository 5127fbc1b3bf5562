import type { FieldError } from '#errors'
import type { CsvFile } from './read-file'

/** One failing field of one row, as it is shown. */
export interface Fault {
  /** Number of the row as the spreadsheet program shows it; null for a fault of the file as a whole. */
  row: number | null
  /** Place of the row below the header row, from 1; null for a fault of the file as a whole. */
  index: number | null
  /** Name of the field, or header of a column; null for a fault of the whole row or file. */
  field: string | null
  /** What is wrong with this one. */
  message: string
  /** What is wrong with all of its group. */
  reason: string
  value: unknown
}

/** Faults of one field for one reason. */
export interface FaultGroup {
  key: string
  field: string | null
  reason: string
  faults: readonly Fault[]
}

/**
 * A message of the service, which counts rows from the first below the header row, for people, who read the numbers
 * beside the rows.
 */
export const withRowNumbers = (message: string, headerRow: number): string =>
  message.replace(
    /(?<!header )\b(at index|row) (\d+)/g,
    (_, word: string, index: string) => `${word === 'row' ? 'row' : 'in row'} ${Number(index) + headerRow}`,
  )

/** What a message says of every row that it is said of: without the numbers that differ from row to row. */
const reasonOf = (message: string): string =>
  message
    .replace(/^item \d+ /, 'an item ')
    .replace(/\bat index \d+/, 'in an earlier row')
    .replace(/has \d+ cells/, 'has more cells')

/** The faults that the service names, with the row numbers of the spreadsheet. */
export const faultsOf = (errors: readonly FieldError[], { headerRow }: CsvFile): Fault[] =>
  errors.map(({ index, field, msg, value }) => ({
    index,
    row: index === null ? null : index + headerRow,
    field,
    message: withRowNumbers(msg, headerRow),
    reason: reasonOf(msg),
    value,
  }))

/** Groups faults by field and reason, the largest group first; those of the whole file come before all others. */
export function groupFaults(faults: readonly Fault[]): FaultGroup[] {
  const groups = new Map<string, { key: string; field: string | null; reason: string; faults: Fault[] }>()
  for (const fault of faults) {
    const scope = fault.row === null ? 'file' : 'row'
    // Becomes part of the ids of elements.
    const key = `${scope} ${fault.field ?? ''} ${fault.reason}`.replace(/[^\p{L}\p{N}]+/gu, '-')
    const group = groups.get(key)
    if (group) group.faults.push(fault)
    else groups.set(key, { key, field: fault.field, reason: fault.reason, faults: [fault] })
  }
  const ofFile = (group: FaultGroup) => (group.faults[0]!.row === null ? 0 : 1)
  return [...groups.values()].sort((a, b) => ofFile(a) - ofFile(b) || b.faults.length - a.faults.length)
}

import { type HeaderNames, normalizedHeader } from '#shared/records/csv/header'
import type { RecordType } from '#shared/records/record-type'
import { ColumnTargets } from './column-targets'
import { type ColumnValues, NO_VALUES } from './column-values'
import type { ColumnMeanings, FileColumn, Mapping, Target } from './file-column'
import { valuesToExplain } from './meanings'
import { headerParts } from './units'
import { areRepeated, namesThings } from './value-doubts'

const COLUMN_EXAMPLES = 3

/** The facts about a file that are known before its columns are mapped. */
interface ColumnFacts {
  header: readonly string[]
  /** The values of each column, as far as any row has one, and the number of rows with data. */
  values: readonly ColumnValues[]
  rows: number
  hidden: readonly number[]
}

/**
 * The possible problems with a column's values: unclear meanings, or values that do not belong to its field.
 *
 * @param values the column's values
 */
function doubtsAbout({ header, field, doubt, reversed }: FileColumn, values: ColumnValues): Partial<FileColumn> {
  if (field === undefined) return {}
  if (field.kind === 'boolean' || field.kind === 'enum')
    return { states: valuesToExplain(header, field, values, reversed) }
  if (!namesThings(field)) return {}
  const isRepeated = values.isComplete && areRepeated(values.values.length, values.filled)
  return { doubt: isRepeated ? 'repeats' : doubt, namedField: field }
}

/**
 * Maps each column, in this order: the user's choice, its header, the previous mapping, a guess. Only the user can map
 * two columns to one field.
 *
 * @param earlier the previous target of a column with the same header
 */
export function columnsOf(
  { header, values: columnValues, rows, hidden }: ColumnFacts,
  type: RecordType,
  names: HeaderNames,
  mapping: Mapping,
  earlier: (header: string) => Target | undefined,
  meanings: ColumnMeanings,
): FileColumn[] {
  const targets = new ColumnTargets(type, names, rows > 0)
  const valuesAt = (position: number) => columnValues[position] ?? NO_VALUES
  const values = header.map((_, position) => valuesAt(position).values.map(({ value }) => value))
  const textsOf = ({ position }: FileColumn) => values[position] ?? []
  const columns = header.map(
    (name, position): FileColumn => ({
      position,
      header: name,
      field: undefined,
      by: undefined,
      reversed: false,
      unit: undefined,
      unitOf: undefined,
      meanings: undefined,
      digits: undefined,
      states: undefined,
      doubt: undefined,
      namedField: undefined,
      headerUnit: headerParts(name)?.unit,
      examples: values[position]?.slice(0, COLUMN_EXAMPLES) ?? [],
      filled: valuesAt(position).filled,
      emptyField: undefined,
      isHidden: hidden.includes(position),
      isIgnored: names.isIgnored(name),
      misfit: undefined,
    }),
  )
  const open = () => columns.filter(({ by }) => by === undefined)
  for (const column of columns) {
    const choice = mapping.get(column.position)
    if (choice !== undefined) targets.assign(column, choice, 'person')
  }
  // A user's earlier choice takes precedence over the header, unless the header is a field name.
  const isByMemory = ({ header: name }: FileColumn) =>
    earlier(name) !== undefined && names.fieldOf(name)?.name !== normalizedHeader(name)
  const assignByHeader = (ones: readonly FileColumn[]) => {
    for (const column of ones) targets.assignByHeader(column, textsOf(column), earlier(column.header))
  }
  assignByHeader(open().filter((column) => !isByMemory(column)))
  for (const column of open()) targets.assignFromMemory(column, earlier(column.header), textsOf(column))
  assignByHeader(open())
  for (const isWeak of [false, true])
    for (const column of open()) targets.assignGuess(column, valuesAt(column.position), isWeak)
  for (const column of open()) targets.assignUnits(column, textsOf(column), columns)
  return columns.map((column) => {
    const known = { ...column, meanings: meanings.get(column.position) ?? column.meanings }
    return { ...known, ...doubtsAbout(known, valuesAt(column.position)) }
  })
}

import { type CellChoices, type CellQuestion, isAnswered } from '#files/cells/cell-choices'
import type { BetterCatalog } from '#files/columns/catalog-fit'
import { isDoubtful } from '#files/columns/columns'
import type { CsvFile } from '#files/text/csv-file'
import type { TotalsChoice } from '#files/text/totals'
import type { Field, RecordType } from '#shared/records/record-type'

/** A file that was read: what there is to show of it. Its rows stay with the worker. */
export interface ChosenFile {
  name: string
  csv: Omit<CsvFile, 'text'>
  /** Rows with data that are records. */
  records: number
  /** The sheet of a workbook that is meant. */
  sheet?: { name: string; hiddenRows: number }
  /** Columns of the sheet for which a person chooses what is written. */
  questions: readonly CellQuestion[]
  choices: CellChoices
  /** What becomes of rows that seem to add others up; undefined until the person says it. */
  totals: TotalsChoice | undefined
  /** Whether the person has said that the columns are right. */
  hasRightColumns: boolean
  /** The catalog that it fits better, until the person says that the chosen one is meant. */
  better?: BetterCatalog
}

export const openQuestions = ({ questions, choices }: ChosenFile): CellQuestion[] =>
  questions.filter((question) => !isAnswered(question, choices))

/** Fields that tell one record from another: without them nothing else is of use. */
const NEEDED = ({ idField }: RecordType): string[] => [idField, 'name']

/** Fields that every record needs, for which a person may choose a column. */
export const missingFields = ({ csv }: ChosenFile, type: RecordType): string[] =>
  csv.headerErrors.flatMap(({ code, field }) =>
    code === 'required' && field !== null && NEEDED(type).includes(field) ? [field] : [],
  )

/** Fields that the file has no column for. A record that is sent is active, so `is_active` is not among them. */
export function missingColumns({ csv }: ChosenFile, { idField, fields }: RecordType): Field[] {
  const read = csv.columns.map(({ field }) => field.name)
  return fields.filter(({ name }) => ![idField, 'is_active', ...read].includes(name))
}

/** Fields that have two columns, although only one of them can be meant. */
export const doubleFields = ({ csv }: ChosenFile): string[] =>
  csv.headerErrors.flatMap(({ code, field }) =>
    code === 'ambiguous_column' && field !== null ? [field] : [],
  )

/**
 * Whether a field that every record needs may be in a column that is not known for it. Known records keep their names
 * if the file has none, so ids and other columns that the header names are no question.
 */
function asksNeeded(file: ChosenFile, type: RecordType): boolean {
  const missing = missingFields(file, type)
  const isAllKnown = file.csv.fileColumns.every(({ by, isIgnored }) => by === 'known' || isIgnored)
  return missing.length > 0 && (missing.includes(type.idField) || !isAllKnown)
}

/** Whether a person has to look at the columns before anything is sent. */
export const asksColumns = (file: ChosenFile, type: RecordType): boolean =>
  !file.hasRightColumns &&
  (file.csv.fileColumns.some(isDoubtful) ||
    !file.csv.hasHeader ||
    asksNeeded(file, type) ||
    doubleFields(file).length > 0)

export const asksTotals = ({ csv, totals }: ChosenFile): boolean =>
  csv.totals.length > 0 && totals === undefined

/** Whether a file can be sent: the person has answered every question about it. */
export const isDecided = (file: ChosenFile, type: RecordType): boolean =>
  openQuestions(file).length === 0 &&
  file.better === undefined &&
  !asksColumns(file, type) &&
  !asksTotals(file)

import { type CellChoices, type CellQuestion, isAnswered } from '#files/cells/cell-questions'
import type { BetterCatalog } from '#files/columns/catalog-fit'
import { isDoubtful } from '#files/columns/columns'
import type { CsvFile, CsvReading } from '#files/text/csv-file'
import type { TotalsChoice } from '#files/text/totals'
import type { Field, RecordType } from '#shared/records/record-type'
import type { SheetFit } from './workbook/sheet-fit'

/** What becomes of rows that the spreadsheet hides. */
type HiddenRowsChoice = 'leave out' | 'read'

/** What a person has said of a file. */
export interface Reading extends Pick<CsvReading, 'mapping' | 'memory' | 'headerAt' | 'encoding'> {
  /** Of a workbook: which of its sheets is meant. */
  sheet?: string | undefined
  /** Whether the person has said that it is, though others fit as well. */
  isSheetRight?: boolean | undefined
  /** What is written of doubtful cells. */
  choices?: CellChoices | undefined
  /** What becomes of rows that are probably no records. */
  totals?: TotalsChoice | undefined
  hiddenRows?: HiddenRowsChoice | undefined
  /** Whether the rows above the first record are none, though they look so. */
  isHeaderRight?: boolean | undefined
  /** Whether the person has said that the file is of this type, whatever it looks like. */
  isOfType?: boolean | undefined
}

/** What a person has answered about a file, besides its columns. */
type Answers = Required<Pick<Reading, 'totals' | 'hiddenRows' | 'encoding'>> & {
  choices: NonNullable<Reading['choices']>
  isHeaderRight: boolean
}

/** A file that was read: what there is to show of it. Its rows stay with the worker. */
export interface FileSummary {
  name: string
  csv: Omit<CsvFile, 'text' | 'doubts' | 'hiddenRows'>
  /** Rows with data that are records. */
  records: number
  /** The sheet of a workbook that is meant. */
  sheet?: string
  /** Sheets that fit equally well, until the person says which of them is meant. */
  equalSheets?: readonly SheetFit[]
  /** Rows with data that the spreadsheet hides. */
  hiddenRows: number
  /** Cells for which a person chooses what is written. */
  questions: readonly CellQuestion[]
  answers: Answers
  /** Whether the person has said that the columns are right. */
  hasRightColumns: boolean
  /** The catalog that it fits better, until the person says that the chosen one is meant. */
  better?: BetterCatalog
}

export const openQuestions = ({ questions, answers: { choices } }: FileSummary): CellQuestion[] =>
  questions.filter((question) => !isAnswered(question, choices))

/** Fields that tell one record from another: without them nothing else is of use. */
const NEEDED = ({ idField }: RecordType): string[] => [idField, 'name']

/** Fields that every record needs, for which a person may choose a column. */
export const missingFields = ({ csv }: FileSummary, type: RecordType): string[] =>
  csv.headerErrors.flatMap(({ code, field }) =>
    code === 'required' && field !== null && NEEDED(type).includes(field) ? [field] : [],
  )

/** Fields that the file has no column for. A record that is sent is active, so `is_active` is not among them. */
export function missingColumns({ csv }: FileSummary, { idField, fields }: RecordType): Field[] {
  const readNames = csv.columns.map(({ field }) => field.name)
  return fields.filter(({ name }) => ![idField, 'is_active', ...readNames].includes(name))
}

/** Fields that have two columns, although only one of them can be meant. */
export const duplicateFields = ({ csv }: FileSummary): string[] =>
  csv.headerErrors.flatMap(({ code, field }) => (code === 'ambiguous_column' && field !== null ? [field] : []))

/**
 * Whether a field that every record needs may be in a column that is not known for it. Known records keep their names
 * if the file has none, so ids and other columns that the header names are no question.
 */
function asksNeeded(file: FileSummary, type: RecordType): boolean {
  const missing = missingFields(file, type)
  const isAllKnown = file.csv.fileColumns.every(({ by, isIgnored }) => by === 'known' || isIgnored)
  return missing.length > 0 && (missing.includes(type.idField) || !isAllKnown)
}

/** Whether a person has to look at the columns before anything is sent. */
export const asksColumns = (file: FileSummary, type: RecordType): boolean =>
  !file.hasRightColumns &&
  (file.csv.fileColumns.some(isDoubtful) ||
    !file.csv.hasHeader ||
    asksNeeded(file, type) ||
    duplicateFields(file).length > 0)

export const asksTotals = ({ csv, answers }: FileSummary): boolean =>
  csv.totals.length > 0 && answers.totals === undefined

export const asksHiddenRows = ({ hiddenRows, answers }: FileSummary): boolean =>
  hiddenRows > 0 && answers.hiddenRows === undefined

export const asksEncoding = ({ csv, sheet, answers }: FileSummary): boolean =>
  sheet === undefined && csv.encodingSamples.length > 0 && answers.encoding === undefined

/** Whether rows above the first record, which are not read, may be records. */
export const asksHeader = ({ csv, answers }: FileSummary): boolean => csv.rowsAbove.length > 0 && !answers.isHeaderRight

/** Whether blank cells keep what the catalog has of whether a record is in use. */
export const keepsInUse = ({ questions, answers: { choices } }: FileSummary): boolean =>
  questions.some(({ key, doubt }) => doubt === 'blank' && choices.get(key) === 'keep')

/** Whether a file can be sent: the person has answered every question about it. */
export const isDecided = (file: FileSummary, type: RecordType): boolean =>
  file.equalSheets === undefined &&
  file.better === undefined &&
  !asksEncoding(file) &&
  !asksHeader(file) &&
  !asksColumns(file, type) &&
  openQuestions(file).length === 0 &&
  !asksTotals(file) &&
  !asksHiddenRows(file)

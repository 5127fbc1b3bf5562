import { type CellChoices, type CellQuestion, isAnswered } from '#files/cells/cell-questions'
import type { BetterCatalog } from '#files/columns/catalog-fit'
import { type FileColumn, isDoubtful } from '#files/columns/columns'
import { areExplained } from '#files/columns/states'
import type { CsvFile, CsvReading } from '#files/text/csv-file'
import type { TotalsChoice } from '#files/text/suspect-rows'
import type { Field, RecordType } from '#shared/records/record-type'
import type { SheetFit } from './workbook/sheet-fit'

/** What becomes of rows that the spreadsheet hides. */
type HiddenRowsChoice = 'leave out' | 'read'

/** What a person has answered about a file. Files that are read with the same answers are read the same. */
export interface Reading
  extends Pick<CsvReading, 'mapping' | 'meanings' | 'fills' | 'memory' | 'headerAt' | 'encoding'> {
  /** The name of the sheet of a workbook that is meant. */
  sheet?: string | undefined
  /** Whether that sheet is meant although others fit equally well. */
  isSheetRight?: boolean | undefined
  /** What is written of doubtful cells. */
  choices?: CellChoices | undefined
  /** What becomes of rows that are probably no records. */
  totals?: TotalsChoice | undefined
  hiddenRows?: HiddenRowsChoice | undefined
  /** Whether the columns are right as they are read. */
  hasRightColumns?: boolean | undefined
  /** Whether the rows above the first record are no records, although they look like some. */
  isHeaderRight?: boolean | undefined
  /** Whether the file is of this type although it looks like one of another. */
  isOfType?: boolean | undefined
}

/** The answers that `FileSummary` has. */
type Answers = Required<Pick<Reading, 'totals' | 'hiddenRows' | 'encoding'>> & {
  choices: NonNullable<Reading['choices']>
  fills: NonNullable<Reading['fills']>
  isHeaderRight: boolean
}

/** What there is to show of a file that was read. Its rows stay in the worker. */
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

/** The questions about cells that are still open. */
export const openQuestions = ({ questions, answers: { choices } }: FileSummary): CellQuestion[] =>
  questions.filter((question) => !isAnswered(question, choices))

/** Fields that every record needs and that have no column. A person may choose one, or give them a value. */
export const missingFields = ({ csv }: FileSummary): string[] =>
  csv.headerErrors.flatMap(({ code, field }) => (code === 'required' && field !== null ? [field] : []))

/** Fields that the file has no column for. A record that is sent is active, so `is_active` is not among them. */
export function missingColumns({ csv, answers: { fills } }: FileSummary, { idField, fields }: RecordType): Field[] {
  const readNames = csv.columns.map(({ field }) => field.name)
  return fields.filter(({ name }) => ![idField, 'is_active', ...readNames, ...fills.keys()].includes(name))
}

/** Fields that have two columns, although only one of them can be meant. */
export const duplicateFields = ({ csv }: FileSummary): string[] =>
  csv.headerErrors.flatMap(({ code, field }) => (code === 'ambiguous_column' && field !== null ? [field] : []))

/**
 * Whether a needed field has no column. A file without names is no question if its headers name all columns: records
 * that the catalog has keep their names.
 */
function asksNeeded(file: FileSummary): boolean {
  const missing = missingFields(file)
  const isAllKnown = file.csv.fileColumns.every(({ by, isIgnored }) => by === 'header' || isIgnored)
  return missing.some((field) => field !== 'name' || !isAllKnown)
}

/** Whether to ask if the columns are right. */
export const asksColumns = (file: FileSummary): boolean =>
  !file.hasRightColumns &&
  (file.csv.fileColumns.some(isDoubtful) || !file.csv.hasHeader || asksNeeded(file) || duplicateFields(file).length > 0)

/** The columns whose values a person must still explain. */
export const columnsToExplain = ({ csv }: FileSummary): FileColumn[] =>
  csv.fileColumns.filter(({ states, meanings }) => states !== undefined && !areExplained(states, meanings))

/** Whether to ask what becomes of rows that are probably no records. */
export const asksTotals = ({ csv, answers }: FileSummary): boolean =>
  csv.totals.length > 0 && answers.totals === undefined

/** Whether to ask what becomes of hidden rows. */
export const asksHiddenRows = ({ hiddenRows, answers }: FileSummary): boolean =>
  hiddenRows > 0 && answers.hiddenRows === undefined

/** Whether to ask in which encoding a file of text is. */
export const asksEncoding = ({ csv, sheet, answers }: FileSummary): boolean =>
  sheet === undefined && csv.encodingSamples.length > 0 && answers.encoding === undefined

/** Whether to ask if rows above the first record, which are not read, are records. */
export const asksHeader = ({ csv, answers }: FileSummary): boolean => csv.rowsAbove.length > 0 && !answers.isHeaderRight

/** Whether a record whose cell for `is_active` is blank stays as it is: in use or not. */
export const keepsInUse = ({ questions, answers: { choices } }: FileSummary): boolean =>
  questions.some(({ key, doubt }) => doubt === 'blank' && choices.get(key) === 'keep')

/** Whether a file can be sent: the person has answered every question about it. */
export const isDecided = (file: FileSummary): boolean =>
  file.equalSheets === undefined &&
  file.better === undefined &&
  !asksEncoding(file) &&
  !asksHeader(file) &&
  !asksColumns(file) &&
  columnsToExplain(file).length === 0 &&
  openQuestions(file).length === 0 &&
  !asksTotals(file) &&
  !asksHiddenRows(file)

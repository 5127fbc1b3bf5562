import { type CellChoice, type CellChoices, type CellQuestion, isAnswered } from '#files/cells/cell-questions'
import type { BetterCatalog } from '#files/columns/catalog-fit'
import type { EarlierColumns } from '#files/columns/earlier-columns'
import { type FileColumn, isDoubtful, isEmptyColumn, isSparse } from '#files/columns/file-column'
import type { Fill, Fills } from '#files/columns/fills'
import { areExplained } from '#files/columns/meanings'
import type { CsvFile, CsvReading } from '#files/text/csv-file'
import type { TotalsChoice } from '#files/text/suspect-rows'
import type { Condition, Field, RecordType } from '#shared/records/record-type'
import type { SheetFit } from './workbook/sheet-fit'

/** What becomes of rows that the spreadsheet hides. */
type HiddenRowsChoice = 'leave out' | 'read'

/** What a person has answered about a file. Files that are read with the same answers are read the same. */
export interface Reading extends Pick<CsvReading, 'mapping' | 'meanings' | 'headerAt' | 'encoding' | 'idDigits'> {
  /** What was answered about earlier files, the newest last. */
  memory?: readonly SavedAnswers[] | undefined
  /** Where the values of fields come from in rows without one. */
  fills?: Fills | undefined
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

/** What says that the ids of a file have lost zeros in front. */
export interface LostZeros {
  /** How many digits the ids of the catalog have. */
  digits: number
  /** An id of the file. */
  example: string
  /** How many ids were compared, and how many of them the catalog has with zeros. */
  compared: number
  known: number
  /** Those of them that have another name there. */
  renamed: readonly RenamedRow[]
}

interface RenamedRow {
  row: number
  id: string
  name: string
  was: string
}

/** Where the values of a field come from, with the header of a column in place of its position. */
export type SavedFill = Exclude<Fill, { is: 'column' }> | { is: 'column'; header: string }

/** What is written of doubtful cells; texts that a person has typed are by those that the cells hold. */
type SavedChoice = Exclude<CellChoice, ReadonlyMap<string, string>> | Readonly<Record<string, string>>

/**
 * What a person has answered about a file, for later files like it: in JSON, and by headers, because columns may move.
 * All headers are normalized.
 */
export interface SavedAnswers extends EarlierColumns {
  fills: Readonly<Record<string, SavedFill>>
  /** By header, doubt and separator. */
  choices: Readonly<Record<string, SavedChoice>>
  sheet?: string | undefined
  more: Pick<
    Reading,
    'totals' | 'hiddenRows' | 'encoding' | 'isHeaderRight' | 'isOfType' | 'hasRightColumns' | 'idDigits'
  >
}

/** The answers that `FileSummary` has. */
type Answers = Required<Pick<Reading, 'totals' | 'hiddenRows' | 'encoding' | 'isOfType' | 'idDigits'>> & {
  choices: NonNullable<Reading['choices']>
  fills: NonNullable<Reading['fills']>
  isHeaderRight: boolean
}

/** A field that some rows need because of the value of another field, and do not have. */
export interface NeededField extends Pick<Condition, 'field' | 'when'> {
  rows: number
}

/** What there is to show of a file that was read. Its rows stay in the worker. */
export interface FileSummary {
  name: string
  csv: Omit<CsvFile, 'text' | 'doubts' | 'hiddenRows' | 'excludedRows'>
  /** Rows with data that are records. */
  records: number
  /** The sheet of a workbook that is meant. */
  sheet?: string
  /** Sheets that fit equally well, until the person says which of them is meant. */
  equalSheets?: readonly SheetFit[]
  /** Rows with data that the spreadsheet hides. */
  hiddenRows: number
  /** Rows that are left out for the value of a column. */
  excludedRows: number
  needed: readonly NeededField[]
  /** Cells for which a person chooses what is written. */
  questions: readonly CellQuestion[]
  answers: Answers
  /** Whether the person has said that the columns are right. */
  hasRightColumns: boolean
  /** Whether an earlier file had the same columns: where nothing else was answered, its answers count. */
  isAsBefore: boolean
  /** The catalog that it fits better, until the person says that the chosen one is meant. */
  better?: BetterCatalog
  /** Set until the person says whether zeros are added to the ids. */
  lostZeros?: LostZeros
}

/** The questions about cells that are still open. */
export const openQuestions = ({ questions, answers: { choices } }: FileSummary): CellQuestion[] =>
  questions.filter((question) => !isAnswered(question, choices))

/** Fields that every record needs and that have no column. A person may choose one, or give them a value. */
export const missingFields = ({ csv, answers: { fills } }: FileSummary): string[] =>
  csv.headerErrors.flatMap(({ code, field }) =>
    code === 'required' && field !== null && !fills.has(field) ? [field] : [],
  )

/** Fields that every record needs and most rows do not have. A person says what the others get. */
export const sparseFields = ({ csv, answers: { fills } }: FileSummary): string[] =>
  csv.columns.flatMap(({ position, field: { name, required } }) => {
    const column = csv.fileColumns[position]
    return required && !fills.has(name) && column !== undefined && isSparse(column, csv.rows) ? [name] : []
  })

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
  const isAllKnown = file.csv.fileColumns.every(
    (column) => column.by === 'header' || column.isIgnored || isEmptyColumn(column),
  )
  return missing.some((field) => field !== 'name' || !isAllKnown)
}

/** Whether to ask if the columns are right. */
export const asksColumns = (file: FileSummary): boolean =>
  !file.hasRightColumns &&
  (file.csv.fileColumns.some(isDoubtful) ||
    !file.csv.hasHeader ||
    asksNeeded(file) ||
    sparseFields(file).length > 0 ||
    duplicateFields(file).length > 0)

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
  file.lostZeros === undefined &&
  !asksEncoding(file) &&
  !asksHeader(file) &&
  !asksColumns(file) &&
  columnsToExplain(file).length === 0 &&
  openQuestions(file).length === 0 &&
  !asksTotals(file) &&
  !asksHiddenRows(file)

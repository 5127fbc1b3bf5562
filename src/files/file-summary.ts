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

/** How to handle hidden rows. */
type HiddenRowsChoice = 'leave out' | 'read'

/** A user's answers about a file. With the same answers, a file is always read in the same way. */
export interface Reading extends Pick<CsvReading, 'mapping' | 'meanings' | 'headerAt' | 'encoding' | 'idDigits'> {
  /** Answers about earlier files, newest last. */
  memory?: readonly SavedAnswers[] | undefined
  /** Sources of field values for rows without one. */
  fills?: Fills | undefined
  /** The name of the workbook sheet to read. */
  sheet?: string | undefined
  /** Whether the user confirmed that sheet although others fit equally well. */
  isSheetRight?: boolean | undefined
  /** The user's choices for ambiguous cells. */
  choices?: CellChoices | undefined
  /** How to handle rows that are probably not records. */
  totals?: TotalsChoice | undefined
  hiddenRows?: HiddenRowsChoice | undefined
  /** Whether the user confirmed the column mapping. */
  hasRightColumns?: boolean | undefined
  /**
   * Whether the user confirmed that the rows above the first record are not records, although they look like records.
   */
  isHeaderRight?: boolean | undefined
  /** Whether the user confirmed the type although the file looks like another type. */
  isOfType?: boolean | undefined
}

/** Evidence that the IDs of a file have lost leading zeros. */
export interface LostZeros {
  /** Number of digits of the catalog's IDs. */
  digits: number
  /** An ID in the file. */
  example: string
  /** Number of compared IDs, and how many of them the catalog contains with leading zeros. */
  compared: number
  known: number
  /** Rows whose ID has a different name in the catalog. */
  renamed: readonly RenamedRow[]
}

interface RenamedRow {
  row: number
  id: string
  name: string
  was: string
}

/** The source of a field's values, with a column's header instead of its position. */
export type SavedFill = Exclude<Fill, { is: 'column' }> | { is: 'column'; header: string }

/** The choice for ambiguous cells. Typed texts are stored by the content of the cells. */
type SavedChoice = Exclude<CellChoice, ReadonlyMap<string, string>> | Readonly<Record<string, string>>

/**
 * A user's answers about a file, to reuse for similar files: as JSON, and by header, because columns may move. All
 * headers are normalized.
 */
export interface SavedAnswers extends EarlierColumns {
  fills: Readonly<Record<string, SavedFill>>
  /** By header, reason and separator. */
  choices: Readonly<Record<string, SavedChoice>>
  sheet?: string | undefined
  more: Pick<
    Reading,
    'totals' | 'hiddenRows' | 'encoding' | 'isHeaderRight' | 'isOfType' | 'hasRightColumns' | 'idDigits'
  >
}

/** The answers in `FileSummary`. */
type Answers = Required<Pick<Reading, 'totals' | 'hiddenRows' | 'encoding' | 'isOfType' | 'idDigits'>> & {
  choices: NonNullable<Reading['choices']>
  fills: NonNullable<Reading['fills']>
  isHeaderRight: boolean
}

/** A field that some rows need because of another field's value, but do not have. */
export interface NeededField extends Pick<Condition, 'field' | 'when'> {
  rows: number
}

/** The summary of a file for display. Its rows stay in the worker. */
export interface FileSummary {
  name: string
  csv: Omit<CsvFile, 'text' | 'doubts' | 'hiddenRows' | 'excludedRows'>
  /** Number of rows with data that are records. */
  records: number
  /** The name of the workbook sheet that was read. */
  sheet?: string
  /** Sheets that fit equally well, until the user chooses one. */
  equalSheets?: readonly SheetFit[]
  /** Number of hidden rows with data. */
  hiddenRows: number
  /** Number of rows that are excluded by a column's value. */
  excludedRows: number
  needed: readonly NeededField[]
  /** Ambiguous cells for which the user chooses a value. */
  questions: readonly CellQuestion[]
  answers: Answers
  /** Whether the user confirmed the column mapping. */
  hasRightColumns: boolean
  /** Whether an earlier file had the same columns: its answers apply where there are no new ones. */
  isAsBefore: boolean
  /** The catalog that it fits better, until the user confirms the chosen one. */
  better?: BetterCatalog
  /** Set until the user decides whether to add zeros to the IDs. */
  lostZeros?: LostZeros
}

/** The unanswered questions about cells. */
export const openQuestions = ({ questions, answers: { choices } }: FileSummary): CellQuestion[] =>
  questions.filter((question) => !isAnswered(question, choices))

/** Required fields without a column. The user may choose a column or a value. */
export const missingFields = ({ csv, answers: { fills } }: FileSummary): string[] =>
  csv.headerErrors.flatMap(({ code, field }) =>
    code === 'required' && field !== null && !fills.has(field) ? [field] : [],
  )

/** Required fields that are empty in most rows. The user chooses how to fill them. */
export const sparseFields = ({ csv, answers: { fills } }: FileSummary): string[] =>
  csv.columns.flatMap(({ position, field: { name, required } }) => {
    const column = csv.fileColumns[position]
    return required && !fills.has(name) && column !== undefined && isSparse(column, csv.rows) ? [name] : []
  })

/** Fields without a column. Excludes `is_active`, because sent records are active. */
export function missingColumns({ csv, answers: { fills } }: FileSummary, { idField, fields }: RecordType): Field[] {
  const readNames = csv.columns.map(({ field }) => field.name)
  return fields.filter(({ name }) => ![idField, 'is_active', ...readNames, ...fills.keys()].includes(name))
}

/** Fields with two columns, of which only one can be right. */
export const duplicateFields = ({ csv }: FileSummary): string[] =>
  csv.headerErrors.flatMap(({ code, field }) => (code === 'ambiguous_column' && field !== null ? [field] : []))

/**
 * Whether a required field has no column. If only the names are missing and the file's headers are all known, there is
 * nothing to ask: existing records keep their names.
 */
function asksNeeded(file: FileSummary): boolean {
  const missing = missingFields(file)
  const isAllKnown = file.csv.fileColumns.every(
    (column) => column.by === 'header' || column.isIgnored || isEmptyColumn(column),
  )
  return missing.some((field) => field !== 'name' || !isAllKnown)
}

/** Whether to ask the user to confirm the columns. */
export const asksColumns = (file: FileSummary): boolean =>
  !file.hasRightColumns &&
  (file.csv.fileColumns.some(isDoubtful) ||
    !file.csv.hasHeader ||
    asksNeeded(file) ||
    sparseFields(file).length > 0 ||
    duplicateFields(file).length > 0)

/** The columns with values that the user must still explain. */
export const columnsToExplain = ({ csv }: FileSummary): FileColumn[] =>
  csv.fileColumns.filter(({ states, meanings }) => states !== undefined && !areExplained(states, meanings))

/** Whether to ask how to handle rows that are probably not records. */
export const asksTotals = ({ csv, answers }: FileSummary): boolean =>
  csv.totals.length > 0 && answers.totals === undefined

/** Whether to ask how to handle hidden rows. */
export const asksHiddenRows = ({ hiddenRows, answers }: FileSummary): boolean =>
  hiddenRows > 0 && answers.hiddenRows === undefined

/** Whether to ask for the encoding of a text file. */
export const asksEncoding = ({ csv, sheet, answers }: FileSummary): boolean =>
  sheet === undefined && csv.encodingSamples.length > 0 && answers.encoding === undefined

/** Whether to ask if ignored rows above the first record are records. */
export const asksHeader = ({ csv, answers }: FileSummary): boolean => csv.rowsAbove.length > 0 && !answers.isHeaderRight

/** Whether a record with an empty `is_active` cell keeps its state: active or inactive. */
export const keepsInUse = ({ questions, answers: { choices } }: FileSummary): boolean =>
  questions.some(({ key, doubt }) => doubt === 'blank' && choices.get(key) === 'keep')

/** Whether a file can be sent: all questions about it are answered. */
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

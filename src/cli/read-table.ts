import type { CellChoice, CellQuestion } from '#files/cells/cell-questions'
import { valueKey } from '#files/columns/column-values'
import type { ColumnMeanings, Mapping, Target } from '#files/columns/columns'
import type { Reading } from '#files/file-summary'
import type { Table } from '#files/fix/table'
import { type OpenedFile, openFile, type ReadFile, readOpenedFile } from '#files/open-file'
import { type Part, partsOf } from '#files/parts'
import type { Encoding } from '#files/text/encodings'
import { asError } from '#shared/errors/errors'
import { normalizedHeader } from '#shared/records/csv/header'
import { fieldNamed, type RecordType } from '#shared/records/record-type'
import { CliError, EXIT, usageError } from './exits'
import { isOpen, openQuestion } from './questions'

/** Answers to the questions that the console asks about a file. */
export interface ReadingOptions {
  /** Which sheet of a workbook is meant. */
  sheet?: string
  /** What is written of doubtful cells: what they show, what they store, or nothing. */
  cells?: 'shown' | 'stored' | 'empty'
  /** The values of a column that mean that a record is active; all others mean that it is inactive. */
  active?: readonly string[]
  /** What becomes of cells that stand for no value. */
  nullMarkers?: 'empty' | 'keep'
  /** What becomes of items of lists that are separated in another way. */
  lists?: 'split' | 'keep'
  /** What becomes of texts with broken letters. */
  brokenText?: 'repair' | 'keep'
  /** Whether records are active whose cell for that is blank. */
  blankActive?: 'yes' | 'no'
  /** What becomes of rows that are probably no records. */
  totals?: 'keep' | 'leave-out'
  /** What becomes of rows that the spreadsheet hides. */
  hiddenRows?: 'read' | 'leave-out'
  /** The encoding of a file of text that does not say it. */
  encoding?: Encoding
  /** Columns and their fields: `Drug=name`; `Notes=` leaves a column out, `*=` all that are not clear. */
  map?: readonly string[]
  /** The file is of the named type although it looks like one of another. */
  typeIsRight?: boolean
}

/** A file without open questions, as it is sent. */
export interface TableFile {
  name: string
  rows: number
  parts: readonly Part[]
  table: Table
  /** Of a workbook: the name of its sheet. */
  sheet: string | undefined
  /** The end of a text that does not end with a line break; undefined if it does, and for workbooks. */
  openEnd: string | undefined
}

const invalid = (message: string): CliError => new CliError(EXIT.invalid, message)

/**
 * `field`, `!field` for a column that says the opposite, `field unit` for numbers without their unit; nothing leaves
 * it out.
 */
const TARGET = /^(!?)([a-z0-9_]*)(?: +(\S.*))?$/

/** In `--map`: every column whose header does not say what it is. */
const OTHER_COLUMNS = '*'

/** The error for a field that the type does not have. */
export const noSuchField = (option: string, name: string, { fields }: RecordType): CliError =>
  usageError(`${option}: there is no field “${name}”. The fields are ${fields.map((field) => field.name).join(', ')}.`)

/** @throws CliError 2 for a field that the type does not have */
function targetOf(text: string, type: RecordType): Target {
  const [, not, field = '', unit] = TARGET.exec(text.trim()) ?? []
  if (field === '' && text.trim() === '') return { field: null }
  if (fieldNamed(type, field) === undefined) throw noSuchField('--map', text, type)
  return { field, ...(not === '!' && { reversed: true }), ...(unit !== undefined && { unit }) }
}

/** Where columns go, by their positions. @throws CliError 2 for a column that the file does not have */
function mappingOf(map: readonly string[], { csv }: ReadFile['file'], type: RecordType): Mapping {
  const targets = new Map<number, Target>()
  const answers = map.map((text) => {
    const at = text.lastIndexOf('=')
    if (at < 1) throw usageError(`--map “${text}”: write “column=field”, or “column=” to leave the column out.`)
    return { header: text.slice(0, at).trim(), target: targetOf(text.slice(at + 1), type) }
  })
  // `*` first, because the names of columns count more.
  for (const { header, target } of answers.toSorted(
    (a, b) => Number(b.header === OTHER_COLUMNS) - Number(a.header === OTHER_COLUMNS),
  )) {
    const columns = csv.fileColumns.filter((column) =>
      header === OTHER_COLUMNS ? isOpen(column) : normalizedHeader(column.header) === normalizedHeader(header),
    )
    if (columns.length === 0 && header !== OTHER_COLUMNS) {
      throw usageError(`--map: the file has no column “${header}”.\nIt has ${csv.header.join(', ')}.`)
    }
    for (const { position } of columns) targets.set(position, target)
  }
  return targets
}

/** The sheet that is meant; undefined for text. @throws CliError 3 when there are several and none is named */
function sheetOf(file: OpenedFile, { sheet }: ReadingOptions): string | undefined {
  if (!('sheets' in file)) {
    if (sheet !== undefined) throw usageError(`--sheet is for workbooks, and ${file.name} is none.`)
    return undefined
  }
  const names = file.sheets.map(({ name }) => name)
  const list = names.map((name) => `“${name}”`).join(', ')
  if (sheet !== undefined && !names.includes(sheet)) {
    throw usageError(`The workbook has no sheet “${sheet}” with data. It has ${list}.`)
  }
  if (sheet === undefined && names.length > 1) {
    throw invalid(`The workbook has several sheets: ${list}. Say which one with --sheet.`)
  }
  return sheet ?? names[0]
}

/** What is written of the cells of a question; undefined if the options do not say it. */
function choiceFor({ doubt, examples }: CellQuestion, options: ReadingOptions): CellChoice | undefined {
  const { cells, blankActive, nullMarkers, lists, brokenText } = options
  if (doubt === 'blank') return blankActive
  if (doubt === 'placeholder') return nullMarkers === 'keep' ? 'shown' : nullMarkers
  if (doubt === 'joined') return lists && (lists === 'split' ? 'stored' : 'shown')
  if (doubt === 'broken') return brokenText && (brokenText === 'repair' ? 'stored' : 'shown')
  const isStored = examples.some(({ stored }) => stored !== '')
  return cells === 'stored' && !isStored ? undefined : cells
}

/** What the values of columns mean that say whether records are active, by the positions of the columns. */
function meaningsOf({ active }: ReadingOptions, { csv }: ReadFile['file']): ColumnMeanings | undefined {
  if (active === undefined) return undefined
  const keys = new Set(active.map(valueKey))
  return new Map(
    csv.fileColumns.flatMap(({ position, field, states }) => {
      if (field?.name !== 'is_active' || states === undefined) return []
      const meanings = states.map(({ value }) => [valueKey(value), keys.has(valueKey(value)) ? 'yes' : 'no'] as const)
      return [[position, Object.fromEntries(meanings)] as const]
    }),
  )
}

/** Opens a file and reads its rows. @throws CliError when it cannot be used, or when a question about it is open */
async function readRows(file: File, type: RecordType, options: ReadingOptions): Promise<ReadFile> {
  const openedFile = await openFile(file).catch((error: unknown) => {
    throw invalid(asError(error).message)
  })
  const { map, encoding, totals, hiddenRows, typeIsRight } = options
  const answers: Reading = {
    sheet: sheetOf(openedFile, options),
    totals: totals === 'leave-out' ? 'leave out' : totals,
    hiddenRows: hiddenRows === 'leave-out' ? 'leave out' : hiddenRows,
    encoding,
  }
  const readFile = (more: Reading = {}) => {
    try {
      return readOpenedFile(openedFile, type, { ...answers, ...more })
    } catch (error) {
      throw invalid(asError(error).message)
    }
  }
  // The names of its columns are needed first.
  const mapping = map === undefined ? undefined : mappingOf(map, readFile().file, type)
  const meanings = meaningsOf(options, readFile({ mapping }).file)
  const firstReading = readFile({ mapping, meanings })
  const choices = new Map(
    firstReading.file.questions.flatMap((one) => {
      const choice = choiceFor(one, options)
      return choice === undefined ? [] : [[one.key, choice] as const]
    }),
  )
  const answeredFile = choices.size === 0 ? firstReading : readFile({ mapping, meanings, choices })
  const question = openQuestion(answeredFile, typeIsRight ? undefined : type)
  if (question !== undefined) throw invalid(question)
  return answeredFile
}

/** The last characters of a text whose last line has no end. */
const OPEN_END = /([^\r\n]{1,40})$/

/** Reads a file. @throws CliError 3 when it cannot be used, or when a question about it is open */
export async function readTable(file: File, type: RecordType, options: ReadingOptions): Promise<TableFile> {
  const { file: summary, table, bytes } = await readRows(file, type, options)
  const { records: rows, sheet } = summary
  const openEnd = sheet === undefined ? OPEN_END.exec(table.csv.text)?.[1] : undefined
  return { name: file.name, rows, parts: partsOf(table, bytes), table, sheet, openEnd }
}

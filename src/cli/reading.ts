import type { CellChoice, CellQuestion } from '#files/cells/cell-questions'
import { checkTable } from '#files/check/check-table'
import { type RowError, rowErrors } from '#files/check/row-errors'
import { asksEncoding, asksHeader, asksHiddenRows, asksTotals, openQuestions, type Reading } from '#files/chosen-file'
import { type FileColumn, isDoubtful, type Mapping, type Target } from '#files/columns/columns'
import { fitOf } from '#files/columns/table-fit'
import { fileWithErrors } from '#files/fix/errors-file'
import type { Table } from '#files/fix/table'
import { openFile, type ReadFile, readOpenedFile } from '#files/open-file'
import { type Part, partsOf } from '#files/parts'
import { ENCODINGS, type Encoding } from '#files/text/encodings'
import { asError } from '#shared/errors/errors'
import { normalizedHeader } from '#shared/records/csv/header'
import { fieldNamed, type RecordType } from '#shared/records/record-type'
import { counted } from '#shared/records/warnings'
import { CliError, EXIT, isSystemError, usageError } from './exits'
import { writeWhole } from './files'

/** Answers to the questions that the console asks about a file. */
export interface ReadingOptions {
  /** Which sheet of a workbook is meant. */
  sheet?: string
  /** What is written of doubtful cells: what they show, what they store, or nothing. */
  cells?: 'shown' | 'stored' | 'empty'
  /** Whether records are in use whose cell for that is blank. */
  blankActive?: 'yes' | 'no'
  /** What becomes of rows that are probably no records. */
  totals?: 'keep' | 'leave-out'
  /** What becomes of rows that the spreadsheet hides. */
  hiddenRows?: 'read' | 'leave-out'
  /** The encoding of a file of text that does not say it. */
  encoding?: Encoding
  /** Columns and their fields: `Drug=name`; `Notes=` leaves a column out, `*=` all that are not clear. */
  map?: readonly string[]
  /** The file is of the type that was named, whatever it looks like. */
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
}

const question = (message: string, details: Readonly<Record<string, unknown>> = {}): CliError =>
  new CliError(EXIT.invalid, message, details)

/**
 * `field`, `!field` for a column that says the opposite, `field unit` for numbers without their unit; nothing leaves
 * it out.
 */
const TARGET = /^(!?)([a-z0-9_]*)(?: +(\S.*))?$/

/** Every column whose header does not say what it is. */
const OTHER_COLUMNS = '*'

/** @throws CliError 2 for a field that the type does not have */
function targetOf(text: string, type: RecordType): Target {
  const [, not, field = '', unit] = TARGET.exec(text.trim()) ?? []
  if (field === '' && text.trim() === '') return { field: null }
  if (fieldNamed(type, field) === undefined) {
    const names = type.fields.map(({ name }) => name).join(', ')
    throw usageError(`--map: there is no field “${text}”. The fields are ${names}.`)
  }
  return { field, ...(not === '!' && { reversed: true }), ...(unit !== undefined && { unit }) }
}

/** How `--map` says where a column goes. */
const answerFor = ({ header, field, reversed, unit }: FileColumn): string =>
  `--map "${header}=${reversed ? '!' : ''}${field?.name ?? ''}${unit === undefined ? '' : ` ${unit}`}"`

/** A column that nobody has decided about, although its header does not say what it is. */
const isOpen = (column: FileColumn): boolean => column.by !== 'chosen' && isDoubtful(column)

/** Where columns go, by their positions. @throws CliError 2 for a column that the file does not have */
function mappingOf(map: readonly string[], { csv }: ReadFile['file'], type: RecordType): Mapping {
  const targets = new Map<number, Target>()
  const answers = map.map((text) => {
    const at = text.lastIndexOf('=')
    if (at < 1) throw usageError(`--map “${text}”: write “column=field”, or “column=” to leave the column out.`)
    return { header: text.slice(0, at).trim(), target: targetOf(text.slice(at + 1), type) }
  })
  // The names of columns count before what is said of all others.
  for (const { header, target } of answers.toSorted(
    (a, b) => Number(b.header === OTHER_COLUMNS) - Number(a.header === OTHER_COLUMNS),
  )) {
    const meant = csv.fileColumns.filter((column) =>
      header === OTHER_COLUMNS ? isOpen(column) : normalizedHeader(column.header) === normalizedHeader(header),
    )
    if (meant.length === 0 && header !== OTHER_COLUMNS) {
      throw usageError(`--map: the file has no column “${header}”. It has ${csv.header.join(', ')}.`)
    }
    for (const { position } of meant) targets.set(position, target)
  }
  return targets
}

/** The sheet that is meant. @throws CliError 3 when there are several and none is named */
function sheetOf(names: readonly string[], { sheet }: ReadingOptions): string | undefined {
  const list = names.map((name) => `“${name}”`).join(', ')
  if (sheet !== undefined && !names.includes(sheet)) {
    throw usageError(`The workbook has no sheet “${sheet}” with data. It has ${list}.`)
  }
  if (sheet === undefined && names.length > 1) {
    throw question(`The workbook has several sheets: ${list}. Say which one with --sheet.`, { sheets: names })
  }
  return sheet ?? names[0]
}

/** @throws CliError 3 for a column whose header does not say what it is */
function requireClearColumns({ file: { csv } }: ReadFile): void {
  if (!csv.hasHeader)
    throw question('No row of the file names the columns. Put a row with their names above the others.')
  const open = csv.fileColumns.filter(isOpen)
  if (open.length === 0) return
  throw question(
    `It is not clear what some columns are. Decide about each: ${open.map(answerFor).join(' ')}. Without ` +
      'a field a column is left out; --map "*=" leaves out all of them.',
    { columns: open.map(({ header, field }) => ({ header, guess: field?.name ?? null })) },
  )
}

/** @throws CliError 3 for a text whose encoding is not clear */
function requireClearText({ file }: ReadFile): void {
  if (asksEncoding(file))
    throw question(
      `The file is not UTF-8. Save it as “CSV UTF-8”, or name its encoding with --encoding: ${ENCODINGS.join(', ')}.`,
      { encodings: ENCODINGS },
    )
  if (!asksHeader(file)) return
  const rows = file.csv.rowsAbove.map(({ row }) => row)
  throw question(
    `No record may stand above the names of the columns: row ${rows.join(', ')} looks like one. Put a row ` +
      'with the names of the fields above all records.',
    { rows },
  )
}

/** @throws CliError 3 for rows that the spreadsheet hides */
function requireClearRows({ file }: ReadFile): void {
  if (!asksHiddenRows(file)) return
  throw question(
    `${counted(file.hiddenRows, 'row')} of the spreadsheet are hidden. Say with --hidden-rows leave-out ` +
      'or --hidden-rows read what becomes of them.',
    { hidden: file.hiddenRows },
  )
}

/** @throws CliError 3 for rows that are probably no records */
function requireClearTotals({ file }: ReadFile): void {
  if (!asksTotals(file)) return
  const rows = file.csv.totals.map(({ row, cells }) => `row ${row} (${cells.join(' ')})`)
  throw question(
    `Some rows are probably no records: ${rows.join(', ')}. Say with --totals leave-out or --totals keep ` +
      'what becomes of them.',
    { totals: file.csv.totals.map(({ row }) => row) },
  )
}

/** @throws CliError 3 for doubtful cells */
function requireClearCells({ file }: ReadFile): void {
  const open = openQuestions(file)
  if (open.length === 0) return
  const blank = open.find(({ doubt }) => doubt === 'blank')
  if (blank !== undefined)
    throw question(
      `${counted(blank.count, 'row')} do not say whether they are in use, such as row ` +
        `${blank.examples[0]?.row}. Say it with --blank-active yes or --blank-active no.`,
      { fields: [blank.field] },
    )
  const examples = open.map(({ field, count, examples: [first] }) => {
    const stored = first?.stored ? `, which holds “${first.stored}”` : ''
    return `${field}: ${counted(count, 'cell')}, such as “${first?.shown}” in row ${first?.row}${stored}`
  })
  throw question(
    'Some cells are doubtful. Say what is written with --cells shown, --cells stored or --cells empty, or ' +
      `correct them in the file. ${examples.join('; ')}.`,
    { fields: open.map(({ field }) => field) },
  )
}

/** What is written of the cells of a question; undefined if the options do not say it. */
function choiceFor({ doubt, examples }: CellQuestion, { cells, blankActive }: ReadingOptions): CellChoice | undefined {
  if (doubt === 'blank') return blankActive
  const isStored = examples.some(({ stored }) => stored !== '')
  return cells === 'stored' && !isStored ? undefined : cells
}

/** @throws CliError 3 for a file that looks like one of another catalog */
function requireRightType({ table }: ReadFile, type: RecordType): void {
  const { better } = fitOf(table, type)
  if (better === undefined) return
  throw question(
    `The file looks like one of the catalog ${better.type}, not ${type.name}. If it is right, say so with ` +
      '--type-is-right.',
    { looks_like: better.type },
  )
}

/** Opens a file and reads its rows. @throws CliError when it cannot be used, or when a question about it is open */
async function readRows(file: File, type: RecordType, options: ReadingOptions): Promise<ReadFile> {
  const opened = await openFile(file).catch((error: unknown) => {
    throw question(asError(error).message)
  })
  if (!('sheets' in opened) && options.sheet !== undefined)
    throw usageError(`--sheet is for workbooks, and ${file.name} is none.`)
  const sheet =
    'sheets' in opened
      ? sheetOf(
          opened.sheets.map(({ name }) => name),
          options,
        )
      : undefined
  const read = (reading: Reading) => {
    try {
      return readOpenedFile(opened, type, reading)
    } catch (error) {
      throw question(asError(error).message)
    }
  }
  const totals = options.totals === 'leave-out' ? 'leave out' : options.totals
  const hiddenRows = options.hiddenRows === 'leave-out' ? 'leave out' : options.hiddenRows
  const { map, encoding } = options
  const said: Reading = { sheet, totals, hiddenRows, encoding }
  // The names of its columns are needed first.
  const mapping = map === undefined ? undefined : mappingOf(map, read(said).file, type)
  const asked = read({ ...said, mapping })
  // First: nothing else of a file counts if it is of another catalog.
  if (!options.typeIsRight) requireRightType(asked, type)
  requireClearText(asked)
  requireClearColumns(asked)
  requireClearTotals(asked)
  requireClearRows(asked)
  const choices = new Map(
    asked.file.questions.flatMap((one) => {
      const choice = choiceFor(one, options)
      return choice === undefined ? [] : [[one.key, choice] as const]
    }),
  )
  const answered = choices.size === 0 ? asked : read({ ...said, mapping, choices })
  requireClearCells(answered)
  return answered
}

/** An error as it is printed: place, field, reason, value. */
const errorLine = ({ row, field, message, value }: RowError): string => {
  const place = row === null ? 'file' : `row ${row}`
  const shown = value === null || value === undefined ? '' : `  ${JSON.stringify(value)}`
  return `${place}  ${field ?? ''}  ${message}${shown}`
}

/** The end of a command whose file has errors; each of them is in the message. */
function invalidFile(name: string, errors: readonly RowError[], where: string, marked?: string): CliError {
  const rows = new Set(errors.map(({ row }) => row)).size
  return new CliError(
    EXIT.invalid,
    `${name} has ${counted(errors.length, 'error')} in ${counted(rows, 'row')}. Nothing was written.` +
      `${where}\n${errors.map(errorLine).join('\n')}`,
    {
      file: name,
      errors: errors.map(({ row, field, code, message, value }) => ({ row, field, code, message, value })),
      ...(marked !== undefined && { marked }),
    },
  )
}

/** Reads a file. @throws CliError 3 when it cannot be used, or when a question about it is open */
export async function readTable(file: File, type: RecordType, options: ReadingOptions): Promise<TableFile> {
  const { file: chosen, table, bytes } = await readRows(file, type, options)
  const { records: rows, sheet } = chosen
  return { name: file.name, rows, parts: partsOf(table, bytes), table, sheet }
}

/**
 * Checks all rows by the rules of the service.
 *
 * @param marked where the file goes with a column of errors, if it has some
 * @throws CliError 3 when it has errors
 */
export async function requireValid(
  { name, table, sheet = 'Sheet1' }: TableFile,
  type: RecordType,
  { errors: marked }: { errors?: string },
): Promise<void> {
  const errors = rowErrors(checkTable(table, type, false), table.csv)
  if (errors.length === 0) return
  if (marked === undefined) throw invalidFile(name, errors, '')
  const isWorkbook = marked.toLowerCase().endsWith('.xlsx')
  const given = await fileWithErrors({
    name,
    table,
    sheet: isWorkbook ? sheet : undefined,
    errors,
    onlyFailing: false,
  })
  try {
    await writeWhole(marked, new Uint8Array(await given.content.arrayBuffer()))
  } catch (error) {
    // The errors are worth more than the file with them.
    if (!isSystemError(error)) throw error
    throw invalidFile(name, errors, ` The file with a column of them could not be written: ${error.message}`)
  }
  throw invalidFile(name, errors, ` ${marked} is the file with a column of them.`, marked)
}

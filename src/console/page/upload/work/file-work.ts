import type { FieldError } from '#errors/errors'
import { atOnce } from '#json/steps'
import { HeaderNames } from '#records/csv/header'
import { readCells } from '#records/csv/read'
import { RecordReader } from '#records/reader'
import type { RecordType, RecordTypeName } from '#records/record-type'
import { recordTypes } from '#records/record-types'
import { groupBy } from '../../group-by'
import type { GivenFile } from '../../save-file'
import { contentFit } from '../catalog-fit'
import type { ChosenFile } from '../chosen-file'
import { fileWithErrors } from '../errors-file'
import { firstOf } from '../read-file'
import { type ErrorSummary, errorValue, groupKey, type RowError, rowErrors, summaryOf } from '../row-errors'
import { idsOfExport, type SimilarId, similarIds } from '../similar-ids'
import type { Changes } from '../stage'
import { type OpenedFile, openFile, type ReadFile, type Reading, readOpenedFile } from './open-file'
import { type Part, partsOf } from './parts'
import type { CellEdit, Table, TableColumn } from './table'

/** Some of the errors: of a group, with a value. All if nothing is named. */
export interface ErrorChoice {
  group?: string | undefined
  value?: string | undefined
  /** Occurs in the row's number, the field, the message or the value. */
  text?: string | undefined
}

/** A row that can be edited. */
export interface EditableRow {
  /** Place below the header row, from 1. */
  index: number
  /** Number, as a spreadsheet program shows it. */
  row: number
  cells: readonly string[]
  /** What is wrong, by the place of the column; -1 for the row as a whole. */
  errors: ReadonlyMap<number, string>
  isEdited: boolean
}

/** Rows by whose values a file is told from those of other catalogs. */
const SAMPLE_ROWS = 200

/** Ids of a file that are looked up in the catalogs. */
const LOOKED_UP_IDS = 20

/** Some different values, evenly from all. */
function sampleOf(values: Iterable<string>, count: number, wanted: number): string[] {
  const step = Math.max(1, Math.floor(count / wanted))
  const sample = new Set<string>()
  let index = 0
  for (const value of values) if (value !== '' && index++ % step === 0) sample.add(value)
  return [...sample].slice(0, wanted)
}

/** A file with more rows than one request takes is sent in parts. */
const NO_LIMITS = { withData: Number.POSITIVE_INFINITY, lines: Number.POSITIVE_INFINITY }

/** All errors of a table by the rules of the service, however many rows it has. */
function errorsIn(table: Table, type: RecordType): FieldError[] {
  const { rows, ...document } = atOnce(
    readCells(() => table.sentRows(), type, new HeaderNames(type), table.csv.separator, NO_LIMITS),
  )
  const reader = new RecordReader(type, { format: 'csv', records: rows, ...document })
  const errors: FieldError[] = []
  for (const found of reader.read()) if (Array.isArray(found)) errors.push(...found)
  return errors
}

/** An error that is about no single cell. */
export const WHOLE_ROW = -1

/**
 * The work on a file that goes through all of its rows: reading, checking, changing, writing it again. It runs in a worker,
 * so that the page never waits for it, and knows nothing of the page.
 */
export class FileWork {
  #opened: OpenedFile | undefined
  #read: ReadFile | undefined
  #type: RecordType = recordTypes.medication
  #errors: readonly RowError[] = []
  #undo: (() => void)[] = []

  /** @returns the names of the sheets of a workbook @throws Error whose message says why the file cannot be used */
  async open(file: File): Promise<readonly string[] | undefined> {
    this.#opened = await openFile(file)
    return 'sheets' in this.#opened ? this.#opened.sheets.map(({ name }) => name) : undefined
  }

  /**
   * Reads the opened file, or once more in another way, with what was changed of its rows.
   *
   * @throws Error whose message says why it cannot be used
   */
  read(type: RecordTypeName, reading: Reading): ChosenFile {
    this.#type = recordTypes[type]
    this.#errors = []
    this.#undo = []
    const earlier = this.#read
    this.#read = readOpenedFile(this.#opened!, this.#type, reading)
    const { file, table } = this.#read
    const isSame =
      earlier?.file.sheet?.name === file.sheet?.name && earlier?.file.csv.headerRow === file.csv.headerRow
    if (earlier !== undefined && isSame) table.takeChangesOf(earlier.table)
    return file
  }

  /** Which catalog the file fits; if that is not clear, some of its ids too, by which the catalogs may know it. */
  fit(): ReturnType<typeof contentFit> & { ids: string[] } {
    const [, ...rows] = firstOf(this.#table.rows(), SAMPLE_ROWS + 1)
    const { csv } = this.#table
    const fit = contentFit(csv.sentHeader, rows, this.#type)
    if (fit.better !== undefined || fit.isClear) return { ...fit, ids: [] }
    return { ...fit, ids: sampleOf(this.#ids(), csv.rows, LOOKED_UP_IDS) }
  }

  /** Checks all rows by the rules of the service. */
  check(): ErrorSummary {
    return this.takeErrors(errorsIn(this.#table, this.#type))
  }

  /** Takes the errors that were found in the file, or by the service in one part of it. */
  takeErrors(errors: readonly FieldError[], offset = 0): ErrorSummary {
    this.#errors = rowErrors(errors, this.#table.csv, offset)
    return summaryOf(this.#errors)
  }

  /** The file as it is sent. */
  parts(): Part[] {
    return partsOf(this.#table, this.#read!.bytes)
  }

  columns(): TableColumn[] {
    return this.#table.columns
  }

  /** The places of the rows with some errors, in order. */
  failing(choice: ErrorChoice): Uint32Array {
    const found = new Set(this.#chosen(choice).flatMap(({ index }) => index ?? []))
    return Uint32Array.from(found).sort()
  }

  rows(indexes: readonly number[]): EditableRow[] {
    const wanted = new Set(indexes)
    const errors = new Map<number, Map<number, string>>()
    for (const { index, field, message } of this.#errors) {
      if (index === null || !wanted.has(index)) continue
      const column = field === null ? WHOLE_ROW : (this.#table.columnOf(field) ?? WHOLE_ROW)
      const text = column === WHOLE_ROW && field !== null ? `${field} ${message}` : message
      errors.set(index, (errors.get(index) ?? new Map()).set(column, text))
    }
    const table = this.#table
    const rows: EditableRow[] = []
    let index = 0
    for (const cells of table.rows()) {
      if (wanted.has(index)) {
        const row = index + table.csv.headerRow
        rows.push({
          index,
          row,
          cells,
          errors: errors.get(index) ?? new Map(),
          isEdited: table.isEdited(index),
        })
      }
      if (rows.length === wanted.size) break
      index++
    }
    return rows
  }

  edit(edits: readonly CellEdit[]): ErrorSummary {
    this.#undo.push(this.#table.edit(edits))
    return this.check()
  }

  /** Gives all rows with some errors of one field the same value; a file without that column gets one. */
  setAll(choice: ErrorChoice, field: string, text: string): ErrorSummary {
    const table = this.#table
    const known = table.columnOf(field)
    if (known === undefined) {
      const ofFile = this.#chosen(choice).some(({ index }) => index === null)
      const { column, undo } = table.addColumn(field, ofFile ? text : '')
      const back = table.edit(this.#editsFor(choice, column, text))
      this.#undo.push(() => {
        back()
        undo()
      })
    } else this.#undo.push(table.edit(this.#editsFor(choice, known, text)))
    return this.check()
  }

  leaveOut(choice: ErrorChoice): ErrorSummary {
    const errors = groupBy(this.#errors, ({ index }) => index)
    this.#undo.push(this.#table.leaveOut(Array.from(this.failing(choice), (row) => [row, errors.get(row)!])))
    return this.check()
  }

  undo(): ErrorSummary {
    this.#undo.pop()?.()
    return this.check()
  }

  /** What was changed: changes that can be taken back, and rows that are left out. */
  changes(): Changes {
    return { count: this.#undo.length, leftOut: this.#table.leftOut.size }
  }

  takeBackRows(): void {
    this.#table.takeBackRows()
  }

  /** The file with what is wrong with each row, or only the rows that are left out or have errors. */
  errorsFile(onlyFailing: boolean): Promise<GivenFile> {
    const { file, table } = this.#read!
    const errors = [...table.leftOut.values()].flat().concat(this.#errors)
    return fileWithErrors({ name: file.name, table, sheet: file.sheet?.name, errors, onlyFailing })
  }

  /** Some of the errors as spreadsheet programs take them from the clipboard. */
  errorList(choice: ErrorChoice): string {
    const errors = this.#chosen(choice).map((error) => [
      error.row ?? '',
      error.field ?? '',
      error.message,
      errorValue(error),
    ])
    return [['Row', 'Field', 'Reason', 'Value'], ...errors]
      .map((cells) => cells.map((cell) => String(cell).replace(/[\t\r\n]+/g, ' ')).join('\t'))
      .join('\n')
  }

  /** The ids of the file that resemble ids of the catalog. @param catalog its export as CSV */
  async compareIds(catalog: Blob): Promise<SimilarId[]> {
    return similarIds(this.#ids(), idsOfExport(await catalog.text()))
  }

  get #table() {
    return this.#read!.table
  }

  /** The ids that are written. */
  #ids(): Generator<string> {
    return this.#table.valuesOf(this.#type.idField)
  }

  #editsFor(choice: ErrorChoice, column: number, text: string): CellEdit[] {
    return Array.from(this.failing(choice), (index) => ({ index, column, text }))
  }

  #chosen({ group, value, text = '' }: ErrorChoice): RowError[] {
    const wanted = text.trim().toLowerCase()
    return this.#errors.filter((error) => {
      if (group !== undefined && groupKey(error) !== group) return false
      if (value !== undefined && errorValue(error) !== value) return false
      const { row, field, message } = error
      const all = `${row ?? ''}\n${field ?? ''}\n${message}\n${errorValue(error)}`
      return wanted === '' || all.toLowerCase().includes(wanted)
    })
  }
}

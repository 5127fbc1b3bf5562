import { checkTable } from '#files/check/check-table'
import { chosenErrors, type ErrorChoice, failingRows } from '#files/check/error-choice'
import { type NumericId, numericIds } from '#files/check/numeric-ids'
import { valueError } from '#files/check/row-check'
import { errorValue, type RowError, rowErrors, summaryOf } from '#files/check/row-errors'
import {
  type RenamedExample,
  type RenamedId,
  renamedIds,
  type SimilarExample,
  type SimilarId,
  similarIds,
} from '#files/check/similar-ids'
import { fitOf } from '#files/columns/table-fit'
import { ChangeHistory } from '#files/fix/change-history'
import { type EditableRow, editableRows, rowsWithIds } from '#files/fix/editable-rows'
import { fileWithErrors, type OutputFile } from '#files/fix/errors-file'
import { applyPattern, effectOf, type Pattern, type PatternEffect } from '#files/fix/patterns'
import type { CellEdit, Table, TableColumn } from '#files/fix/table'
import { namesWith, replacements, rowsOfValues } from '#files/fix/values'
import { asError, type FieldError } from '#shared/errors/errors'
import { fieldNamed, type RecordType, type RecordTypeName } from '#shared/records/record-type'
import { recordTypes } from '#shared/records/record-types'
import { gzip } from '#shared/text/gzip'
import type { Reading } from './file-summary'
import type { FileReading, Findings, Opening } from './findings'
import { type OpenedFile, openFile, type ReadFile, readOpenedFile } from './open-file'
import { type Part, partsOf } from './parts'
import { earlierSheet, isEarlierSheet, type ValueFix } from './saved-answers'
import { bestOf, rateSheets, type SheetFit } from './workbook/sheet-fit'

/**
 * Everything that goes through all rows of a file: reading, checking, changing, writing it again. The page runs it in a
 * worker, so that the page always reacts. It knows nothing of a page.
 */
export class FileWork {
  #opened: OpenedFile | undefined
  #read: ReadFile | undefined
  /** The sheet that fits best; several if they fit equally well, none for a file of text. */
  #bestSheets: readonly SheetFit[] = []
  #type: RecordType = recordTypes.medication
  #errors: readonly RowError[] = []
  #keepsMissing = false
  readonly #history = new ChangeHistory()

  /**
   * Opens a file, and reads it: of a workbook the sheet that fits best.
   *
   * @throws Error whose message says why it cannot be opened
   */
  async open(file: File, type: RecordTypeName, reading: Reading): Promise<Opening> {
    this.#read = undefined
    this.#opened = await openFile(file)
    const all = 'sheets' in this.#opened ? rateSheets(this.#opened.sheets, recordTypes[type]) : []
    this.#bestSheets = bestOf(all)
    const best = earlierSheet(reading.memory, this.#bestSheets) ?? this.#bestSheets[0]
    const sheets = best && { all, chosen: best.name }
    try {
      return { sheets, ...this.read(type, { ...reading, sheet: best?.name }) }
    } catch (error) {
      return { sheets, fault: asError(error).message }
    }
  }

  /**
   * Reads the opened file again with other answers. Changes of its rows stay.
   *
   * @throws Error whose message says why it cannot be used
   */
  read(type: RecordTypeName, reading: Reading): FileReading {
    if (this.#opened === undefined) throw new Error('No file is open.')
    this.#type = recordTypes[type]
    this.#errors = []
    const earlier = this.#read
    this.#read = readOpenedFile(this.#opened, this.#type, reading)
    const { file, table } = this.#read
    const isSame = earlier?.file.sheet === file.sheet && earlier?.file.csv.headerRow === file.csv.headerRow
    if (earlier !== undefined && isSame) table.takeChangesOf(earlier.table)
    this.#history.begin(earlier !== undefined && isSame)
    if (this.#bestSheets.length > 1 && !reading.isSheetRight && !isEarlierSheet(reading.memory, file))
      return { file: { ...file, equalSheets: this.#bestSheets }, ids: [] }
    if (file.answers.isOfType) return { file, ids: [] }
    const { better, ids } = fitOf(table, this.#type)
    return { file: better === undefined ? file : { ...file, better }, ids }
  }

  /** Checks all rows by the rules of the service. @param keepsMissing whether a field may have no column */
  check(keepsMissing = this.#keepsMissing): Findings {
    this.#keepsMissing = keepsMissing
    return this.takeErrors(checkTable(this.#table, this.#type, keepsMissing))
  }

  /** Takes the errors that the page or the service has found. @param offset of the part in which they are */
  takeErrors(errors: readonly FieldError[], offset = 0): Findings {
    this.#errors = rowErrors(errors, this.#table.csv, offset)
    const changes = { count: this.#history.count, leftOut: this.#table.leftOut.size }
    return { ...summaryOf(this.#errors), changes }
  }

  /**
   * The file as it is sent, its parts compressed by gzip: clinics have slow lines, and a table shrinks to a fifth or
   * less.
   *
   * @param edits changes of cells to make first
   */
  parts(edits: readonly CellEdit[] = []): Promise<Part[]> {
    if (edits.length > 0) this.#history.add(this.#table.edit(edits))
    const parts = partsOf(this.#table, this.#current.bytes)
    return Promise.all(parts.map(async (part) => ({ ...part, content: await gzip(part.content) })))
  }

  /** All columns, those that are read first. */
  columns(): TableColumn[] {
    return this.#table.columns
  }

  /** The places of the rows with some errors, in order. */
  failing(choice: ErrorChoice): Uint32Array {
    return failingRows(this.#chosen(choice))
  }

  /** Some rows with their errors. @param indexes their places */
  rows(indexes: readonly number[]): EditableRow[] {
    return editableRows(this.#table, this.#errors, indexes)
  }

  /** Changes cells, and checks all rows. */
  edit(edits: readonly CellEdit[]): Findings {
    this.#history.add(this.#table.edit(edits))
    return this.check()
  }

  /** Gives all rows with some errors of one field the same value; a file without that column gets one. */
  setAll(choice: ErrorChoice, field: string, text: string): Findings {
    const errors = this.#chosen(choice)
    const isOfFile = errors.some(({ index }) => index === null)
    const fix = { field, values: new Set(errors.map(errorValue)), text }
    this.#history.add(this.#table.setField(field, [...this.failing(choice)], text, isOfFile ? text : ''), [fix])
    return this.check()
  }

  /** The values that the person has replaced everywhere. */
  fixes(): readonly ValueFix[] {
    return this.#history.fixes
  }

  /** What a pattern would do to the values of the rows with some errors. */
  effectOf(choice: ErrorChoice, field: string, pattern: Pattern): PatternEffect {
    return effectOf(
      this.#cells(choice, field).map(({ text }) => [text, applyPattern(pattern, text)]),
      (text) => this.#takes(field, text),
    )
  }

  /** What the names would be if the values of some rows were kept in them. */
  effectOfMoving(choice: ErrorChoice, field: string): PatternEffect {
    return effectOf(
      this.#namesWith(choice, field).map(({ before, name }) => [before, name.text]),
      (text) => this.#takes('name', text),
    )
  }

  /** Keeps the values of the rows with some errors in their names, if those take them, and empties the field. */
  moveToName(choice: ErrorChoice, field: string): Findings {
    const moved = this.#namesWith(choice, field).filter(({ name }) => this.#takes('name', name.text))
    return this.edit(moved.flatMap(({ name, cell }) => [name, { ...cell, text: '' }]))
  }

  #takes(name: string, text: string): boolean {
    const field = fieldNamed(this.#type, name)
    return field !== undefined && valueError(this.#type, field, text) === undefined
  }

  #namesWith(choice: ErrorChoice, field: string) {
    return namesWith(this.#cells(choice, 'name'), this.#cells(choice, field))
  }

  /** Changes the values of the rows with some errors by a pattern. */
  change(choice: ErrorChoice, field: string, pattern: Pattern): Findings {
    const cells = this.#cells(choice, field)
    return this.edit(cells.map((cell) => ({ ...cell, text: applyPattern(pattern, cell.text) })))
  }

  /** Leaves out the rows with some errors. */
  leaveOut(choice: ErrorChoice): Findings {
    const errors = Map.groupBy(this.#errors, ({ index }) => index)
    const rows = Array.from(this.failing(choice), (row) => [row, errors.get(row) ?? []] as const)
    this.#history.addLeftOut(this.#table.leaveOut(rows))
    return this.check()
  }

  /** Undoes the last change. */
  undo(): Findings {
    this.#history.undo()
    return this.check()
  }

  /** Takes back all rows that were left out; there is nothing left of that to undo. */
  takeBackRows(): void {
    this.#table.takeBackRows()
    this.#history.forgetLeftOut()
  }

  /** The file with what is wrong with each row, or only the rows that are left out or have errors. */
  errorsFile({ onlyFailing }: { onlyFailing: boolean }): Promise<OutputFile> {
    const { file, table } = this.#current
    const errors = [...table.leftOut.values()].flat().concat(this.#errors)
    return fileWithErrors({ name: file.name, table, sheet: file.sheet, errors, onlyFailing })
  }

  /** Rows whose ids are numbers that may have lost zeros in front. */
  numericIds(): NumericId[] {
    return numericIds(this.#table, this.#type)
  }

  /** The rows whose ids resemble others. @param examples as the service names them */
  similarIds(examples: readonly SimilarExample[]): SimilarId[] {
    return similarIds(this.#table, this.#type, examples)
  }

  /** The rows whose ids get quite another name. @param examples as the service names them */
  renamedIds(examples: readonly RenamedExample[]): RenamedId[] {
    return renamedIds(this.#table, this.#type, examples)
  }

  /** The first rows in which a field has one of some values, with their names, by the value. */
  rowsOfValues(field: string, values: readonly string[]) {
    return rowsOfValues(this.#table, this.#columnOf(field), values)
  }

  /** Replaces values of a field in all rows. @param texts the new ones, by those that they replace */
  replaceValues(field: string, texts: ReadonlyMap<string, string>): Findings {
    const fixes = Array.from(texts, ([value, text]) => ({ field, values: new Set([value]), text }))
    this.#history.add(this.#table.edit(replacements(this.#table, this.#columnOf(field), texts)), fixes)
    return this.check()
  }

  /** Replaces ids by those that they resemble. */
  correctIds(alike: readonly SimilarId[]): Findings {
    const column = this.#columnOf(this.#type.idField)
    return this.edit(alike.map(({ index, similarTo }) => ({ index, column, text: similarTo })))
  }

  /** Leaves out rows that repeat the record of another row. @param indexes their places */
  leaveOutRows(indexes: readonly number[]): Findings {
    this.#history.addLeftOut(this.#table.leaveOut(indexes.map((index) => [index, []])))
    return this.check()
  }

  /**
   * The ids whose rows do not say whether the record is active: a write would bring these records back although nobody
   * has asked for it.
   *
   * @param ids of inactive records of the catalog
   */
  impliedReactivationsIn(ids: readonly string[]): string[] {
    const rows = rowsWithIds(this.#table, this.#type, ids)
    const silentIds = new Set(rows.flatMap(({ id, activity }) => (activity === '' ? [id] : [])))
    return ids.filter((id) => silentIds.has(id))
  }

  /** Writes into the rows of some records that they are inactive. A file without that column gets one. */
  leaveInactive(ids: readonly string[]): Findings {
    const rows = rowsWithIds(this.#table, this.#type, ids).map(({ index }) => index)
    this.#history.add(this.#table.setField('is_active', rows, 'no'))
    return this.check()
  }

  get #current(): ReadFile {
    if (this.#read === undefined) throw new Error('No file has been read.')
    return this.#read
  }

  get #table(): Table {
    return this.#current.table
  }

  #cells(choice: ErrorChoice, field: string): CellEdit[] {
    return this.#table.cellsOf(this.#columnOf(field), new Set(this.failing(choice)))
  }

  #columnOf(field: string): number {
    const column = this.#table.columnOf(field)
    if (column === undefined) throw new Error(`The file has no column for ${field}.`)
    return column
  }

  #chosen(choice: ErrorChoice): RowError[] {
    return chosenErrors(this.#errors, choice)
  }
}

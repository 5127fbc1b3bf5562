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
 * All work on the rows of a file: reading, checking, changing and rewriting them. Runs in a web worker, so that the
 * page stays responsive. Independent of the page.
 */
export class FileWork {
  #opened: OpenedFile | undefined
  #read: ReadFile | undefined
  /** The sheet that fits best; several if they fit equally well; none for a text file. */
  #bestSheets: readonly SheetFit[] = []
  #type: RecordType = recordTypes.medication
  #errors: readonly RowError[] = []
  #keepsMissing = false
  readonly #history = new ChangeHistory()

  /**
   * Opens a file and reads it; for a workbook, the sheet that fits best.
   *
   * @throws Error with the reason, if the file cannot be opened
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
   * Reads the opened file again with other answers. Changes to its rows are kept.
   *
   * @throws Error with the reason, if the file cannot be used
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

  /** Checks all rows by the service's rules. @param keepsMissing whether a field may have no column */
  check(keepsMissing = this.#keepsMissing): Findings {
    this.#keepsMissing = keepsMissing
    return this.takeErrors(checkTable(this.#table, this.#type, keepsMissing).errors)
  }

  /** Stores errors that the page or the service has found. @param offset of the part with the errors */
  takeErrors(errors: readonly FieldError[], offset = 0): Findings {
    this.#errors = rowErrors(errors, this.#table.csv, offset)
    const changes = { count: this.#history.count, leftOut: this.#table.leftOut.size }
    return { ...summaryOf(this.#errors), changes }
  }

  /**
   * The parts of the file to send, compressed with gzip: clinics have slow connections, and a table shrinks to a fifth
   * or less.
   *
   * @param edits changes of cells to make first
   */
  parts(edits: readonly CellEdit[] = []): Promise<Part[]> {
    if (edits.length > 0) this.#history.add(this.#table.edit(edits))
    const parts = partsOf(this.#table, this.#current.bytes)
    return Promise.all(parts.map(async (part) => ({ ...part, content: await gzip(part.content) })))
  }

  /** All columns: first those that are read. */
  columns(): TableColumn[] {
    return this.#table.columns
  }

  /** The positions of the rows with the selected errors, in order. */
  failing(choice: ErrorChoice): Uint32Array {
    return failingRows(this.#chosen(choice))
  }

  /** Some rows with their errors. @param indexes their positions */
  rows(indexes: readonly number[]): EditableRow[] {
    return editableRows(this.#table, this.#errors, indexes)
  }

  /** Changes cells, and checks all rows. */
  edit(edits: readonly CellEdit[]): Findings {
    this.#history.add(this.#table.edit(edits))
    return this.check()
  }

  /** Gives all rows with the selected errors of a field the same value. If the file has no column for it, adds one. */
  setAll(choice: ErrorChoice, field: string, text: string): Findings {
    const errors = this.#chosen(choice)
    const isOfFile = errors.some(({ index }) => index === null)
    const fix = { field, values: new Set(errors.map(errorValue)), text }
    this.#history.add(this.#table.setField(field, [...this.failing(choice)], text, isOfFile ? text : ''), [fix])
    return this.check()
  }

  /** The values that the user has replaced in all rows. */
  fixes(): readonly ValueFix[] {
    return this.#history.fixes
  }

  /** The effect of a pattern on the values of the rows with the selected errors. */
  effectOf(choice: ErrorChoice, field: string, pattern: Pattern): PatternEffect {
    return effectOf(
      this.#cells(choice, field).map(({ text }) => [text, applyPattern(pattern, text)]),
      (text) => this.#takes(field, text),
    )
  }

  /** The effect of moving the values of some rows into their names. */
  effectOfMoving(choice: ErrorChoice, field: string): PatternEffect {
    return effectOf(
      this.#namesWith(choice, field).map(({ before, name }) => [before, name.text]),
      (text) => this.#takes('name', text),
    )
  }

  /**
   * Moves the values of the rows with the selected errors into their names, if the names accept them, and clears the
   * field.
   */
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

  /** Applies a pattern to the values of the rows with the selected errors. */
  change(choice: ErrorChoice, field: string, pattern: Pattern): Findings {
    const cells = this.#cells(choice, field)
    return this.edit(cells.map((cell) => ({ ...cell, text: applyPattern(pattern, cell.text) })))
  }

  /** Excludes the rows with the selected errors. */
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

  /** Restores all excluded rows. Their exclusion can then no longer be undone. */
  takeBackRows(): void {
    this.#table.takeBackRows()
    this.#history.forgetLeftOut()
  }

  /** The file with the errors of each row, or only the rows that are excluded or have errors. */
  errorsFile({ onlyFailing }: { onlyFailing: boolean }): Promise<OutputFile> {
    const { file, table } = this.#current
    const errors = [...table.leftOut.values()].flat().concat(this.#errors)
    return fileWithErrors({ name: file.name, table, sheet: file.sheet, errors, onlyFailing })
  }

  /** Rows whose IDs are numbers that may have lost leading zeros. */
  numericIds(): NumericId[] {
    return numericIds(this.#table, this.#type)
  }

  /** The rows whose IDs resemble other IDs. @param examples from the service's response */
  similarIds(examples: readonly SimilarExample[]): SimilarId[] {
    return similarIds(this.#table, this.#type, examples)
  }

  /** The rows whose IDs get an unexpected name. @param examples from the service's response */
  renamedIds(examples: readonly RenamedExample[]): RenamedId[] {
    return renamedIds(this.#table, this.#type, examples)
  }

  /** The first rows with each of some values in a field, with their names, by value. */
  rowsOfValues(field: string, values: readonly string[]) {
    return rowsOfValues(this.#table, this.#columnOf(field), values)
  }

  /** Replaces values of a field in all rows. @param texts the new values, by the old ones */
  replaceValues(field: string, texts: ReadonlyMap<string, string>): Findings {
    const fixes = Array.from(texts, ([value, text]) => ({ field, values: new Set([value]), text }))
    this.#history.add(this.#table.edit(replacements(this.#table, this.#columnOf(field), texts)), fixes)
    return this.check()
  }

  /** Replaces IDs by the IDs that they resemble. */
  correctIds(alike: readonly SimilarId[]): Findings {
    const column = this.#columnOf(this.#type.idField)
    return this.edit(alike.map(({ index, similarTo }) => ({ index, column, text: similarTo })))
  }

  /** Excludes rows that repeat another row's record. @param indexes their positions */
  leaveOutRows(indexes: readonly number[]): Findings {
    this.#history.addLeftOut(this.#table.leaveOut(indexes.map((index) => [index, []])))
    return this.check()
  }

  /**
   * The IDs of inactive records whose rows do not say whether the record is active. A write would reactivate these
   * records although no one asked for it.
   *
   * @param ids of inactive records in the catalog
   */
  impliedReactivationsIn(ids: readonly string[]): string[] {
    const rows = rowsWithIds(this.#table, this.#type, ids)
    const silentIds = new Set(rows.flatMap(({ id, activity }) => (activity === '' ? [id] : [])))
    return ids.filter((id) => silentIds.has(id))
  }

  /** Marks the rows of some records as inactive. If the file has no column for it, adds one. */
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

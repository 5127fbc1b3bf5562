import type { CellChoice } from '#files/cells/cell-choices'
import type { ChosenFile } from '#files/chosen-file'
import { type Target, targetsOf } from '#files/columns/columns'
import type { FileReading, Sheets } from '#files/file-work'
import type { Reading } from '#files/open-file'
import type { TotalsChoice } from '#files/text/totals'
import type { RecordTypeName } from '#shared/records/record-type'
import type { ColumnMemory } from './remembered-columns'
import type { FileDesk, RemoteWork } from './remote-work'

/** One file that was chosen, with the worker that reads it, and what the person has said of it. */
export class FileAtDesk {
  readonly file: File
  readonly #type: RecordTypeName
  readonly #columns: ColumnMemory
  #desk: FileDesk | undefined
  #sheets: Sheets | undefined
  #said: Reading = {}
  #hasRightColumns = false

  /** @param columns where the columns of earlier files went */
  constructor(file: File, type: RecordTypeName, columns: ColumnMemory) {
    this.file = file
    this.#type = type
    this.#columns = columns
  }

  /** The work on the rows of the file. @throws Error before the file is opened */
  get work(): RemoteWork {
    if (this.#desk === undefined) throw new Error('the file is not open')
    return this.#desk.work
  }

  /** Of a workbook that is open. */
  get sheets(): Sheets | undefined {
    return this.#sheets
  }

  /** Opens the file, and reads it. @throws Error whose message says why it cannot be used */
  async open(startDesk: () => FileDesk): Promise<FileReading> {
    this.#desk = startDesk()
    const { sheets, ...opening } = await this.work.open(this.file, this.#type, this.#reading())
    this.#sheets = sheets
    if ('fault' in opening) throw new Error(opening.fault)
    return this.#withDecision(opening)
  }

  /** Reads it once more, as the person has said. @throws Error whose message says why it cannot be used */
  async read(): Promise<FileReading> {
    return this.#withDecision(await this.work.read(this.#type, this.#reading()))
  }

  /** Of a workbook: another sheet is meant. */
  changeSheet(chosen: string): void {
    if (this.#sheets !== undefined) this.#sheets = { ...this.#sheets, chosen }
    this.#said = { isOfType: this.#said.isOfType }
    this.#hasRightColumns = false
  }

  /** Says which of the first rows names the columns; null for none. */
  chooseHeader(headerAt: number | null): void {
    const { isOfType, choices } = this.#said
    this.#said = { isOfType, choices, headerAt }
    this.#hasRightColumns = false
  }

  /** Sends a column to another field, or nowhere. */
  mapColumn(position: number, target: Target): void {
    this.#said = { ...this.#said, mapping: new Map([...(this.#said.mapping ?? []), [position, target]]) }
    this.#hasRightColumns = false
  }

  /** Decides what is written of cells that hold something else than they show. @param key of the question */
  chooseCells(key: string, choice: CellChoice): void {
    this.#said = { ...this.#said, choices: new Map([...(this.#said.choices ?? []), [key, choice]]) }
  }

  /** Decides what becomes of rows that add others up. */
  chooseTotals(totals: TotalsChoice): void {
    this.#said = { ...this.#said, totals }
  }

  /** From now on the file is of the chosen type, whatever its columns look like. */
  keepType(): void {
    this.#said = { ...this.#said, isOfType: true }
  }

  /** The person has looked at the columns. */
  confirmColumns(): void {
    this.#hasRightColumns = true
  }

  /** Where the columns went last time no longer counts, for this file and later ones. */
  forgetColumns({ csv }: ChosenFile): void {
    this.#columns.forget(csv.header)
  }

  /** Once the file is written: later files with the same header row are read as this one. */
  rememberColumns({ csv }: ChosenFile): void {
    const targets = targetsOf(csv.fileColumns)
    if (csv.hasHeader && targets.some((target) => target !== null)) {
      this.#columns.remember(csv.header, targets)
    }
  }

  end(): void {
    this.#desk?.end()
  }

  #reading(): Reading {
    return { ...this.#said, sheet: this.#sheets?.chosen, memory: this.#columns.read() }
  }

  #withDecision(reading: FileReading): FileReading {
    return { ...reading, file: { ...reading.file, hasRightColumns: this.#hasRightColumns } }
  }
}

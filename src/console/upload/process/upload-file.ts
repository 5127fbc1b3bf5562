import type { Remote } from 'comlink'
import type { CellChoice } from '#files/cells/cell-questions'
import { type Target, targetsOf } from '#files/columns/columns'
import type { FileSummary, Reading } from '#files/file-summary'
import type { FileReading, FileWork, Sheets } from '#files/file-work'
import type { RecordTypeName } from '#shared/records/record-type'
import { handleOf, type WorkerHandle } from '../../worker-handle'
import type { ColumnMemory } from './column-memory'

export type RemoteFileWork = Remote<FileWork>

/** Starts a worker for one file. A large file takes seconds, and the page must answer meanwhile. */
export const startFileWorker = (): WorkerHandle<FileWork> =>
  handleOf(new Worker(new URL('./file.worker.ts', import.meta.url), { type: 'module' }), 'reads files')

/** One file that was chosen, with the worker that reads it, and what the person has said of it. */
export class UploadFile {
  readonly file: File
  readonly #type: RecordTypeName
  readonly #columns: ColumnMemory
  #worker: WorkerHandle<FileWork> | undefined
  #sheets: Sheets | undefined
  #answers: Reading = {}
  #hasRightColumns = false

  /** @param columns where the columns of earlier files went */
  constructor(file: File, type: RecordTypeName, columns: ColumnMemory) {
    this.file = file
    this.#type = type
    this.#columns = columns
  }

  /** The work on the rows of the file. @throws Error before the file is opened */
  get work(): RemoteFileWork {
    if (this.#worker === undefined) throw new Error('the file is not open')
    return this.#worker.work
  }

  /** Of a workbook that is open. */
  get sheets(): Sheets | undefined {
    return this.#sheets
  }

  /** Opens the file, and reads it. @throws Error whose message says why it cannot be used */
  async open(startWorker: () => WorkerHandle<FileWork>): Promise<FileReading> {
    this.#worker = startWorker()
    const { sheets, ...opening } = await Promise.race([
      this.work.open(this.file, this.#type, this.#reading()),
      this.#worker.failed,
    ])
    this.#sheets = sheets
    if ('fault' in opening) throw new Error(opening.fault)
    return this.#withDecision(opening)
  }

  /** Reads it once more, as the person has said. @throws Error whose message says why it cannot be used */
  async read(): Promise<FileReading> {
    return this.#withDecision(await this.work.read(this.#type, this.#reading()))
  }

  /** Of a workbook: another sheet is meant. */
  changeSheet(sheet: string): void {
    if (this.#sheets !== undefined) this.#sheets = { ...this.#sheets, chosen: sheet }
    this.#answers = { isOfType: this.#answers.isOfType, isSheetRight: true }
    this.#hasRightColumns = false
  }

  /** Says which of the first rows names the columns; null for none. */
  chooseHeader(headerAt: number | null): void {
    const { isOfType, isSheetRight, choices, encoding } = this.#answers
    this.#answers = { isOfType, isSheetRight, choices, encoding, headerAt }
    this.#hasRightColumns = false
  }

  /** Sends a column to another field, or nowhere. */
  mapColumn(position: number, target: Target): void {
    this.#answers = { ...this.#answers, mapping: new Map([...(this.#answers.mapping ?? []), [position, target]]) }
    this.#hasRightColumns = false
  }

  /** Decides what is written of doubtful cells. @param key of the question */
  chooseCells(key: string, choice: CellChoice): void {
    this.#answers = { ...this.#answers, choices: new Map([...(this.#answers.choices ?? []), [key, choice]]) }
  }

  /** Takes other answers about the file. */
  say(answers: Pick<Reading, 'totals' | 'hiddenRows' | 'encoding' | 'isHeaderRight' | 'isOfType'>): void {
    this.#answers = { ...this.#answers, ...answers }
  }

  /** The person has looked at the columns. */
  confirmColumns(): void {
    this.#hasRightColumns = true
  }

  /** Where the columns went last time no longer counts, for this file and later ones. */
  forgetColumns({ csv }: FileSummary): void {
    this.#columns.forget(csv.header)
  }

  /** Once the file is written: later files with the same header row are read as this one. */
  rememberColumns({ csv }: FileSummary): void {
    const targets = targetsOf(csv.fileColumns)
    if (csv.hasHeader && targets.some((target) => target !== null)) {
      this.#columns.remember(csv.header, targets)
    }
  }

  end(): void {
    this.#worker?.end()
  }

  #reading(): Reading {
    return { ...this.#answers, sheet: this.#sheets?.chosen, memory: this.#columns.read() }
  }

  #withDecision(reading: FileReading): FileReading {
    return { ...reading, file: { ...reading.file, hasRightColumns: this.#hasRightColumns } }
  }
}

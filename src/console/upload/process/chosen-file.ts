import type { Remote } from 'comlink'
import type { CellChoice } from '#files/cells/cell-questions'
import type { Target } from '#files/columns/file-column'
import type { Fill } from '#files/columns/fills'
import type { Meanings } from '#files/columns/meanings'
import type { FileSummary, Reading, SavedAnswers } from '#files/file-summary'
import type { FileWork } from '#files/file-work'
import type { FileReading } from '#files/findings'
import { answersFor, savedAnswers } from '#files/saved-answers'
import type { Sheets } from '#files/workbook/sheet-fit'
import type { RecordTypeName } from '#shared/records/record-type'
import { handleOf, type WorkerHandle } from '../../worker-handle'
import type { AnswerMemory } from './answer-memory'

export type RemoteFileWork = Remote<FileWork>

/** Starts a worker for one file. A large file takes seconds, and the page must stay responsive. */
export const startFileWorker = (): WorkerHandle<FileWork> =>
  handleOf(new Worker(new URL('./file.worker.ts', import.meta.url), { type: 'module' }), 'reads files')

/** The chosen file, the worker that reads it, and the user's answers. */
export class ChosenFile {
  readonly file: File
  /** The sheets of a workbook; undefined for other files, and before the file is opened. */
  sheets: Sheets | undefined
  readonly #type: RecordTypeName
  readonly #memory: AnswerMemory
  /** The answers about the file that this one replaces. */
  readonly #earlier: SavedAnswers | undefined
  #worker: WorkerHandle<FileWork> | undefined
  #answers: Reading = {}
  #isForgotten = false

  /** @param earlier the answers about the file that this one replaces */
  constructor(file: File, type: RecordTypeName, memory: AnswerMemory, earlier: SavedAnswers | undefined) {
    this.file = file
    this.#type = type
    this.#memory = memory
    this.#earlier = earlier
  }

  /** The file's rows in the worker. @throws Error before the file is opened */
  get work(): RemoteFileWork {
    if (this.#worker === undefined) throw new Error('the file is not open')
    return this.#worker.work
  }

  /** Opens the file and reads it. @throws Error with the reason, if it cannot be used */
  async open(startWorker: () => WorkerHandle<FileWork>): Promise<FileReading> {
    this.#worker = startWorker()
    const { sheets, ...opening } = await Promise.race([
      this.work.open(this.file, this.#type, this.#reading()),
      this.#worker.failed,
    ])
    this.sheets = sheets
    if ('fault' in opening) throw new Error(opening.fault)
    return opening
  }

  /** Reads the file again with the current answers. @throws Error with the reason, if it cannot be used */
  read(): Promise<FileReading> {
    return this.work.read(this.#type, this.#reading())
  }

  changeSheet(sheet: string): void {
    if (this.sheets !== undefined) this.sheets = { ...this.sheets, chosen: sheet }
    this.#answers = { isOfType: this.#answers.isOfType, isSheetRight: true }
  }

  /** Sets which of the first rows is the header row; null for none. */
  chooseHeader(headerAt: number | null): void {
    const { isOfType, isSheetRight, choices, encoding } = this.#answers
    this.#answers = { isOfType, isSheetRight, choices, encoding, headerAt }
  }

  /** Maps a column to a different field, or ignores it. */
  mapColumn(position: number, target: Target): void {
    const mapping = new Map([...(this.#answers.mapping ?? []), [position, target]])
    const fills = new Map([...(this.#answers.fills ?? [])].filter(([field]) => field !== target.field))
    this.#answers = { ...this.#answers, mapping, fills, hasRightColumns: false }
  }

  /** Sets the meanings of a column's values. */
  explainColumn(position: number, meanings: Meanings): void {
    this.#answers = { ...this.#answers, meanings: new Map([...(this.#answers.meanings ?? []), [position, meanings]]) }
  }

  /** Sets the source of a field's values; undefined for none. */
  fill(field: string, fill: Fill | undefined): void {
    const fills = new Map(this.#answers.fills)
    if (fill === undefined) fills.delete(field)
    else fills.set(field, fill)
    this.#answers = { ...this.#answers, fills, hasRightColumns: false }
  }

  /** Sets the values of ambiguous cells. @param key of the question */
  chooseCells(key: string, choice: CellChoice): void {
    this.#answers = { ...this.#answers, choices: new Map([...(this.#answers.choices ?? []), [key, choice]]) }
  }

  /** Sets other answers of the user about the file. */
  answer(
    answers: Pick<
      Reading,
      'totals' | 'hiddenRows' | 'encoding' | 'isHeaderRight' | 'isOfType' | 'hasRightColumns' | 'idDigits'
    >,
  ): void {
    this.#answers = { ...this.#answers, ...answers }
  }

  /** Deletes the answers about files with the same columns, for this file and later ones. */
  forgetAnswers({ csv }: FileSummary): void {
    const saved = answersFor(this.#memory.read(), csv)
    if (saved !== undefined) this.#memory.forget(saved.headers)
    this.#answers = { ...this.#answers, hasRightColumns: false }
    this.#isForgotten = true
  }

  /** Stores the answers, so that later files with the same columns are read in the same way. */
  async rememberAnswers(file: FileSummary): Promise<void> {
    this.#memory.remember(savedAnswers(file, await this.work.fixes()))
  }

  end(): void {
    this.#worker?.end()
  }

  #reading(): Reading {
    const earlier = this.#earlier === undefined || this.#isForgotten ? [] : [this.#earlier]
    return { ...this.#answers, sheet: this.sheets?.chosen, memory: [...this.#memory.read(), ...earlier] }
  }
}

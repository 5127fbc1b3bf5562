import type { Query } from '#client/api'
import type { ServiceClient } from '#client/client'
import { ServiceError } from '#client/service-error'
import type { Change } from '#records/change'
import { normalizedHeader } from '#records/csv/header'
import type { RecordType } from '#records/record-type'
import type { WriteResult } from '../service/answers'
import { betterType } from './catalog-fit'
import type { CellChoice, CellChoices } from './cell-choices'
import { type ChosenFile, isDecided, type OpenedFile, openFile, readOpenedFile } from './chosen-file'
import { compareIds } from './compare-ids'
import type { ColumnMemory } from './remembered-columns'
import type { SimilarId } from './similar-ids'

export type Mode = WriteResult['mode']
/** What tells one write from another, besides the file and the type. */
type WriteOptions = Omit<Query<'post', '/admin/datasets/v1/'>, 'type'>
/** What an upload needs of the service. */
export type UploadClient = Pick<ServiceClient, 'post' | 'file'>
/** What a dry run answers. */
export type Check = WriteResult & { diff: NonNullable<WriteResult['diff']> }

/** New ids that resemble ids of the catalog. `unknown`: they could not be compared. */
export type Comparison = 'comparing' | 'unknown' | readonly SimilarId[]

/** Where an upload stands. `sent` is the share of the file that is on its way, 0 to 1. */
export type Stage =
  | { is: 'empty' }
  | { is: 'reading'; name: string }
  | { is: 'unreadable'; name: string; error: Error }
  /** Waits for the person to choose what is written of some columns; nothing has been sent. */
  | { is: 'asking'; file: ChosenFile }
  | { is: 'checking'; file: ChosenFile; sent: number }
  /** The service refuses the file, or could not look at it. */
  | { is: 'refused'; file: ChosenFile; error: Error }
  /** `moved`: the catalog was changed by somebody else since an earlier check. */
  | { is: 'checked'; file: ChosenFile; check: Check; moved: boolean; similar: Comparison }
  | { is: 'writing'; file: ChosenFile; check: Check; sent: number }
  /** Whether anything was written is not known; `error` says what is. */
  | { is: 'interrupted'; file: ChosenFile; error: Error }
  | { is: 'written'; result: WriteResult }

interface UploadState {
  stage: Stage
  /** Whether the file is a part of the catalog or the whole of it. */
  mode: Mode
  /** Names of the sheets of a workbook, and which of them is meant. */
  sheets?: { names: readonly string[]; chosen: string }
}

/** The answer of a dry run without `diff` is not to be expected: it would have no lists to show. */
const NO_CHANGES: Check['diff'] = { inserted: [], updated: [], reactivated: [], deactivated: [] }

const NO_MEMORY: ColumnMemory = { read: () => ({}), write: () => undefined }

const errorOf = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)))

/** A 409 that is not the shrink guard's: the catalog has another revision than the one that was checked. */
const isStale = (error: unknown): boolean =>
  error instanceof ServiceError && error.status === 409 && error.errors.length === 0

/**
 * The way of one file into a catalog: it is read, checked by a dry run, and then written as it was checked. Each step
 * ends the one before it, whose answer is no longer shown. Knows nothing of React.
 */
export class UploadProcess {
  readonly #client: UploadClient
  readonly #type: RecordType
  readonly #columns: ColumnMemory
  readonly #listeners = new Set<() => void>()
  #state: UploadState = { stage: { is: 'empty' }, mode: 'upsert' }
  #file: File | undefined
  #opened: OpenedFile | undefined
  /** Whether the person has said that the columns of another type are meant for this one. */
  #keepsType = false
  #running = new AbortController()

  /** @param columns where the person has sent the columns of earlier files */
  constructor(client: UploadClient, type: RecordType, columns: ColumnMemory = NO_MEMORY) {
    this.#client = client
    this.#type = type
    this.#columns = columns
  }

  /** Another object after every change. */
  readonly state = (): UploadState => this.#state

  /** @returns ends the subscription */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Reads a file and checks it. */
  async choose(file: File): Promise<void> {
    const show = this.#begin()
    this.#opened = undefined
    this.#file = file
    this.#keepsType = false
    show({ stage: { is: 'reading', name: file.name }, mode: this.#state.mode })
    try {
      const opened = await openFile(file, this.#running.signal)
      if (show.isLast()) this.#opened = opened
      if (show.isLast()) await this.#readSheet('sheets' in opened ? opened.sheets[0]!.name : undefined)
    } catch (error) {
      show({ ...this.#state, stage: { is: 'unreadable', name: file.name, error: errorOf(error) } })
    }
  }

  /** Reads another sheet of the workbook, and checks it. */
  changeSheet(name: string): Promise<void> {
    return this.#readSheet(name)
  }

  /** Decides what is written of a column whose cells hold something else than they show. */
  async chooseCells(position: number, choice: CellChoice): Promise<void> {
    const { stage, sheets } = this.#state
    if (!('file' in stage) || stage.is === 'writing') return
    await this.#readSheet(sheets?.chosen, new Map([...stage.file.choices, [position, choice]]))
  }

  /** Sends a column to another field, for this file and later ones; null leaves it out. */
  async mapColumn(header: string, field: string | null): Promise<void> {
    const { stage, sheets } = this.#state
    if (!('file' in stage) || stage.is === 'writing') return
    this.#columns.write({ ...this.#columns.read(), [normalizedHeader(header)]: field })
    await this.#readSheet(sheets?.chosen, stage.file.choices)
  }

  /** Says that the file is of the chosen type, whatever its columns look like. */
  async keepType(): Promise<void> {
    const { stage, sheets } = this.#state
    if (stage.is !== 'asking') return
    this.#keepsType = true
    await this.#readSheet(sheets?.chosen, stage.file.choices)
  }

  /** The file that was chosen and is not written yet, as the browser gave it. */
  get file(): File | undefined {
    return this.#state.stage.is === 'written' ? undefined : this.#file
  }

  /** A file that was checked is checked again. */
  async changeMode(mode: Mode): Promise<void> {
    const { stage } = this.#state
    // What is being written is what was confirmed.
    if (stage.is === 'writing') return
    this.#state = { ...this.#state, mode }
    this.#tell()
    await this.check()
  }

  /** Asks the service, once more, what the file would change. */
  async check(): Promise<void> {
    const { stage } = this.#state
    if ('file' in stage && isDecided(stage.file)) await this.#check(stage.file)
  }

  /** Writes what was checked, on the catalog as it was then. */
  async commit(confirmShrink: boolean): Promise<void> {
    const { stage } = this.#state
    if (stage.is !== 'checked') return
    const { file, check } = stage
    const show = this.#begin()
    const query = {
      mode: check.mode,
      expected_revision: check.revision,
      confirm_shrink: confirmShrink || undefined,
    }
    try {
      const result = await this.#send(file, query, (sent) =>
        show({ ...this.#state, stage: { is: 'writing', file, check, sent } }),
      )
      show({ ...this.#state, stage: { is: 'written', result } })
    } catch (error) {
      if (isStale(error) && show.isLast()) await this.#check(file, true)
      else show({ ...this.#state, stage: { is: 'interrupted', file, error: errorOf(error) } })
    }
  }

  /** The full list of one kind of change, as CSV. @throws ServiceError, also when the catalog has moved on */
  async listOf(change: Change): Promise<Blob> {
    const { stage } = this.#state
    if (stage.is !== 'checked') throw new Error('nothing is checked')
    const { file, check } = stage
    const list = await this.#client.file('post', '/admin/datasets/v1/', {
      query: {
        type: this.#type.name,
        mode: check.mode,
        expected_revision: check.revision,
        dry_run: true,
        include: 'diff',
        format: 'csv',
        safe: '1',
        change,
      },
      body: { file: file.content, fileName: file.name },
    })
    return list.blob()
  }

  /** Forgets the file. */
  reset(): void {
    this.#opened = undefined
    this.#file = undefined
    this.#begin()({ stage: { is: 'empty' }, mode: this.#state.mode })
  }

  /** Ends what is under way. */
  end(): void {
    this.#running.abort()
  }

  async #readSheet(name: string | undefined, choices?: CellChoices): Promise<void> {
    const show = this.#begin()
    const opened = this.#opened!
    const sheets =
      'sheets' in opened ? { sheets: { names: opened.sheets.map((sheet) => sheet.name), chosen: name! } } : {}
    const { mode } = this.#state
    try {
      const file = readOpenedFile(opened, this.#type, name, choices, this.#columns.read())
      const better = this.#keepsType ? undefined : betterType(file.csv.sentHeader, this.#type)
      const asked = better === undefined ? file : { ...file, better }
      show({ stage: { is: 'asking', file: asked }, mode, ...sheets })
    } catch (error) {
      show({ stage: { is: 'unreadable', name: opened.name, error: errorOf(error) }, mode, ...sheets })
    }
    await this.check()
  }

  async #check(file: ChosenFile, moved = false): Promise<void> {
    const show = this.#begin()
    const query = { mode: this.#state.mode, dry_run: true, include: 'diff' } as const
    try {
      const result = await this.#send(file, query, (sent) =>
        show({ ...this.#state, stage: { is: 'checking', file, sent } }),
      )
      const check = { ...result, diff: result.diff ?? NO_CHANGES }
      const checked = { is: 'checked', file, check, moved } as const
      show({ ...this.#state, stage: { ...checked, similar: 'comparing' } })
      const similar = await this.#compare(file, check)
      show({ ...this.#state, stage: { ...checked, similar } })
    } catch (error) {
      show({ ...this.#state, stage: { is: 'refused', file, error: errorOf(error) } })
    }
  }

  /** Compares the new ids with those of the catalog, if there are both. */
  async #compare({ csv }: ChosenFile, { inserted, revision }: Check): Promise<Comparison> {
    if (inserted === 0 || revision === 0) return []
    try {
      return await compareIds(this.#client, this.#type, csv, this.#running.signal)
    } catch {
      return 'unknown'
    }
  }

  /** @param onProgress is told the share of the file that has been sent */
  #send(file: ChosenFile, query: WriteOptions, onProgress: (share: number) => void): Promise<WriteResult> {
    onProgress(0)
    return this.#client.post('/admin/datasets/v1/', {
      query: { type: this.#type.name, ...query },
      body: { file: file.content, fileName: file.name },
      onProgress: (sent, total = Number.POSITIVE_INFINITY) => onProgress(sent / total),
      signal: this.#running.signal,
    })
  }

  /** Ends the step before. @returns shows a state, unless another step has begun by then */
  #begin() {
    this.#running.abort()
    this.#running = new AbortController()
    const { signal } = this.#running
    const show = (state: UploadState) => {
      if (signal.aborted) return
      this.#state = state
      this.#tell()
    }
    return Object.assign(show, { isLast: () => !signal.aborted })
  }

  #tell(): void {
    for (const listener of this.#listeners) listener()
  }
}

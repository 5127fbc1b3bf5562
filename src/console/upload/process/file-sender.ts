import type { Query } from '#client/api'
import { mergeResults } from '#client/merge-results'
import { ServiceError } from '#client/service-error'
import { partName } from '#client/upload-file'
import type { Part } from '#files/parts'
import type { FieldError } from '#shared/errors/errors'
import type { Change } from '#shared/records/change'
import { splitRows } from '#shared/records/csv/rows'
import type { RecordTypeName } from '#shared/records/record-type'
import { LINE_FEED } from '#shared/text/characters'
import { type CatalogState, expecting, fullList, type WriteResult, withDiff } from '../../service/answers'
import { cannotWait, HeldFile, isGone, type UploadClient } from './held-file'
import type { Check, Mode, Progress, Remainder } from './stage'

/** The query of a write, besides the type. */
type WriteOptions = Omit<Query<'post', '/admin/datasets/v1/'>, 'type'>

/** What a person decides about a file as a whole. */
interface Choice {
  mode: Mode
  /** Whether fields that the file has no column for keep their values. */
  keepsMissing: boolean
}

/** How many similar ids a check lists: as many as the service gives. */
const LISTED_EXAMPLES = 1000

/** Hears how far the sending is, and can stop it. */
interface SendWatch {
  signal: AbortSignal
  onProgress: (progress: Progress) => void
}

/** What the service finds wrong with rows; none if it refuses a file for another reason. */
export const fieldErrorsOf = (error: unknown): FieldError[] =>
  error instanceof ServiceError ? error.errors.filter((item): item is FieldError => 'msg' in item) : []

/** A CSV file without its header row, which has no line end within a cell. */
async function withoutHeader(file: Blob): Promise<Blob> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  return file.slice(bytes.indexOf(LINE_FEED) + 1)
}

/** Sends one file to the service, in as many parts as it needs: one check, one write, one result. */
export class FileSender {
  readonly parts: readonly Part[]
  readonly #client: UploadClient
  readonly #type: RecordTypeName
  readonly #fileName: string
  /** The answers to the parts that are written. */
  readonly #results: WriteResult[] = []
  /** The idempotency key of each part. */
  readonly #writeKeys: readonly string[]
  readonly #offsets: readonly number[]
  /** The part that was sent last. */
  #sentPart = 0
  /** The file as the service keeps it since its dry run; undefined if it keeps none. */
  #held: HeldFile | undefined
  /** Sent with every request, because a file that waits has its own answer. */
  #keepOptions = { keep_missing: false }

  constructor(client: UploadClient, type: RecordTypeName, fileName: string, parts: readonly Part[]) {
    this.#client = client
    this.#type = type
    this.#fileName = fileName
    this.parts = parts
    this.#writeKeys = parts.map(() => crypto.randomUUID())
    this.#offsets = parts.map(({ offset }) => offset)
  }

  /** Offset of the first row of the part that was sent last within the file. */
  get offset(): number {
    return this.parts[this.#sentPart]!.offset
  }

  /** Which parts are written, and which are not or perhaps not. */
  get remainder(): Remainder {
    const writtenParts = this.#results.length
    return { written: this.parts.slice(0, writtenParts), unwritten: this.parts.slice(writtenParts) }
  }

  /** Whether the file is written without being sent again. */
  get waits(): boolean {
    return this.#held !== undefined
  }

  /** What the unwritten parts would change; undefined if somebody else writes meanwhile. @throws ServiceError */
  async check({ mode, keepsMissing }: Choice, watch: SendWatch): Promise<Check | undefined> {
    this.#keepOptions = { keep_missing: keepsMissing }
    const results: WriteResult[] = []
    for (let part = this.#results.length; part < this.parts.length; part++) {
      const result = await this.#checkPart(part, mode, watch)
      results.push(result)
    }
    if (new Set(results.map(({ revision, epoch }) => `${revision} ${epoch}`)).size > 1) return undefined
    return withDiff(mergeResults(results as [WriteResult, ...WriteResult[]], this.#offsets))
  }

  /** A dry run of one part. The service keeps a file of one part from now on, if it can. */
  async #checkPart(part: number, mode: Mode, watch: SendWatch): Promise<WriteResult> {
    const query = { dry_run: true, include: 'diff', examples: LISTED_EXAMPLES, ...this.#keepOptions } as const
    const heldResult = await this.#tryHeld(part, mode, query, watch)
    if (heldResult !== undefined) return heldResult
    if (this.parts.length > 1) return this.#send(part, { mode, ...query }, watch)
    this.discard()
    try {
      const result = await this.#send(part, { mode, ...query, hold: true }, watch)
      const { upload_id: id } = result
      this.#held = id === undefined ? undefined : new HeldFile(this.#client, result, id)
      return result
    } catch (error) {
      if (!cannotWait(error)) throw error
      return this.#send(part, { mode, ...query }, watch)
    }
  }

  /** The answer for the file that the service keeps; undefined if it keeps none in this mode, or not any more. */
  async #tryHeld(
    part: number,
    mode: Mode,
    query: Parameters<HeldFile['write']>[0],
    { signal, onProgress }: SendWatch,
  ): Promise<WriteResult | undefined> {
    if (this.#held?.mode !== mode) return undefined
    onProgress({ part, parts: this.parts.length, sent: 1 })
    try {
      return await this.#held.write(query, signal, this.#writeKeys[part]!)
    } catch (error) {
      if (!isGone(error)) throw error
      this.#held = undefined
      return undefined
    }
  }

  /** Has the service drop the file that it keeps. */
  discard(): void {
    this.#held?.discard()
    this.#held = undefined
  }

  /**
   * Writes what was checked, part by part. Each part expects the state that the part before it has left. A part that is
   * sent again is written once.
   *
   * @returns what all parts together have changed
   * @throws ServiceError for a part that is refused, or that is not answered; `remainder` says which
   */
  async write(check: Check, confirmShrink: boolean, watch: SendWatch): Promise<WriteResult> {
    let state: CatalogState = this.#results.at(-1) ?? check
    for (let part = this.#results.length; part < this.parts.length; part++) {
      const query = { ...expecting(state), confirm_shrink: confirmShrink || undefined, ...this.#keepOptions }
      const result =
        (await this.#tryHeld(part, check.mode, query, watch)) ??
        (await this.#send(part, { mode: check.mode, ...query }, watch))
      this.#results.push(result)
      state = result
    }
    this.#held = undefined
    return mergeResults(this.#results as [WriteResult, ...WriteResult[]], this.#offsets)
  }

  /** The ids of all records that would be in use again. @throws ServiceError */
  async reactivatedIds(check: Check): Promise<string[]> {
    const { reactivated } = check.diff
    if (check.reactivated <= reactivated.length) return reactivated.map(({ id }) => id)
    const list = await this.#list({ ...fullList(check, 'reactivated'), safe: undefined }, check.mode)
    const [, ...rows] = splitRows(await list.text(), { separator: ',', headerStart: 0 })
    return [...new Set(rows.map(([, id = '']) => id))]
  }

  /**
   * The full list of what changes, or of one kind of change, as CSV.
   *
   * @throws ServiceError, also when the catalog has changed since the check
   */
  changeList(change: Change | undefined, check: Check): Promise<Blob> {
    return this.#list(fullList(check, change), check.mode)
  }

  async #list(list: Omit<ReturnType<typeof fullList>, 'safe'> & { safe?: '1' | undefined }, mode: Mode): Promise<Blob> {
    const query = { ...list, ...this.#keepOptions }
    if (this.#held !== undefined) return this.#held.list(query)
    const lists: Blob[] = []
    for (const { content } of this.remainder.unwritten) {
      const list = await this.#client.file('post', '/admin/datasets/v1/', {
        query: { type: this.#type, mode, ...query },
        body: { file: content, fileName: this.#fileName },
        gzip: 'done',
      })
      const blob = await list.blob()
      lists.push(lists.length === 0 ? blob : await withoutHeader(blob))
    }
    return new Blob(lists, { type: 'text/csv' })
  }

  #send(part: number, query: WriteOptions, { signal, onProgress }: SendWatch): Promise<WriteResult> {
    const parts = this.parts.length
    this.#sentPart = part
    onProgress({ part, parts, sent: 0 })
    return this.#client.post('/admin/datasets/v1/', {
      query: { type: this.#type, ...query },
      headers: { 'Idempotency-Key': this.#writeKeys[part]! },
      body: { file: this.parts[part]!.content, fileName: partName(this.#fileName, part, parts) },
      gzip: 'done',
      onProgress: (sent, total = Number.POSITIVE_INFINITY) => onProgress({ part, parts, sent: sent / total }),
      signal,
    })
  }
}

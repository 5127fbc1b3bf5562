import type { Query } from '#client/api'
import { isStale, ServiceError } from '#client/service-error'
import { uploadFile } from '#client/upload-file'
import type { Part } from '#files/parts'
import type { FieldError } from '#shared/errors/errors'
import type { ChangeKind } from '#shared/records/change'
import { splitRows } from '#shared/records/csv/rows'
import type { RecordTypeName } from '#shared/records/record-type'
import { LINE_FEED } from '#shared/text/characters'
import { type CatalogState, expecting, fullList, type WriteResult, withDiff } from '../../service/answers'
import { cannotWait, type HeldFile, heldFile, isGone, type UploadClient } from './held-file'
import type { Check, Mode, Progress, Remainder } from './stage'

type WriteOptions = Omit<Query<'post', '/admin/datasets/v1/'>, 'type'>

interface Choice {
  mode: Mode
  /** As the API parameter. Undefined: fields without a column keep their values, but records become active. */
  keepMissing: boolean | undefined
}

/** Number of similar IDs that a check lists: the service's maximum. */
const LISTED_EXAMPLES = 1000

/** Receives the progress of sending, and can abort it. */
interface SendWatch {
  signal: AbortSignal
  onProgress: (progress: Progress) => void
}

/** The service's errors about rows; none if it rejects a file for another reason. */
export const fieldErrorsOf = (error: unknown): FieldError[] =>
  error instanceof ServiceError ? error.errors.filter((item): item is FieldError => 'msg' in item) : []

/** A CSV file without its header row, whose cells contain no line breaks. */
async function withoutHeader(file: Blob): Promise<Blob> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  return file.slice(bytes.indexOf(LINE_FEED) + 1)
}

/** Sends one file to the service, in as many parts as needed, as if it were one check and one write. */
export class FileSender {
  readonly parts: readonly Part[]
  readonly #client: UploadClient
  readonly #type: RecordTypeName
  readonly #fileName: string
  readonly #results: WriteResult[] = []
  /** The idempotency key of the file's write. */
  readonly #key = crypto.randomUUID()
  #sentPart = 0
  /** The catalog state after the check, or after the last written part. */
  #state: CatalogState | undefined
  /** The copy that the service keeps since the dry run; undefined if there is none. */
  #held: HeldFile | undefined
  /** Sent with every request, because a pending upload stores its own choice. */
  #keepOptions: { keep_missing: boolean | undefined } = { keep_missing: undefined }

  constructor(client: UploadClient, type: RecordTypeName, fileName: string, parts: readonly Part[]) {
    this.#client = client
    this.#type = type
    this.#fileName = fileName
    this.parts = parts
  }

  /** Offset, within the file, of the last sent part's first row. */
  get offset(): number {
    return this.parts[this.#sentPart]!.offset
  }

  /** Which parts are written, and which are not, or may not be. */
  get remainder(): Remainder {
    const writtenParts = this.#results.length
    return { written: this.parts.slice(0, writtenParts), unwritten: this.parts.slice(writtenParts) }
  }

  get isHeld(): boolean {
    return this.#held !== undefined
  }

  /**
   * What the unwritten parts would change; undefined if someone else has written in the meantime.
   *
   * @throws ServiceError
   */
  async check({ mode, keepMissing }: Choice, watch: SendWatch): Promise<Check | undefined> {
    // If the parameter is omitted, the service uses the value with which the pending upload was sent.
    if (keepMissing === undefined && this.#held?.keepMissing !== undefined) this.discard()
    this.#keepOptions = { keep_missing: keepMissing }
    const query = { dry_run: true, include: 'diff', examples: LISTED_EXAMPLES, ...this.#keepOptions } as const
    const isWhole = this.parts.length === 1
    try {
      const result =
        (await this.#tryHeld(mode, query, watch)) ??
        (await (isWhole
          ? this.#checkAndKeep({ mode, ...query }, watch)
          : this.#sendRest({ mode, ...query }, [], watch)))
      this.#state = result
      return withDiff(result)
    } catch (error) {
      if (!isWhole && isStale(error)) return undefined
      throw error
    }
  }

  /** A dry run of a file in one part. If possible, the service then keeps the file. */
  async #checkAndKeep(query: WriteOptions & { mode: Mode }, watch: SendWatch): Promise<WriteResult> {
    this.discard()
    try {
      const result = await this.#sendRest({ ...query, hold: true }, [], watch)
      const { upload_id: id } = result
      this.#held = id === undefined ? undefined : heldFile(this.#client, result, id, this.#keepOptions.keep_missing)
      return result
    } catch (error) {
      if (!cannotWait(error)) throw error
      return this.#sendRest(query, [], watch)
    }
  }

  /** The response for the kept file; undefined if the service keeps none in this mode, or no longer does. */
  async #tryHeld(
    mode: Mode,
    query: Parameters<HeldFile['write']>[0],
    { signal, onProgress }: SendWatch,
  ): Promise<WriteResult | undefined> {
    if (this.#held?.mode !== mode) return undefined
    onProgress({ part: 0, parts: 1, sent: 1 })
    try {
      return await this.#held.write(query, signal, this.#key)
    } catch (error) {
      if (!isGone(error)) throw error
      this.#held = undefined
      return undefined
    }
  }

  discard(): void {
    this.#held?.discard()
    this.#held = undefined
  }

  /**
   * Writes the checked file, part by part. Each part expects the state after the previous part. A part that is sent
   * twice is written once.
   *
   * @returns what all parts together have changed
   * @throws ServiceError if a part is rejected or gets no response; `remainder` shows which
   */
  async write(check: Check, confirmShrink: boolean, watch: SendWatch): Promise<WriteResult> {
    const state = this.#state ?? check
    const query = { ...expecting(state), confirm_shrink: confirmShrink || undefined, ...this.#keepOptions }
    const written = this.#results.length
    try {
      const result =
        (await this.#tryHeld(check.mode, query, watch)) ??
        (await this.#sendRest({ mode: check.mode, ...query }, this.#results, watch))
      this.#held = undefined
      return result
    } finally {
      if (this.#results.length > written) this.#state = this.#results.at(-1)
    }
  }

  /** The IDs of all records that would be reactivated. @throws ServiceError */
  async reactivatedIds(check: Check): Promise<string[]> {
    const { reactivated } = check.diff
    if (check.reactivated <= reactivated.length) return reactivated.map(({ id }) => id)
    const list = await this.#list({ ...fullList(check, 'reactivated'), safe: undefined }, check.mode)
    const [, ...rows] = splitRows(await list.text(), { separator: ',', headerStart: 0 })
    return [...new Set(rows.map(([, id = '']) => id))]
  }

  /** The full list of changes, or those of one kind, as CSV. @throws ServiceError */
  changeList(change: ChangeKind | undefined, check: Check): Promise<Blob> {
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

  /** Sends the unwritten parts. @param results receives the responses; those of a write are kept */
  #sendRest(query: WriteOptions, results: WriteResult[], { signal, onProgress }: SendWatch): Promise<WriteResult> {
    const isWrite = results === this.#results
    const skipped = isWrite ? 0 : this.#results.length
    return uploadFile(
      this.#client,
      { fileName: this.#fileName, parts: this.parts.slice(skipped), isCompressed: true },
      {
        query: { type: this.#type, ...query },
        key: this.#key,
        results,
        onProgress: ({ part, sent }) => {
          this.#sentPart = part + skipped
          onProgress({ part: this.#sentPart, parts: this.parts.length, sent })
        },
        signal,
      },
    )
  }
}

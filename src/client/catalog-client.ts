import { type Body, DATASETS, type Data, type FileInput, type Query, type SentRecord } from '#client/api'
import { type ClientOptions, ServiceClient } from '#client/client'
import { hasStatus, ServiceError } from '#client/service-error'
import { type FileInParts, type FileUploadOptions, uploadFile } from '#client/upload-file'

/** The service answers within 29 seconds; a large file on a slow line takes longer. */
const TIMEOUT_MS = 120_000

interface Abortable {
  signal?: AbortSignal | undefined
}

export type CatalogType = Query<'get', typeof DATASETS>['type']

type AnyRecord = Data<'get', typeof DATASETS>['items'][number]

/** A record of a type: `CatalogRecord<'medication'>`. */
export type CatalogRecord<T extends CatalogType = CatalogType> = {
  [K in T]: Extract<AnyRecord, Record<`${K}_id`, string>>
}[T]

export type RecordsQuery = Omit<Query<'get', typeof DATASETS>, 'type' | 'limit' | 'offset' | 'format' | 'safe'>

/** What a write has done, or what it would do. */
export type WriteResult = Data<'post', typeof DATASETS>

/** A file, a file in parts, or records. */
export type SyncSource = FileInput | FileInParts | SentRecord[]

export interface SyncPolicy extends Omit<FileUploadOptions, 'query' | 'key'> {
  /** `upsert`, the default: adds and changes. `reconcile`: what the file leaves out is deactivated. */
  mode?: 'upsert' | 'reconcile' | undefined
  /**
   * Whole percent of the active records, 0 to 50, that may be deactivated. Without it the service's own guard holds.
   */
  maxShrink?: number | undefined
  /** Lets any number of records be deactivated. */
  confirmShrink?: boolean | undefined
  /** How many records may lose the value that they have in a field; 0 unless it is given. */
  maxEmptied?: number | undefined
  /** Fields that any number of records may lose. `all` allows it for every field. */
  allowEmptied?: readonly string[] | 'all' | undefined
  /** Writes only if the catalog is still in this state. Else it is refused with 409, without errors. */
  expected?: Position | undefined
  /**
   * Keeps what is not sent: of JSON the values of fields, and in an upsert whether a record is active. Without it, an
   * inactive record that is sent becomes active.
   */
  keepMissing?: boolean | undefined
  /** Only says what would change. */
  dryRun?: boolean | undefined
  /** In a dry run: how many examples some warnings have, 10 unless it is given. */
  examples?: number | undefined
  /** The key of this write, instead of a new one. The same request with the same key is not written twice. */
  idempotencyKey?: string | undefined
}

/** A guard that has stopped a write, or would. */
export type Stop = NonNullable<WriteResult['shrink_guard']> | NonNullable<WriteResult['emptied_guard']>[number]

/** A file that can be written later without being sent again. */
export interface WaitingFile {
  uploadId: string
  heldUntil: string
}

export type SyncResult =
  /** The request was carried out, even if nothing differed. */
  | { outcome: 'written'; written: WriteResult }
  /** A guard stopped it. `waiting` is the file at the service, if it keeps it. */
  | { outcome: 'stopped'; message: string; stops: readonly Stop[]; waiting: WaitingFile | null }
  /** It was a dry run. `stops` has the guards that would stop the write. */
  | { outcome: 'planned'; plan: WriteResult; stops: readonly Stop[] }

const inParts = (source: FileInput | FileInParts): FileInParts =>
  'parts' in source ? source : { fileName: source.fileName, parts: [{ content: source.file, offset: 0 }] }

const isStop = (item: object): item is Stop =>
  'code' in item && (item.code === 'shrink_guard' || item.code === 'emptied_guard')

function stopOf({ message, errors }: ServiceError): SyncResult | undefined {
  const stops = errors.filter(isStop)
  const [first] = stops
  if (first === undefined) return undefined
  const { upload_id: uploadId, held_until: heldUntil } = first
  const waiting = uploadId === undefined || heldUntil === undefined ? null : { uploadId, heldUntil }
  return { outcome: 'stopped', message, stops, waiting }
}

const FEED = '/admin/catalogs/v1/{type}/changes'

export type Change = Data<'get', typeof FEED>['items'][number]

/** A state of a catalog: how far a copy is complete, or what a write expects. */
export interface Position {
  revision: number
  epoch: string
}

/** A page of changes. */
export interface MirrorStep {
  /** The copy must be emptied before these changes: it is new, or the service went back to an earlier state. */
  isFresh: boolean
  /** Each record as it is now, active or not: insert or replace it by its id. */
  changes: readonly Change[]
  /** On the last step: store it, together with the changes or after them. */
  position: Position | null
}

/** Records or changes of a page. */
const PAGE_LIMIT = 1000

const SEARCH = '/medical-db/v1/search/'

/** What a search may be told besides the text. */
export type SearchOptions = Omit<Body<'post', typeof SEARCH>, 'type' | 'q'> & Abortable

/**
 * The service, with what programs mostly do with a catalog. Every method throws a `ServiceError` as those of
 * `ServiceClient` do.
 *
 * @example
 * const client = new CatalogClient({ baseUrl, tokens: clientCredentials({ baseUrl, clientId, clientSecret, apiKey }) })
 * const source = { file, fileName: 'formulary.csv' }
 * const result = await client.sync('medication', source, { mode: 'reconcile', maxShrink: 5 })
 */
export class CatalogClient extends ServiceClient {
  constructor(options: ClientOptions & { baseUrl: string }) {
    super({ ...options, timeoutMs: options.timeoutMs ?? TIMEOUT_MS })
  }

  /**
   * Brings a catalog to the state of a file, by one write with guards; a file in parts by one write for each. A write
   * without an answer is sent again with the same key, so that it is carried out once.
   *
   * @throws ServiceError when the file is refused, or when the service cannot be reached
   */
  async sync(type: CatalogType, source: SyncSource, policy: SyncPolicy = {}): Promise<SyncResult> {
    const { mode = 'upsert', maxShrink, confirmShrink, maxEmptied = 0, allowEmptied = [], dryRun } = policy
    const { keepMissing, examples } = policy
    const { expected, idempotencyKey: key = crypto.randomUUID(), results = [], onProgress, signal } = policy
    const emptied =
      allowEmptied === 'all' ? {} : { max_emptied: maxEmptied, allow_emptied: allowEmptied.join() || undefined }
    const query = {
      type,
      mode,
      max_shrink: maxShrink,
      confirm_shrink: confirmShrink,
      dry_run: dryRun,
      keep_missing: keepMissing,
      examples,
      expected_revision: expected?.revision,
      expected_epoch: expected?.epoch,
      ...emptied,
    }
    try {
      const result = Array.isArray(source)
        ? await this.post(DATASETS, {
            query,
            body: source,
            signal,
            headers: { 'Idempotency-Key': key },
          })
        : await uploadFile(this, inParts(source), { query, key, results, onProgress, signal })
      if (!dryRun) return { outcome: 'written', written: result }
      const answers = results.length > 0 ? results : [result]
      const guards = answers.flatMap(({ shrink_guard, emptied_guard = [] }) => [shrink_guard, ...emptied_guard])
      return { outcome: 'planned', plan: result, stops: guards.filter((stop) => stop !== undefined) }
    } catch (error) {
      const stop = hasStatus(error, 409) ? stopOf(error) : undefined
      if (stop === undefined) throw error
      return stop
    }
  }

  /**
   * What has changed in a catalog since a position, in steps. A step may be applied twice without harm, so a program
   * that is stopped starts again from the position that it has stored.
   *
   * @param from null makes the copy from the start
   */
  async *mirror(
    type: CatalogType,
    from: Position | null,
    options: Abortable = {},
  ): AsyncGenerator<MirrorStep, void, undefined> {
    let cursor: string | undefined
    let first: number | undefined
    let epoch = from?.epoch
    for (let isFresh = from === null; ; isFresh = false) {
      let page: Data<'get', typeof FEED>
      try {
        const query = { since_revision: from?.revision ?? 0, limit: PAGE_LIMIT, cursor, epoch }
        page = await this.get(FEED, { params: { type }, query, ...options })
      } catch (error) {
        if (!(error instanceof ServiceError) || !error.codes.includes('start_again')) throw error
        return yield* this.mirror(type, null, options)
      }
      first ??= page.revision
      epoch = page.epoch
      cursor = page.cursor ?? undefined
      const position = cursor === undefined ? { revision: first, epoch } : null
      yield { isFresh, changes: page.items, position }
      if (position !== null) return
    }
  }

  /**
   * The records of a catalog, page by page, in the order of their ids unless `sort` asks for another one. A record that
   * others add or deactivate meanwhile may be missing or there; for a copy that misses nothing there is `mirror`.
   */
  async *records<T extends CatalogType>(
    type: T,
    query: RecordsQuery = {},
    options: Abortable = {},
  ): AsyncGenerator<CatalogRecord<T>, void, undefined> {
    for (let offset = 0; ; ) {
      const page = await this.get(DATASETS, {
        query: { ...query, sort: query.sort ?? 'id', type, limit: PAGE_LIMIT, offset },
        ...options,
      })
      // The service answers with records of the type that was named.
      yield* page.items as CatalogRecord<T>[]
      if (!page.has_more) return
      offset += page.count
    }
  }

  /** What partners find: the best match first. Sent in a body, so that no log has what a person types. */
  search(
    type: CatalogType,
    q: string,
    { signal, ...options }: SearchOptions = {},
  ): Promise<Data<'post', typeof SEARCH>> {
    return this.post(SEARCH, { body: { type, q, ...options }, signal })
  }
}

import { type Body, DATASETS, type Data, type FileInput, type Query, type SentRecord } from '#client/api'
import { type ClientOptions, ServiceClient } from '#client/client'
import { hasStatus, ServiceError } from '#client/service-error'
import { type FileInParts, type FileUploadOptions, uploadFile } from '#client/upload-file'

/** The service responds within 29 seconds; a large file on a slow connection takes longer. */
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

/** What a write has changed, or would change. */
export type WriteResult = Data<'post', typeof DATASETS>

/** A file, a file in parts, or records. */
export type SyncSource = FileInput | FileInParts | SentRecord[]

export interface SyncPolicy extends Omit<FileUploadOptions, 'query' | 'key'> {
  /**
   * `upsert` (default) adds and changes records. `reconcile` also deactivates records that are missing from the file.
   */
  mode?: 'upsert' | 'reconcile' | undefined
  /**
   * Whole percent of the active records, 0 to 50, that may be deactivated. If omitted, the service's own limit applies.
   */
  maxShrink?: number | undefined
  /** Allows any number of records to be deactivated. */
  confirmShrink?: boolean | undefined
  /** How many records may lose the value of a field; 0 by default. */
  maxEmptied?: number | undefined
  /** Fields that any number of records may lose. `all` allows it for every field. */
  allowEmptied?: readonly string[] | 'all' | undefined
  /** Writes only if the catalog is still in this state. Otherwise the service returns 409 without `errors`. */
  expected?: Position | undefined
  /**
   * Keeps existing values that are not sent: field values in JSON and, in an upsert, whether a record is active.
   * Without it, an inactive record that is sent becomes active.
   */
  keepMissing?: boolean | undefined
  /** Only reports what would change. */
  dryRun?: boolean | undefined
  /** In a dry run: the number of examples in some warnings, 10 by default. */
  examples?: number | undefined
  /** The key of this write, instead of a new one. A repeated request with the same key is not written twice. */
  idempotencyKey?: string | undefined
}

/** A guard that has blocked a write, or would block it. */
export type Stop = NonNullable<WriteResult['shrink_guard']> | NonNullable<WriteResult['emptied_guard']>[number]

/** A pending upload: it can be approved later without being sent again. */
export interface WaitingFile {
  uploadId: string
  heldUntil: string
}

export type SyncResult =
  /** The request was completed, even if nothing differed. */
  | { outcome: 'written'; written: WriteResult }
  /** A guard blocked it. `waiting` is the pending upload, if the service keeps the file. */
  | { outcome: 'stopped'; message: string; stops: readonly Stop[]; waiting: WaitingFile | null }
  /** It was a dry run. `stops` contains the guards that would block the write. */
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

/** A state of a catalog: the state up to which a copy is complete, or the state that a write expects. */
export interface Position {
  revision: number
  epoch: string
}

/** A page of changes. */
export interface MirrorStep {
  /** The copy must be emptied before these changes: it is new, or the service was restored to an earlier state. */
  isFresh: boolean
  /** Each record in its current state, active or not: insert or replace it by its ID. */
  changes: readonly Change[]
  /** Set in the last step: store it, together with the changes or after them. */
  position: Position | null
}

/** Records or changes per page. */
const PAGE_LIMIT = 1000

const SEARCH = '/medical-db/v1/search/'

/** The options of a search. */
export type SearchOptions = Omit<Body<'post', typeof SEARCH>, 'type' | 'q'> & Abortable

/**
 * The service, with the usual operations on a catalog. Every method throws a `ServiceError`, as the methods of
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
   * Syncs a catalog from a file in one write with guards, or in one write per part for a file in parts. If a write gets
   * no response, it is retried with the same key, so it is applied only once.
   *
   * @throws ServiceError if the file is rejected or the service cannot be reached
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
   * The changes of a catalog since a position, in steps. Applying a step twice is harmless, so a client that was
   * stopped resumes from its stored position.
   *
   * @param from null starts a new copy
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
   * The records of a catalog, page by page, in the order of their IDs unless `sort` requests another order. A record
   * that others add or deactivate in the meantime may or may not be included. For a complete copy, use `mirror`.
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
      // The service returns records of the requested type.
      yield* page.items as CatalogRecord<T>[]
      if (!page.has_more) return
      offset += page.count
    }
  }

  /** Searches as partners do; the best match comes first. The text is sent in a body, so that it appears in no log. */
  search(
    type: CatalogType,
    q: string,
    { signal, ...options }: SearchOptions = {},
  ): Promise<Data<'post', typeof SEARCH>> {
    return this.post(SEARCH, { body: { type, q, ...options }, signal })
  }
}

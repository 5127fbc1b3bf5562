import type { Body, Data } from '#client/api'
import { type ClientOptions, ServiceClient } from '#client/client'
import { type MirrorStep, mirror, type Position } from '#client/mirror'
import { type CatalogRecord, type CatalogType, type RecordsQuery, records } from '#client/records'
import { type SyncPolicy, type SyncResult, type SyncSource, sync } from '#client/sync'

/** Longer than the 29 seconds in which the service answers, for a large file on a slow line. */
const TIMEOUT_MS = 120_000

interface Abortable {
  signal?: AbortSignal
}

const SEARCH = '/medical-db/v1/search/'

/** What a search may be told besides the text. */
export type SearchOptions = Omit<Body<'post', typeof SEARCH>, 'type' | 'q'> & Abortable

/**
 * The service, with what programs mostly do with a catalog.
 *
 * @example
 * const client = new CatalogClient({ baseUrl, tokens: clientCredentials({ baseUrl, clientId, clientSecret, apiKey }) })
 * const result = await client.sync('medication', { file, fileName: 'formulary.csv' }, { mode: 'reconcile', maxShrink:
 * 5 })
 */
export class CatalogClient extends ServiceClient {
  constructor(options: ClientOptions & { baseUrl: string }) {
    super({ timeoutMs: TIMEOUT_MS, ...options })
  }

  /** See `sync`. @throws ServiceError */
  sync(type: CatalogType, source: SyncSource, policy: SyncPolicy = {}): Promise<SyncResult> {
    return sync(this, type, source, policy)
  }

  /** See `mirror`. @param from null makes the copy from the start */
  mirror(
    type: CatalogType,
    from: Position | null,
    options: Abortable = {},
  ): AsyncGenerator<MirrorStep, void, undefined> {
    return mirror(this, type, from, options)
  }

  /** See `records`. */
  records<T extends CatalogType>(
    type: T,
    query: RecordsQuery = {},
    options: Abortable = {},
  ): AsyncGenerator<CatalogRecord<T>, void, undefined> {
    return records(this, type, query, options)
  }

  /**
   * What partners find: the best match first. Sent in a body, so that no log has what a person types. @throws
   * ServiceError
   */
  search(
    type: CatalogType,
    q: string,
    { signal, ...options }: SearchOptions = {},
  ): Promise<Data<'post', typeof SEARCH>> {
    return this.post(SEARCH, { body: { type, q, ...options }, signal })
  }
}

import type * as z from 'zod'
import type {
  changesPageSchema,
  recordHistoryPageSchema,
  writeChangesPageSchema,
  writePageSchema,
} from '#worker/catalog/history/schemas'
import type { restoreResultSchema, writeSchema } from '#worker/catalog/schemas'
import type { catalogStatusSchema } from '#worker/sync/schemas'
import { type Answer, call, type Fields, type Query, queryString, type TestCatalog } from './catalog'

export const CATALOGS = '/admin/catalogs/v1'

export type Write = z.infer<typeof writeSchema>
/** A page of records, with types for the fields that the tests read. */
type WithFields<Page extends { items: { record: unknown }[] }> = Omit<Page, 'items'> & {
  items: (Omit<Page['items'][number], 'record'> & { record: Fields })[]
}

export type Changes = WithFields<z.infer<typeof changesPageSchema>>
export type Versions = WithFields<z.infer<typeof recordHistoryPageSchema>>

/** The history of a catalog, as its owner uses it. Methods that return data expect a 200. */
export class TestHistory {
  constructor(readonly catalog: TestCatalog) {}

  /** Any request. `path` begins below the catalog's own, for example `/writes`. */
  send(method: string, path = '', query: Query = {}, headers: Record<string, string> = {}): Promise<Answer> {
    const { workspace, type, fetch } = this.catalog
    return call(workspace.token, method, `${CATALOGS}/${type}${path}${queryString(query)}`, { headers }, fetch)
  }

  #data<T>(method: string, path: string, query: Query = {}): Promise<T> {
    return this.catalog.data(this.send(method, path, query))
  }

  status(): Promise<z.infer<typeof catalogStatusSchema>> {
    return this.#data('GET', '')
  }

  writes(query: Query = {}): Promise<z.infer<typeof writePageSchema>> {
    return this.#data('GET', '/writes', query)
  }

  write(batchId: string): Promise<Write> {
    return this.#data('GET', `/writes/${batchId}`)
  }

  writeChanges(batchId: string, query: Query = {}): Promise<z.infer<typeof writeChangesPageSchema>> {
    return this.#data('GET', `/writes/${batchId}/changes`, query)
  }

  async lastChanges() {
    return (await this.writeChanges((await this.status()).last_write!.batch_id, { limit: 1000 })).items
  }

  changes(query: Query = {}): Promise<Changes> {
    return this.#data('GET', '/changes', query)
  }

  record(id: string, query: Query = {}): Promise<Versions> {
    return this.#data('GET', `/records/${encodeURIComponent(id)}/history`, query)
  }

  restore(revision: number, query: Query = {}): Promise<z.infer<typeof restoreResultSchema>> {
    return this.#data('POST', '/restore', { revision, ...query })
  }

  undo(batchId: string, query: Query = {}): Promise<z.infer<typeof restoreResultSchema>> {
    return this.#data('POST', `/writes/${batchId}/undo`, query)
  }

  refused(status: number, revision: unknown, query: Query = {}) {
    return this.catalog.refused(status, this.send('POST', '/restore', { revision: revision as number, ...query }))
  }
}

/** The reads whose responses have an entity tag, of a catalog with a record `a`. */
export const taggedReads = (history: TestHistory): ((headers: Record<string, string>) => Promise<Answer>)[] => {
  const { catalog } = history
  return [
    (headers) => history.send('GET', '', {}, headers),
    (headers) => call(catalog.workspace.token, 'GET', `${CATALOGS}/`, { headers }),
    (headers) => catalog.send('GET', '/', {}, { headers }),
    (headers) => catalog.send('GET', '/', { format: 'csv' }, { headers }),
    (headers) => catalog.send('GET', '/a/', {}, { headers }),
  ]
}

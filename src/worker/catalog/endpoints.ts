import { sql } from 'drizzle-orm'
import { scope } from '#worker/auth/access'
import { listBatches } from '#worker/catalog/history/changes'
import { drugFormsEndpoint, getEndpoint, listEndpoint } from '#worker/catalog/read/endpoints'
import { writeEndpoint } from '#worker/catalog/write/endpoint'
import { json } from '#worker/http/body/request-body'
import { enveloped } from '#worker/http/endpoint/answers'
import { endpoint } from '#worker/http/endpoint/endpoint'
import { pageQuerySchema, typeQuerySchema } from '#worker/http/endpoint/values'
import { withDatabaseSlot } from '#worker/http/limits/database-slots'
import { type SearchStatus, searchStatusBodySchema, searchStatusSchema } from '#worker/search/schemas'
import { type CatalogKey, catalogRow } from '#worker/storage/catalog-key'
import { int } from '#worker/storage/database'
import { timeOf } from '#worker/storage/list-page'
import { catalogOf } from './catalog'
import { DATASETS_PATH } from './parameters'
import { batchPageSchema } from './schemas'

const listBatchesEndpoint = endpoint(
  {
    tag: 'Core',
    method: 'get',
    path: `${DATASETS_PATH}/batches/`,
    operationId: 'listBatches',
    summary: 'List CSV uploads that were written, newest first',
    description: 'Dry runs and rejected uploads are not listed.',
    access: scope('catalog:read'),
    query: pageQuerySchema,
    answer: enveloped(batchPageSchema),
  },
  async ({ c, query: { type, limit, offset } }) => {
    const page = await withDatabaseSlot(c, () => listBatches(catalogOf(c, type), { limit, offset }))
    return { message: page.latest === null ? 'No CSV upload yet' : 'Latest CSV uploads', data: page }
  },
)

interface SwitchRow {
  search_enabled: number
  search_updated_at: number | null
}

/** The search setting of a catalog: off until it is first set. */
const returnedSwitch = ({ type }: CatalogKey, row: SwitchRow | undefined): SearchStatus => ({
  type,
  enabled: row?.search_enabled === 1,
  updated_at: timeOf(row?.search_updated_at ?? null),
})

const getSearchStatusEndpoint = endpoint(
  {
    tag: 'Catalog',
    method: 'get',
    path: `${DATASETS_PATH}/search-status/`,
    operationId: 'getSearchStatus',
    summary: "Get whether partner search uses the workspace's own catalog",
    description: 'It uses the catalog of the provider until partner search is turned on.',
    access: scope('catalog:read'),
    query: typeQuerySchema,
    answer: enveloped(searchStatusSchema),
  },
  async ({ c, query: { type } }) => {
    const { db, catalogKey } = catalogOf(c, type)
    const [row] = await db.all(sql<SwitchRow>`select search_enabled, search_updated_at from ${catalogRow(catalogKey)}`)
    const status = returnedSwitch(catalogKey, row)
    return { message: `Search is ${status.enabled ? 'enabled' : 'disabled'}`, data: status }
  },
)

const setSearchStatusEndpoint = endpoint(
  {
    tag: 'Core',
    method: 'post',
    path: `${DATASETS_PATH}/search-status/`,
    operationId: 'setSearchStatus',
    summary: "Turn partner search of the workspace's own catalog on or off",
    description: 'Takes effect with the next search.',
    access: scope('catalog:write'),
    query: typeQuerySchema,
    body: json(searchStatusBodySchema),
    answer: enveloped(searchStatusSchema),
    writes: true,
  },
  async ({ c, query: { type }, body: { enabled }, now }) => {
    const { db, catalogKey } = catalogOf(c, type)
    const statement = sql<SwitchRow>`insert into catalogs (workspace_id, type, search_enabled, search_updated_at)
      values (${catalogKey.workspaceId}, ${catalogKey.type}, ${int(enabled ? 1 : 0)}, ${int(now.getTime())})
      on conflict (workspace_id, type) do update set
        search_enabled = excluded.search_enabled, search_updated_at = excluded.search_updated_at
      returning search_enabled, search_updated_at`
    const status = returnedSwitch(catalogKey, await db.retry(() => db.one(statement)))
    return { message: `Search ${status.enabled ? 'enabled' : 'disabled'}`, data: status }
  },
)

/** The dataset endpoints, in the order in which the router tries their paths: fixed names before IDs. */
export const catalogEndpoints = [
  listEndpoint,
  writeEndpoint,
  listBatchesEndpoint,
  getSearchStatusEndpoint,
  setSearchStatusEndpoint,
  drugFormsEndpoint,
  getEndpoint,
] as const

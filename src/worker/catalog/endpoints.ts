import { scope } from '#worker/auth/access'
import { listBatches } from '#worker/catalog/history/writes'
import { drugFormsEndpoint, getEndpoint, listEndpoint } from '#worker/catalog/read/endpoints'
import { searchStatusBodySchema } from '#worker/catalog/read/queries'
import { writeEndpoint } from '#worker/catalog/uploads/write-endpoint'
import { json } from '#worker/http/body/request-body'
import { enveloped } from '#worker/http/endpoint/answers'
import { endpoint } from '#worker/http/endpoint/endpoint'
import { pageQuerySchema, typeQuerySchema } from '#worker/http/endpoint/values'
import { expensiveRead } from '#worker/http/sharing/read-turns'
import { searchStatusSchema } from '#worker/search/schemas'
import { readSearchStatus, setSearchStatus } from '#worker/search/status'
import { catalogOf } from './catalog'
import { DATASETS_PATH } from './parameters'
import { batchPageSchema } from './schemas'

const listBatchesEndpoint = endpoint(
  {
    tag: 'Catalog',
    method: 'get',
    path: `${DATASETS_PATH}/batches/`,
    operationId: 'listBatches',
    summary: 'List CSV uploads that were written, newest first',
    description: 'Dry runs and refused uploads are not in the list.',
    access: scope('catalog:read'),
    query: pageQuerySchema,
    answer: enveloped(batchPageSchema),
  },
  async ({ c, query: { type, limit, offset } }) => {
    const page = await expensiveRead(c, () => listBatches(catalogOf(c, type), { limit, offset }))
    return { message: page.latest === null ? 'No CSV upload yet' : 'Latest CSV uploads', data: page }
  },
)

const getSearchStatusEndpoint = endpoint(
  {
    tag: 'Catalog',
    method: 'get',
    path: `${DATASETS_PATH}/search-status/`,
    operationId: 'getSearchStatus',
    summary: "Get whether partner search uses the workspace's own catalog",
    description: 'It uses the catalog of the provider until it is switched.',
    access: scope('catalog:read'),
    query: typeQuerySchema,
    answer: enveloped(searchStatusSchema),
  },
  async ({ c, query: { type } }) => {
    const { db, catalogKey } = catalogOf(c, type)
    const status = await readSearchStatus(db, catalogKey)
    return { message: `Search is ${status.enabled ? 'enabled' : 'disabled'}`, data: status }
  },
)

const setSearchStatusEndpoint = endpoint(
  {
    tag: 'Catalog',
    method: 'post',
    path: `${DATASETS_PATH}/search-status/`,
    operationId: 'setSearchStatus',
    summary: "Switch partner search to the workspace's own catalog, or back",
    description: 'Takes effect with the next search.',
    access: scope('catalog:write'),
    query: typeQuerySchema,
    body: json(searchStatusBodySchema),
    answer: enveloped(searchStatusSchema),
    writes: true,
  },
  async ({ c, query: { type }, body: { enabled }, now }) => {
    const { db, catalogKey } = catalogOf(c, type)
    const status = await setSearchStatus(db, catalogKey, enabled, now)
    return { message: `Search ${status.enabled ? 'enabled' : 'disabled'}`, data: status }
  },
)

/** The dataset endpoints, in the order in which the router tries their paths: fixed names come before ids. */
export const catalogEndpoints = [
  listEndpoint,
  writeEndpoint,
  listBatchesEndpoint,
  getSearchStatusEndpoint,
  setSearchStatusEndpoint,
  drugFormsEndpoint,
  getEndpoint,
] as const

import { EXPORT_PAGE_ROWS, LISTED_CHANGES } from '#shared/limits'
import { scope } from '#worker/auth/access'
import { catalogNamed } from '#worker/catalog/catalog'
import { changesFileSchema, sendCsv, wantsCsv } from '#worker/catalog/csv-answer'
import { CATALOGS_PATH } from '#worker/catalog/parameters'
import { writeSchema } from '#worker/catalog/schemas'
import { changesCsv } from '#worker/catalog/write/diff'
import { returnedWrite } from '#worker/catalog/write/result'
import { enveloped, orFile } from '#worker/http/endpoint/answers'
import { endpoint } from '#worker/http/endpoint/endpoint'
import { listQuerySchema } from '#worker/http/endpoint/values'
import { expensiveRead, readsInTurn } from '#worker/http/sharing/read-turns'
import { asPage } from '#worker/storage/list-page'
import { findWrite, listChanges, listRecordHistory, listWrites, readChanges, returnedChange } from './changes'
import { restoreEndpoints } from './restore-endpoints'
import {
  changesPageSchema,
  changesQuerySchema,
  recordHistoryPageSchema,
  writeChangesPageSchema,
  writeChangesQuerySchema,
  writePageSchema,
  writesQuerySchema,
} from './schemas'

const history = { tag: 'History', access: scope('catalog:read'), errors: ['not_found'] } as const

const writes = endpoint(
  {
    ...history,
    method: 'get',
    path: `${CATALOGS_PATH}/{type}/writes`,
    operationId: 'listWrites',
    summary: 'List all writes of a catalog, newest first',
    description:
      'CSV uploads, JSON requests and restores, also those that changed nothing. With `include=changes`, ' +
      `those of at most ${LISTED_CHANGES} records say what they changed.`,
    query: writesQuerySchema,
    answer: enveloped(writePageSchema),
  },
  async ({ c, params, query: { include, ...page } }) => {
    const catalog = catalogNamed(c, params.type)
    const data = await expensiveRead(c, () => listWrites(catalog, page, include === 'changes'))
    return { message: `Writes of the ${catalog.type.title} catalog`, data }
  },
)

const getWrite = endpoint(
  {
    ...history,
    method: 'get',
    path: `${CATALOGS_PATH}/{type}/writes/{batch_id}`,
    operationId: 'getWrite',
    summary: 'Get one write of a catalog',
    description: 'As it is in the list of writes.',
    answer: enveloped(writeSchema),
  },
  async ({ c, params }) => {
    const catalog = catalogNamed(c, params.type)
    const data = returnedWrite(catalog.catalogKey.type, await findWrite(catalog, params.batch_id))
    return { message: `A write of the ${catalog.type.title} catalog`, data }
  },
)

const writeChanges = endpoint(
  {
    ...history,
    method: 'get',
    path: `${CATALOGS_PATH}/{type}/writes/{batch_id}/changes`,
    operationId: 'listWriteChanges',
    summary: 'List what a write did to each record',
    description:
      'In the order in which the records were first written, as JSON in pages or as CSV in the columns ' +
      '`change`, `id`, `name`, `field`, `old`, `new`. A page ends early when it reaches 4 MB. 409 when ' +
      'the earlier versions of the records are no longer kept.',
    query: writeChangesQuerySchema,
    answer: orFile(enveloped(writeChangesPageSchema), { 'text/csv': changesFileSchema }),
    errors: ['not_found', 'conflict'],
  },
  async ({ c, params, query }) => {
    const catalog = catalogNamed(c, params.type)
    const { type } = catalog
    const { limit, offset, format, safe } = query
    if (!wantsCsv(c, format)) {
      const { rows, total } = await expensiveRead(c, () => readChanges(catalog, params.batch_id, { limit, offset }))
      c.header('Vary', 'Accept')
      const items = rows.map((row) => returnedChange(type, row))
      return {
        message: `Changes of a write of the ${type.title} catalog`,
        data: asPage(items, total, { limit, offset }),
      }
    }
    const readFrom = (start: number) =>
      readChanges(catalog, params.batch_id, { limit: EXPORT_PAGE_ROWS, offset: start })
    const first = await expensiveRead(c, () => readFrom(0))
    const readInTurn = readsInTurn(c)
    // Versions may be deleted while the file is sent. A broken file is better than an incomplete one.
    const pages = async function* () {
      let { rows } = first
      for (let start = rows.length; rows.length > 0; start += rows.length) {
        yield rows
        rows = start < first.total ? (await readInTurn(() => readFrom(start))).rows : []
      }
    }
    return sendCsv(c, `${type.name}-changes.csv`, changesCsv(type, safe === '1', pages()))
  },
)

const changes = endpoint(
  {
    ...history,
    method: 'get',
    path: `${CATALOGS_PATH}/{type}/changes`,
    operationId: 'listChanges',
    summary: 'Follow a catalog: the records that have changed since a revision',
    description:
      'Every record whose last change came after `since_revision`, as it is now, active or not, oldest ' +
      'change first. Apply the pages until `has_more` is false; next time ask for the changes since the ' +
      '`revision` of the first page. A page ends early when it reaches 4 MB. A revision that the catalog ' +
      'has not reached is 400: start again from 0. So is an `epoch` that it does not know ' +
      '(`start_again`): it went back to an earlier state.',
    query: changesQuerySchema,
    answer: enveloped(changesPageSchema),
  },
  async ({ c, params, query }) => {
    const catalog = catalogNamed(c, params.type)
    const data = await expensiveRead(c, () => listChanges(catalog, query))
    return { message: `Changes since revision ${query.since_revision}`, data }
  },
)

const recordHistory = endpoint(
  {
    ...history,
    method: 'get',
    path: `${CATALOGS_PATH}/{type}/records/{entity_id}/history`,
    operationId: 'listRecordHistory',
    summary: 'List the versions of a record, newest first',
    description: 'Each version says who wrote it, when, and what changed. A page ends early when it reaches 4 MB.',
    query: listQuerySchema,
    answer: enveloped(recordHistoryPageSchema),
  },
  async ({ c, params, query }) => {
    const catalog = catalogNamed(c, params.type)
    const page = await expensiveRead(c, () => listRecordHistory(catalog, params.entity_id, query))
    return { message: `Versions of a ${catalog.type.title}`, data: page }
  },
)

export const historyEndpoints = [writes, getWrite, writeChanges, changes, recordHistory, ...restoreEndpoints] as const

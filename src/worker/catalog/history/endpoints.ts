import type * as z from 'zod'
import { EXPORT_PAGE_ROWS, LISTED_CHANGES } from '#shared/limits'
import { scope } from '#worker/auth/access'
import { type Catalog, catalogNamed } from '#worker/catalog/catalog'
import { changesFileSchema, sendCsv, wantsCsv } from '#worker/catalog/csv-answer'
import { CATALOGS_PATH } from '#worker/catalog/parameters'
import { writeSchema } from '#worker/catalog/schemas'
import { changesCsv } from '#worker/catalog/write/diff-csv'
import { returnedWrite } from '#worker/catalog/write/result'
import type { AppContext } from '#worker/http/context'
import { enveloped, orFile } from '#worker/http/endpoint/answers'
import { endpoint } from '#worker/http/endpoint/endpoint'
import { listQuerySchema } from '#worker/http/endpoint/values'
import { expensiveRead, readsInTurn } from '#worker/http/sharing/read-turns'
import { asPage, type PageRequest } from '#worker/storage/list-page'
import { listChanges, listRecordHistory } from './changes'
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
import { type ChangeList, findWrite, listWrites, readChanges, returnedChange } from './writes'

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

/**
 * Answers with changes in the order in which the records were first written: a page of them, or all as CSV. Versions
 * may be deleted while the file is sent. A broken file is better than an incomplete one.
 *
 * @param read throws an ApiError for changes that are not kept
 */
async function answerChanges<List extends ChangeList>(
  c: AppContext,
  { type }: Catalog,
  { limit, offset, format, safe }: z.output<typeof writeChangesQuerySchema>,
  read: (page: PageRequest) => Promise<List>,
) {
  if (!wantsCsv(c, format)) {
    const list = await expensiveRead(c, () => read({ limit, offset }))
    c.header('Vary', 'Accept')
    const items = list.rows.map((row) => returnedChange(type, row))
    return { list, page: asPage(items, list.total, { limit, offset }) }
  }
  const readFrom = (start: number) => read({ limit: EXPORT_PAGE_ROWS, offset: start })
  const first = await expensiveRead(c, () => readFrom(0))
  const readInTurn = readsInTurn(c)
  const pages = async function* () {
    let { rows } = first
    for (let offset = rows.length; rows.length > 0; offset += rows.length) {
      yield rows
      rows = offset < first.total ? (await readInTurn(() => readFrom(offset))).rows : []
    }
  }
  return sendCsv(c, `${type.name}-changes.csv`, changesCsv(type, safe === '1', pages()))
}

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
    const answer = await answerChanges(c, catalog, query, (page) => readChanges(catalog, params.batch_id, page))
    if (answer instanceof Response) return answer
    return { message: `Changes of a write of the ${catalog.type.title} catalog`, data: answer.page }
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
  async ({ c, params, query: { since_revision, epoch, limit, cursor } }) => {
    const catalog = catalogNamed(c, params.type)
    const options = { since: since_revision, epoch, cursor: cursor ?? null, limit }
    const page = await expensiveRead(c, () => listChanges(catalog, options))
    return { message: `Changes since revision ${since_revision}`, data: page }
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

import { scope } from '#auth/access'
import { changeOptions, diffCsvOptions, maxShrinkOf, noteResult } from '#catalog/change-request'
import { sendCsv, wantsCsv } from '#catalog/csv-answer'
import { CATALOGS_PATH } from '#catalog/paths'
import { readStatus, readStatuses } from '#catalog/read/status'
import { catalogNamed } from '#catalog/requested-catalog'
import { restoreResult } from '#catalog/schemas'
import { writeMessage } from '#catalog/write/message'
import { csvContent } from '#catalog/write/upload-body'
import { catalogDatabaseOf } from '#http/databases'
import { enveloped, envelopedAs, orFile } from '#http/endpoint/answers'
import { conditional, taggedByContent } from '#http/endpoint/conditional'
import { endpoint } from '#http/endpoint/endpoint'
import { listQuery } from '#http/endpoint/page'
import { expensiveRead, pacedRead } from '#http/sharing/expensive-reads'
import { MAX_RESTORED_RECORDS } from '#limits'
import { listChanges } from './changes'
import { changesQuery, restoreQuery, writeChangesQuery } from './queries'
import { listRecordHistory } from './record-history'
import { restoreCatalog, restoreCsv } from './restore'
import {
  catalogStatus,
  catalogStatuses,
  changesPage,
  recordHistoryPage,
  write,
  writeChangesPage,
  writePage,
} from './schemas'
import { listWriteChanges, listWrites, readWrite, writeChangesCsv } from './writes'

/**
 * Status, writes, changes, history and restore. The type is part of the path, so that no record id can be mistaken
 * for a fixed name.
 */

const history = { tag: 'History', access: scope('catalog:read'), errors: ['not_found'] } as const

const getStatuses = endpoint(
  {
    ...history,
    method: 'get',
    path: `${CATALOGS_PATH}/`,
    operationId: 'listCatalogStatuses',
    errors: [],
    summary: 'Get the status of the four catalogs',
    description:
      'Carries an `ETag` that covers all that is in it; a request with `If-None-Match` is answered 304 when nothing has ' +
      'changed.',
    answer: conditional(envelopedAs('Status of the catalogs', catalogStatuses)),
  },
  async ({ c, now }) => {
    const items = await readStatuses(catalogDatabaseOf(c), c.var.caller.workspaceId, now)
    return taggedByContent(c, { items })
  },
)

const getStatus = endpoint(
  {
    ...history,
    method: 'get',
    path: `${CATALOGS_PATH}/{type}`,
    operationId: 'getCatalogStatus',
    summary: 'Get the status of a catalog',
    description:
      'Carries an `ETag` that covers all that is in it; a request with `If-None-Match` is answered 304 when nothing has ' +
      'changed.',
    answer: conditional(enveloped(catalogStatus)),
  },
  async ({ c, params, now }) => {
    const catalog = catalogNamed(c, params.type)
    const data = await readStatus(catalog, now)
    return taggedByContent(c, { message: `Status of the ${catalog.type.title} catalog`, data })
  },
)

const writes = endpoint(
  {
    ...history,
    method: 'get',
    path: `${CATALOGS_PATH}/{type}/writes`,
    operationId: 'listWrites',
    summary: 'List all writes of a catalog, newest first',
    description: 'CSV uploads, JSON requests and restores, also those that changed nothing.',
    query: listQuery,
    answer: enveloped(writePage),
  },
  async ({ c, params, query }) => {
    const catalog = catalogNamed(c, params.type)
    const page = await expensiveRead(c, () => listWrites(catalog, query))
    return { message: `Writes of the ${catalog.type.title} catalog`, data: page }
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
    answer: enveloped(write),
  },
  async ({ c, params }) => {
    const catalog = catalogNamed(c, params.type)
    const data = await readWrite(catalog, params.batch_id)
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
      'In the order in which the records were first written, as JSON in pages or as CSV in the columns `change`, `id`, ' +
      '`name`, `field`, `old`, `new`. A page ends early when it reaches 4 MB. 409 when the earlier versions of the ' +
      'records are no longer kept.',
    query: writeChangesQuery,
    answer: orFile(enveloped(writeChangesPage), { 'text/csv': csvContent }),
    errors: ['not_found', 'conflict'],
  },
  async ({ c, params, query: { limit, offset, format, safe } }) => {
    const catalog = catalogNamed(c, params.type)
    if (wantsCsv(c, format)) {
      const start = () => writeChangesCsv(catalog, params.batch_id, safe === '1', pacedRead(c))
      const portions = await expensiveRead(c, start)
      return sendCsv(c, `${catalog.type.name}-changes.csv`, portions)
    }
    const read = () => listWriteChanges(catalog, params.batch_id, { limit, offset })
    const page = await expensiveRead(c, read)
    c.header('Vary', 'Accept')
    return { message: `Changes of a write of the ${catalog.type.title} catalog`, data: page }
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
      'Every record whose last change came after `since_revision`, as it is now, active or not, oldest change first. ' +
      'Apply the pages until `has_more` is false; next time ask for the changes since the `revision` of the first page. ' +
      'A page ends early when it reaches 4 MB. A revision that the catalog has not reached is 400: start again from 0. So is an ' +
      '`epoch` that it does not know (`start_again`): it went back to an earlier state.',
    query: changesQuery,
    answer: enveloped(changesPage),
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
    description:
      'Each version says who wrote it, when, and what changed. A page ends early when it reaches 4 MB.',
    query: listQuery,
    answer: enveloped(recordHistoryPage),
  },
  async ({ c, params, query }) => {
    const catalog = catalogNamed(c, params.type)
    const page = await expensiveRead(c, () => listRecordHistory(catalog, params.entity_id, query))
    return { message: `Versions of a ${catalog.type.title}`, data: page }
  },
)

const restore = endpoint(
  {
    ...history,
    method: 'post',
    path: `${CATALOGS_PATH}/{type}/restore`,
    operationId: 'restoreCatalog',
    summary: 'Make a catalog what it was after an earlier revision',
    description:
      'Changed records get their old values, deactivated ones are active again, and those that were not there yet are ' +
      'deactivated: nothing is ever deleted. A restore is one step, as a write is, with the same preview, shrink guard and ' +
      '`expected_revision`. It makes a new revision, unless nothing differs, and can itself be undone. 409 when it would ' +
      `change more than ${MAX_RESTORED_RECORDS.toLocaleString('en')} records; the message names the revisions by which one can go back.`,
    access: scope('catalog:write'),
    query: restoreQuery,
    answer: orFile(enveloped(restoreResult), { 'text/csv': csvContent }),
    errors: ['not_found', 'conflict'],
  },
  async ({ c, params, query, now }) => {
    const catalog = catalogNamed(c, params.type)
    const wanted = { revision: query.revision, most: MAX_RESTORED_RECORDS }
    const csvOptions = diffCsvOptions(c, query)
    if (csvOptions !== undefined) {
      const portions = await expensiveRead(c, () => restoreCsv(catalog, { ...csvOptions, ...wanted }))
      return sendCsv(c, `${catalog.type.name}-changes.csv`, portions)
    }
    const options = { ...changeOptions(c, query, now), ...wanted, maxShrink: maxShrinkOf(query) }
    const restore = () => restoreCatalog(catalog, options, c.var.deadline)
    const result = await (options.dryRun ? expensiveRead(c, restore) : restore())
    noteResult(c, result)
    return { message: writeMessage(result), data: result }
  },
)

export const historyEndpoints = [
  getStatuses,
  getStatus,
  writes,
  getWrite,
  writeChanges,
  changes,
  recordHistory,
  restore,
] as const

import { scope } from '#auth/access'
import { configOf } from '#env'
import { ApiError } from '#errors'
import { enveloped, orFile } from '#http/answers'
import { conditional, notModified } from '#http/conditional'
import type { AppContext } from '#http/context'
import { catalogDatabaseOf } from '#http/databases'
import { endpoint } from '#http/endpoint'
import { expensiveRead, pacedRead } from '#http/expensive-reads'
import { RECORD_TYPES } from '#records/record-type'
import { recordTypes } from '#records/record-types'
import { listChanges } from './changes'
import { maxShrinkOf, scopeOf, sendCsv, wantsCsv, writeMessage } from './endpoint-parts'
import { changesQuery, historyPageQuery, restoreQuery, writeChangesQuery } from './history-queries'
import {
  catalogStatus,
  catalogStatuses,
  changesPage,
  recordHistoryPage,
  write,
  writeChangesPage,
  writePage,
} from './history-schemas'
import { listRecordHistory } from './record-history'
import { restoreCatalog, restoreCsv } from './restore'
import { restoreResult } from './schemas'
import { readStatus, readStatuses } from './status'
import { csvContent } from './upload-body'
import { listWriteChanges, listWrites, readWrite, writeChangesCsv } from './writes'

/**
 * Status, writes, changes, history and restore. The type is part of the path, so that no record id can be mistaken
 * for a fixed name.
 */

const BASE = '/admin/catalogs/v1'

const history = { tag: 'History' } as const

/** @throws ApiError 404 when there is no such type */
function catalogOf(c: AppContext, name: string) {
  const type = RECORD_TYPES.find((known) => known === name)
  if (type === undefined) {
    throw new ApiError(
      'not_found',
      `There is no catalog "${name}"; the catalogs are ${RECORD_TYPES.join(', ')}.`,
    )
  }
  return { db: catalogDatabaseOf(c), scope: scopeOf(c, type), type: recordTypes[type] }
}

const getStatuses = endpoint(
  {
    ...history,
    method: 'get',
    path: `${BASE}/`,
    operationId: 'listCatalogStatuses',
    summary: 'Get the status of the four catalogs',
    description:
      'Carries an `ETag`; a request with `If-None-Match` is answered 304 when nothing has changed.',
    access: scope('catalog:read'),
    answer: conditional(enveloped(catalogStatuses)),
  },
  async ({ c }) => {
    const statuses = await readStatuses(catalogDatabaseOf(c), c.var.caller.workspaceId)
    const tag = `W/"${statuses.map(({ tag }) => tag.slice(3, -1)).join('.')}"`
    const unchanged = notModified(c, tag)
    if (unchanged) return unchanged
    c.header('ETag', tag)
    return { message: 'Status of the catalogs', data: { items: statuses.map(({ status }) => status) } }
  },
)

const getStatus = endpoint(
  {
    ...history,
    method: 'get',
    path: `${BASE}/{type}`,
    operationId: 'getCatalogStatus',
    summary: 'Get the status of a catalog',
    description:
      'Carries an `ETag` made of the revision and the search switch; a request with `If-None-Match` is answered 304 when ' +
      'neither has changed.',
    access: scope('catalog:read'),
    answer: conditional(enveloped(catalogStatus)),
    errors: ['not_found'],
  },
  async ({ c, params }) => {
    const { db, scope, type } = catalogOf(c, params.type)
    const { status, tag } = await readStatus(db, scope)
    const unchanged = notModified(c, tag)
    if (unchanged) return unchanged
    c.header('ETag', tag)
    return { message: `Status of the ${type.title} catalog`, data: status }
  },
)

const writes = endpoint(
  {
    ...history,
    method: 'get',
    path: `${BASE}/{type}/writes`,
    operationId: 'listWrites',
    summary: 'List all writes of a catalog, newest first',
    description: 'CSV uploads, JSON requests and restores, also those that changed nothing.',
    access: scope('catalog:read'),
    query: historyPageQuery,
    answer: enveloped(writePage),
    errors: ['not_found'],
  },
  async ({ c, params, query }) => {
    const { db, scope, type } = catalogOf(c, params.type)
    const page = await expensiveRead(c, () => listWrites(db, scope, query))
    return { message: `Writes of the ${type.title} catalog`, data: page }
  },
)

const getWrite = endpoint(
  {
    ...history,
    method: 'get',
    path: `${BASE}/{type}/writes/{batch_id}`,
    operationId: 'getWrite',
    summary: 'Get one write of a catalog',
    description: 'As it is in the list of writes.',
    access: scope('catalog:read'),
    answer: enveloped(write),
    errors: ['not_found'],
  },
  async ({ c, params }) => {
    const { db, scope, type } = catalogOf(c, params.type)
    const data = await readWrite(db, scope, params.batch_id)
    return { message: `A write of the ${type.title} catalog`, data }
  },
)

const writeChanges = endpoint(
  {
    ...history,
    method: 'get',
    path: `${BASE}/{type}/writes/{batch_id}/changes`,
    operationId: 'listWriteChanges',
    summary: 'List what a write did to each record',
    description:
      'In the order in which the records were first written, as JSON in pages or as CSV in the columns `change`, `id`, ' +
      '`name`, `field`, `old`, `new`. A page ends early when it reaches 4 MB. 409 when the earlier versions of the ' +
      'records are no longer kept.',
    access: scope('catalog:read'),
    query: writeChangesQuery,
    answer: orFile(enveloped(writeChangesPage), { 'text/csv': csvContent }),
    errors: ['not_found', 'conflict'],
  },
  async ({ c, params, query: { limit, offset, format, safe } }) => {
    const { db, scope, type } = catalogOf(c, params.type)
    if (wantsCsv(c, format)) {
      const start = () => writeChangesCsv(db, scope, type, params.batch_id, safe === '1', pacedRead(c))
      const portions = await expensiveRead(c, start)
      return sendCsv(c, `${type.name}-changes.csv`, portions)
    }
    const read = () => listWriteChanges(db, scope, type, params.batch_id, { limit, offset })
    const page = await expensiveRead(c, read)
    c.header('Vary', 'Accept')
    return { message: `Changes of a write of the ${type.title} catalog`, data: page }
  },
)

const changes = endpoint(
  {
    ...history,
    method: 'get',
    path: `${BASE}/{type}/changes`,
    operationId: 'listChanges',
    summary: 'Follow a catalog: the records that have changed since a revision',
    description:
      'Every record whose last change came after `since_revision`, as it is now, active or not, oldest change first. ' +
      'Apply the pages until `has_more` is false; next time ask for the changes since the `revision` of the first page. ' +
      'A page ends early when it reaches 4 MB. A revision that the catalog has not reached is 400: start again from 0.',
    access: scope('catalog:read'),
    query: changesQuery,
    answer: enveloped(changesPage),
    errors: ['not_found'],
  },
  async ({ c, params, query: { since_revision, limit, cursor } }) => {
    const { db, scope, type } = catalogOf(c, params.type)
    const options = { since: since_revision, cursor: cursor ?? null, limit }
    const page = await expensiveRead(c, () => listChanges(db, scope, type, options))
    return { message: `Changes since revision ${since_revision}`, data: page }
  },
)

const recordHistory = endpoint(
  {
    ...history,
    method: 'get',
    path: `${BASE}/{type}/records/{entity_id}/history`,
    operationId: 'listRecordHistory',
    summary: 'List the versions of a record, newest first',
    description:
      'Each version says who wrote it, when, and what changed. A page ends early when it reaches 4 MB.',
    access: scope('catalog:read'),
    query: historyPageQuery,
    answer: enveloped(recordHistoryPage),
    errors: ['not_found'],
  },
  async ({ c, params, query }) => {
    const { db, scope, type } = catalogOf(c, params.type)
    const read = () => listRecordHistory(db, scope, type, params.entity_id, query)
    const page = await expensiveRead(c, read)
    return { message: `Versions of a ${type.title}`, data: page }
  },
)

const restore = endpoint(
  {
    ...history,
    method: 'post',
    path: `${BASE}/{type}/restore`,
    operationId: 'restoreCatalog',
    summary: 'Make a catalog what it was after an earlier revision',
    description:
      'Changed records get their old values, deactivated ones are active again, and those that were not there yet are ' +
      'deactivated: nothing is ever deleted. A restore is one step, as a write is, with the same preview, shrink guard and ' +
      '`expected_revision`. It makes a new revision, unless nothing differs, and can itself be undone.',
    access: scope('catalog:write'),
    query: restoreQuery,
    answer: orFile(enveloped(restoreResult), { 'text/csv': csvContent }),
    errors: ['not_found', 'conflict'],
  },
  async ({ c, params, query, now }) => {
    const { db, scope, type } = catalogOf(c, params.type)
    const { revision } = query
    const expectedRevision = query.expected_revision ?? null
    if (query.include === 'diff' && wantsCsv(c, query.format)) {
      const options = {
        revision,
        expectedRevision,
        only: query.change ?? null,
        safe: query.safe === '1',
        paced: pacedRead(c),
      }
      const portions = await expensiveRead(c, () => restoreCsv(db, scope, type, options))
      return sendCsv(c, `${type.name}-changes.csv`, portions)
    }
    const options = {
      revision,
      dryRun: query.dry_run ?? false,
      diff: query.include === 'diff',
      maxShrink: maxShrinkOf(query),
      keepsVersions: configOf(c.env).historyDays > 0,
      expectedRevision,
      actor: c.var.caller.actor,
      now: now.getTime(),
    }
    const restore = () => restoreCatalog(db, scope, type, options, c.var.deadline)
    const result = await (options.dryRun ? expensiveRead(c, restore) : restore())
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

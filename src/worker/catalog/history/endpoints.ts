import { EXPORT_PAGE_ROWS, LISTED_CHANGES, MAX_RESTORED_RECORDS } from '#shared/limits'
import { scope } from '#worker/auth/access'
import { type Catalog, catalogNamed } from '#worker/catalog/catalog'
import { changesFileSchema, sendCsv, wantsCsv } from '#worker/catalog/csv-answer'
import { CATALOGS_PATH } from '#worker/catalog/parameters'
import { restoreResultSchema, writeSchema } from '#worker/catalog/schemas'
import { changesCsv } from '#worker/catalog/write/diff'
import { COMMIT_DEFAULTS, type CommitQuery, maxShrinkOf } from '#worker/catalog/write/queries'
import {
  answerCommit,
  commitKeyOf,
  commitOnce,
  commitOptions,
  diffCsvOptions,
  idempotencyHeaderSchema,
  sendDiff,
} from '#worker/catalog/write/request'
import { returnedWrite } from '#worker/catalog/write/result'
import type { AppContext } from '#worker/http/context'
import { enveloped, orFile } from '#worker/http/endpoint/answers'
import { endpoint } from '#worker/http/endpoint/endpoint'
import { listQuerySchema } from '#worker/http/endpoint/values'
import { streamSlots, withDatabaseSlot, withWriteSlot } from '#worker/http/limits/database-slots'
import { asPage } from '#worker/storage/list-page'
import { findWrite, listChanges, listRecordHistory, listWrites, readChanges, returnedChange } from './changes'
import { previewRestore, restoreCatalog, restoreCsv, undoTarget } from './restore'
import {
  changesPageSchema,
  changesQuerySchema,
  recordHistoryPageSchema,
  restoreQuerySchema,
  undoQuerySchema,
  writeChangesPageSchema,
  writeChangesQuerySchema,
  writePageSchema,
  writesQuerySchema,
} from './schemas'
import type { RestoreTarget } from './sql/restore'

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
    const data = await withDatabaseSlot(c, () => listWrites(catalog, page, include === 'changes'))
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
    description: 'Returns the write as the list of writes does.',
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
      'Changes are in the order in which the records were first written. JSON has pages; CSV has the columns ' +
      '`change`, `id`, `name`, `field`, `old`, `new`. A page ends early when it reaches 4 MB. If the earlier ' +
      'versions of the records are no longer kept, the response is 409.',
    query: writeChangesQuerySchema,
    answer: orFile(enveloped(writeChangesPageSchema), { 'text/csv': changesFileSchema }),
    errors: ['not_found', 'conflict'],
  },
  async ({ c, params, query }) => {
    const catalog = catalogNamed(c, params.type)
    const { type } = catalog
    const { limit, offset, format, safe } = query
    if (!wantsCsv(c, format)) {
      const { rows, total } = await withDatabaseSlot(c, () => readChanges(catalog, params.batch_id, { limit, offset }))
      c.header('Vary', 'Accept')
      const items = rows.map((row) => returnedChange(type, row))
      return {
        message: `Changes of a write of the ${type.title} catalog`,
        data: asPage(items, total, { limit, offset }),
      }
    }
    const readFrom = (start: number) =>
      readChanges(catalog, params.batch_id, { limit: EXPORT_PAGE_ROWS, offset: start })
    const first = await withDatabaseSlot(c, () => readFrom(0))
    const withSlot = streamSlots(c)
    // Versions may be deleted while the file is sent. A broken file is better than an incomplete one.
    const pages = async function* () {
      let { rows } = first
      for (let start = rows.length; rows.length > 0; start += rows.length) {
        yield rows
        rows = start < first.total ? (await withSlot(() => readFrom(start))).rows : []
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
    summary: 'Get the change feed of a catalog: the records that have changed since a revision',
    description:
      'Returns every record whose last change came after `since_revision`, as it is now, active or not, oldest ' +
      'change first. Apply the pages until `has_more` is false. Next time, request the changes since the `revision` ' +
      'of the first page. A page ends early when it reaches 4 MB. If the catalog has not reached the revision, the ' +
      'response is 400: start again from 0. An unknown `epoch` is also 400 (`start_again`): the catalog was ' +
      'restored from a backup.',
    query: changesQuerySchema,
    answer: enveloped(changesPageSchema),
  },
  async ({ c, params, query }) => {
    const catalog = catalogNamed(c, params.type)
    const data = await withDatabaseSlot(c, () => listChanges(catalog, query))
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
    const page = await withDatabaseSlot(c, () => listRecordHistory(catalog, params.entity_id, query))
    return { message: `Versions of a ${catalog.type.title}`, data: page }
  },
)

const restoreDefaults = {
  tag: 'History',
  access: scope('catalog:write'),
  method: 'post',
  answer: orFile(enveloped(restoreResultSchema), { 'text/csv': changesFileSchema }),
  headers: idempotencyHeaderSchema,
  errors: ['not_found', 'conflict', 'unprocessable'],
} as const

const restore = endpoint(
  {
    ...restoreDefaults,
    path: `${CATALOGS_PATH}/{type}/restore`,
    operationId: 'restoreCatalog',
    summary: 'Restore a catalog to an earlier revision',
    description:
      'Changed records get their old values, deactivated records become active again, and records that did not ' +
      'exist yet are deactivated. Nothing is ever deleted. Like a write, a restore is one step, with the same ' +
      'preview, shrink guard and `expected_revision`. It creates a new revision, unless nothing differs, and can ' +
      `itself be undone. If it would change more than ${MAX_RESTORED_RECORDS.toLocaleString('en')} records, the ` +
      'response is 409.',
    query: restoreQuerySchema,
  },
  async ({ c, params, query, now }) => {
    const catalog = catalogNamed(c, params.type)
    return answerRestore(c, catalog, query, { revision: query.revision }, 'restore', now)
  },
)

const undo = endpoint(
  {
    ...restoreDefaults,
    path: `${CATALOGS_PATH}/{type}/writes/{batch_id}/undo`,
    operationId: 'undoWrite',
    summary: 'Undo a single write',
    description:
      'Works even if other writes followed. The records of the write become what they were before it; records that ' +
      'it added are deactivated. Everything else stays. If later writes changed some of these records, a dry run ' +
      'lists them in `changed_later`, and the undo returns 409. With `leave_changed=true`, the undo keeps these ' +
      'records as they are. Preview, shrink guard and limits are those of a restore.',
    query: undoQuerySchema,
  },
  async ({ c, params, query, now }) => {
    const catalog = catalogNamed(c, params.type)
    const target = { ...(await undoTarget(catalog, params.batch_id)), leavesChanged: query.leave_changed }
    return answerRestore(c, catalog, query, target, `undo ${params.batch_id}`, now)
  },
)

/** @param what distinguishes requests to both endpoints and to different writes */
async function answerRestore(
  c: AppContext,
  catalog: Catalog,
  query: CommitQuery,
  restoredTarget: Omit<RestoreTarget, 'maxRecords'>,
  what: string,
  now: Date,
) {
  const { type } = catalog
  const target = { ...restoredTarget, maxRecords: MAX_RESTORED_RECORDS }
  const csvOptions = diffCsvOptions(c, query)
  if (csvOptions !== undefined) {
    return sendDiff(c, type, await withDatabaseSlot(c, () => restoreCsv(catalog, { ...csvOptions, ...target })))
  }
  const options = { ...commitOptions(c, query, 'restore', now), ...target, maxShrink: maxShrinkOf(query) }
  if (query.dry_run) return answerCommit(c, await withDatabaseSlot(c, () => previewRestore(catalog, options)))
  const key = await commitKeyOf(c, query, { ...COMMIT_DEFAULTS, leave_changed: false }, () => [what])
  const commit = () => restoreCatalog(catalog, { ...options, key }, c.var.deadline)
  return commitOnce(
    c,
    catalog,
    key,
    () => 'restore' as const,
    async () => answerCommit(c, await withWriteSlot(c, commit)),
  )
}

export const historyEndpoints = [writes, getWrite, writeChanges, changes, recordHistory, restore, undo] as const

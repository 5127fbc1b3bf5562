import { type Context, Hono } from 'hono'
import { accepts } from 'hono/accepts'
import { authenticate, authenticateWithPartnerToken, requireScope } from '#auth/authenticate'
import type { AppContext, AppEnv } from '#http/context'
import { Mutex } from '#http/mutex'
import { success } from '#http/responses'
import { streamText } from '#http/stream'
import { readJson, validQuery } from '#http/validation'
import { SMALL_BODY_BYTES } from '#limits'
import { CHANGES } from '#records/change'
import { DRUG_FORMS } from '#records/drug-forms'
import type { RecordTypeName } from '#records/record-type'
import { recordTypes } from '#records/record-types'
import { readSearchStatus, setSearchStatus } from '#search/status'
import type { CatalogScope } from '#storage/catalog-scope'
import { catalogDatabase, type Database } from '#storage/database'
import { listBatches } from './batches'
import { diffCsv } from './diff-csv'
import { exportCsv } from './export'
import { getRecord } from './get'
import { listRecords } from './list'
import { listQuery, pageQuery, searchStatusBody, typeQuery, writeQuery } from './queries'
import { receiveUpload } from './upload'
import { type WriteResult, writeRecords } from './write'

const largeWrites = new Mutex()

const databaseOf = (c: AppContext): Database =>
  catalogDatabase(c.env, c.var.caller.databaseBinding, c.var.meter)

/** The workspace comes from the credential alone. */
const scopeOf = (c: AppContext, type: RecordTypeName): CatalogScope => ({
  workspaceId: c.var.caller.workspaceId,
  type,
})

const wantsCsv = (c: Context, format: 'json' | 'csv' | undefined): boolean =>
  format === undefined
    ? accepts(c, {
        header: 'Accept',
        supports: ['application/json', 'text/csv'],
        default: 'application/json',
      }) === 'text/csv'
    : format === 'csv'

const sendCsv = (c: AppContext, fileName: string, portions: AsyncIterable<string>): Response =>
  streamText(c, portions, 200, {
    'Content-Type': 'text/csv; charset=utf-8',
    'Content-Disposition': `attachment; filename="${fileName}"`,
    Vary: 'Accept',
  })

/** The dataset endpoints (specification, Endpoints), mounted at /admin/datasets/v1. */
export const catalogRoutes = new Hono<AppEnv>({ strict: false })

catalogRoutes.get(
  '/',
  authenticateWithPartnerToken,
  requireScope('catalog:read'),
  validQuery(listQuery),
  async (c) => {
    const { type, q, show_inactive, limit, offset, updated_since, format } = c.req.valid('query')
    const filter = { q, showInactive: show_inactive === '1', updatedSince: updated_since ?? null }
    if (wantsCsv(c, format)) {
      return sendCsv(c, `${type}.csv`, exportCsv(databaseOf(c), scopeOf(c, type), recordTypes[type], filter))
    }
    const page = await listRecords(databaseOf(c), scopeOf(c, type), recordTypes[type], filter, {
      limit,
      offset,
    })
    return c.json(page, 200, { Vary: 'Accept' })
  },
)

catalogRoutes.post('/', authenticate, requireScope('catalog:write'), validQuery(writeQuery), async (c) => {
  const query = c.req.valid('query')
  const type = recordTypes[query.type]
  const received = await receiveUpload(c)
  if (received.bytes > SMALL_BODY_BYTES) c.var.completion.add(await largeWrites.take())
  const upload = received.read(type)
  const expectedRevision = query.expected_revision ?? null
  if (query.include === 'diff' && wantsCsv(c, query.format)) {
    const options = { mode: query.mode, expectedRevision, only: query.change ?? null }
    const portions = await diffCsv(databaseOf(c), scopeOf(c, query.type), type, upload.source, options)
    return sendCsv(c, `${query.type}-changes.csv`, portions)
  }
  const result = await writeRecords(
    databaseOf(c),
    scopeOf(c, query.type),
    type,
    upload.source,
    {
      mode: query.mode,
      dryRun: query.dry_run ?? false,
      confirmShrink: query.confirm_shrink ?? false,
      diff: query.include === 'diff',
      expectedRevision,
      fileName: upload.fileName,
      sizeBytes: upload.sizeBytes,
      actor: c.var.caller.actor,
      now: Date.now(),
    },
    c.var.deadline,
  )
  return success(c, messageOf(result), result)
})

catalogRoutes.get(
  '/batches',
  authenticate,
  requireScope('catalog:read'),
  validQuery(pageQuery),
  async (c) => {
    const { type, limit, offset } = c.req.valid('query')
    const page = await listBatches(databaseOf(c), scopeOf(c, type), { limit, offset })
    return success(c, page.latest === null ? 'No CSV upload yet' : 'Latest CSV uploads', page)
  },
)

catalogRoutes.get(
  '/search-status',
  authenticate,
  requireScope('catalog:read'),
  validQuery(typeQuery),
  async (c) => {
    const { type } = c.req.valid('query')
    const status = await readSearchStatus(databaseOf(c), scopeOf(c, type))
    return success(c, `Search is ${status.enabled ? 'enabled' : 'disabled'}`, status)
  },
)

catalogRoutes.post(
  '/search-status',
  authenticate,
  requireScope('catalog:write'),
  validQuery(typeQuery),
  async (c) => {
    const { type } = c.req.valid('query')
    const { enabled } = await readJson(c, searchStatusBody)
    const status = await setSearchStatus(databaseOf(c), scopeOf(c, type), enabled, Date.now(), c.var.deadline)
    return success(c, `Search ${status.enabled ? 'enabled' : 'disabled'}`, status)
  },
)

catalogRoutes.get('/drug-forms', authenticate, requireScope('catalog:read'), (c) =>
  success(c, `${DRUG_FORMS.length} accepted drug forms`, { items: DRUG_FORMS, count: DRUG_FORMS.length }),
)

// After the fixed names, which are refused as ids.
catalogRoutes.get(
  '/:entity_id',
  authenticateWithPartnerToken,
  requireScope('catalog:read'),
  validQuery(typeQuery),
  async (c) => {
    const { type } = c.req.valid('query')
    const record = await getRecord(
      databaseOf(c),
      scopeOf(c, type),
      recordTypes[type],
      c.req.param('entity_id'),
    )
    return success(c, `${recordTypes[type].title} found`, record)
  },
)

// Whatever else is asked for below this path is told to those alone who have a token.
catalogRoutes.use(authenticate)

/** A sentence for people; programs read the counts. */
function messageOf(result: WriteResult): string {
  const counts = CHANGES.filter((name) => result[name] > 0).map(
    (name) =>
      `${result[name]} ${name}${name === 'updated' && result.unchanged > 0 ? ` (${result.unchanged} of them unchanged)` : ''}`,
  )
  const done = result.dry_run ? 'would be written' : 'written'
  return `${result.total} ${result.total === 1 ? 'record' : 'records'} ${done}${counts.length > 0 ? `: ${counts.join(', ')}` : ''}`
}

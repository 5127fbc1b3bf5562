import { MAX_RESTORED_RECORDS } from '#shared/limits'
import { scope } from '#worker/auth/access'
import { type Catalog, catalogNamed } from '#worker/catalog/catalog'
import { changesFileSchema, sendCsv } from '#worker/catalog/csv-answer'
import { CATALOGS_PATH } from '#worker/catalog/parameters'
import { restoreResultSchema } from '#worker/catalog/schemas'
import {
  answerAgain,
  answerChange,
  CHANGE_DEFAULTS,
  type ChangeQuery,
  changeOptions,
  diffCsvOptions,
  maxShrinkOf,
  runChange,
} from '#worker/catalog/write/change-request'
import {
  findKeyedWrite,
  idempotencyHeaderSchema,
  requestDigest,
  requireKeyedWrite,
} from '#worker/catalog/write/idempotency'
import { committedResult } from '#worker/catalog/write/result'
import type { AppContext } from '#worker/http/context'
import { enveloped, orFile } from '#worker/http/endpoint/answers'
import { endpoint } from '#worker/http/endpoint/endpoint'
import { idempotencyKeyOf } from '#worker/http/endpoint/idempotency-key'
import { expensiveRead } from '#worker/http/sharing/read-turns'
import { restoreQuerySchema, undoQuerySchema } from './queries'
import { restoreCatalog, restoreCsv, undoTarget } from './restore'
import type { RestoreTarget } from './sql/restore'

/** Restores: of a whole catalog to a revision, or of one write. */

const endpointDefaults = {
  tag: 'History',
  access: scope('catalog:write'),
  method: 'post',
  answer: orFile(enveloped(restoreResultSchema), { 'text/csv': changesFileSchema }),
  headers: idempotencyHeaderSchema,
  errors: ['not_found', 'conflict', 'unprocessable'],
} as const

const restore = endpoint(
  {
    ...endpointDefaults,
    path: `${CATALOGS_PATH}/{type}/restore`,
    operationId: 'restoreCatalog',
    summary: 'Make a catalog what it was after an earlier revision',
    description:
      'Changed records get their old values, deactivated ones are active again, and those that were not ' +
      'there yet are deactivated: nothing is ever deleted. A restore is one step, as a write is, with the ' +
      'same preview, shrink guard and `expected_revision`. It makes a new revision, unless nothing ' +
      'differs, and can itself be undone. 409 when it would change more than ' +
      `${MAX_RESTORED_RECORDS.toLocaleString('en')} records.`,
    query: restoreQuerySchema,
  },
  async ({ c, params, query, now }) => {
    const catalog = catalogNamed(c, params.type)
    return answerRestore(c, catalog, query, { revision: query.revision }, 'restore', now)
  },
)

const undo = endpoint(
  {
    ...endpointDefaults,
    path: `${CATALOGS_PATH}/{type}/writes/{batch_id}/undo`,
    operationId: 'undoWrite',
    summary: 'Take back one write, also if others came after it',
    description:
      'The records of the write become what they were before it; records that it added are deactivated. ' +
      'Everything else stays. 409 if later writes changed some of these records, unless ' +
      '`leave_changed=true` leaves those as they are; a dry run then has `changed_later`. Otherwise as a ' +
      'restore.',
    query: undoQuerySchema,
  },
  async ({ c, params, query, now }) => {
    const catalog = catalogNamed(c, params.type)
    const target = { ...(await undoTarget(catalog, params.batch_id)), leavesChanged: query.leave_changed }
    return answerRestore(c, catalog, query, target, `undo ${params.batch_id}`, now)
  },
)

/** @param what tells the requests of both endpoints apart, and those of different writes */
async function answerRestore(
  c: AppContext,
  catalog: Catalog,
  query: ChangeQuery,
  target: Omit<RestoreTarget, 'maxRecords'>,
  what: string,
  now: Date,
) {
  const limitedTarget = { ...target, maxRecords: MAX_RESTORED_RECORDS }
  const csvOptions = diffCsvOptions(c, query)
  if (csvOptions !== undefined) {
    const portions = await expensiveRead(c, () => restoreCsv(catalog, { ...csvOptions, ...limitedTarget }))
    return sendCsv(c, `${catalog.type.name}-changes.csv`, portions)
  }
  const name = query.dry_run ? null : idempotencyKeyOf(c)
  const defaults = { ...CHANGE_DEFAULTS, leave_changed: false }
  const key = name === null ? null : { key: name, digest: await requestDigest(query, defaults, what) }
  const earlier = await findKeyedWrite(catalog, key)
  if (earlier) return answerAgain(c, committedResult(catalog.catalogKey, 'restore', earlier))
  const options = { ...changeOptions(c, query, now), ...limitedTarget, maxShrink: maxShrinkOf(query), key }
  try {
    const result = await runChange(c, { dryRun: options.dryRun, mode: 'restore' }, () =>
      restoreCatalog(catalog, options, c.var.deadline),
    )
    return answerChange(c, result)
  } catch (error) {
    const first = await requireKeyedWrite(catalog, key, error)
    return answerAgain(c, committedResult(catalog.catalogKey, 'restore', first))
  }
}

export const restoreEndpoints = [restore, undo] as const

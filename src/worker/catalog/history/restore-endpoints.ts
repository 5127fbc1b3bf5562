import { MAX_RESTORED_RECORDS } from '#shared/limits'
import { scope } from '#worker/auth/access'
import { type Catalog, catalogNamed } from '#worker/catalog/catalog'
import { changesFileSchema } from '#worker/catalog/csv-answer'
import { CATALOGS_PATH } from '#worker/catalog/parameters'
import { restoreResultSchema } from '#worker/catalog/schemas'
import {
  answerAgain,
  answerChange,
  changeKeyOf,
  changeOptions,
  diffCsvOptions,
  findFirstWrite,
  findKeyedWrite,
  idempotencyHeaderSchema,
  sendDiff,
} from '#worker/catalog/write/change-endpoint'
import { CHANGE_DEFAULTS, type ChangeQuery, maxShrinkOf } from '#worker/catalog/write/queries'
import type { AppContext } from '#worker/http/context'
import { enveloped, orFile } from '#worker/http/endpoint/answers'
import { endpoint } from '#worker/http/endpoint/endpoint'
import { changeInTurn, expensiveRead } from '#worker/http/sharing/read-turns'
import { previewRestore, restoreCatalog, restoreCsv, undoTarget } from './restore'
import { restoreQuerySchema, undoQuerySchema } from './schemas'
import type { RestoreTarget } from './sql/restore'

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
  restoredTarget: Omit<RestoreTarget, 'maxRecords'>,
  what: string,
  now: Date,
) {
  const { type } = catalog
  const target = { ...restoredTarget, maxRecords: MAX_RESTORED_RECORDS }
  const csvOptions = diffCsvOptions(c, query)
  if (csvOptions !== undefined) {
    return sendDiff(c, type, () => restoreCsv(catalog, { ...csvOptions, ...target }))
  }
  const options = { ...changeOptions(c, query, 'restore', now), ...target, maxShrink: maxShrinkOf(query) }
  if (query.dry_run) return answerChange(c, await expensiveRead(c, () => previewRestore(catalog, options)))
  const key = await changeKeyOf(c, query, { ...CHANGE_DEFAULTS, leave_changed: false }, () => [what])
  const earlier = await findKeyedWrite(catalog, key)
  if (earlier) return answerAgain(c, type, 'restore', earlier)
  try {
    const restore = () => restoreCatalog(catalog, { ...options, key }, c.var.deadline)
    return answerChange(c, await changeInTurn(c, restore))
  } catch (error) {
    return answerAgain(c, type, 'restore', await findFirstWrite(catalog, key, error))
  }
}

export const restoreEndpoints = [restore, undo] as const

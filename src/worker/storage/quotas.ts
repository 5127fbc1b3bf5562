import { count, type SQL, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { ApiError, type QuotaError } from '#shared/errors/errors'
import { type DEFAULT_QUOTA, HISTORY_GROWTH, MAX_CLIENTS, REGISTRATION_SECONDS, WORKSPACE_LIMITS } from '#shared/limits'
import { type Database, firstOf, int, stopIf } from './database'
import { type Stop, stopOf } from './database-faults'

/**
 * Quotas and their errors. The operator can set those of `DEFAULT_QUOTA`. The others are conditions of the insert.
 */

const COUNTED: Record<keyof typeof DEFAULT_QUOTA, string> = {
  records: 'records',
  bytes: 'bytes of records',
  documents: 'documents',
  document_bytes: 'bytes of documents',
  registrations: 'pending registrations',
}

const SEND_LESS = 'Send fewer or smaller records'
const DELETE_DOCUMENTS = 'Delete documents'

const WAY_OUT: typeof COUNTED = {
  records: SEND_LESS,
  bytes: SEND_LESS,
  documents: DELETE_DOCUMENTS,
  document_bytes: DELETE_DOCUMENTS,
  registrations: `Wait until some have ended, ${REGISTRATION_SECONDS / 60} minutes after they began`,
}

const messageFor = (
  quota: keyof typeof DEFAULT_QUOTA,
  { limit, used, needed }: Record<'limit' | 'used' | 'needed', number>,
): string =>
  `The workspace may store ${limit} ${COUNTED[quota]}, has ${used}, and would have ${needed}. ` +
  `Nothing was written. ${WAY_OUT[quota]}, or ask the operator of the service to raise the quota.`

/**
 * Stops a transaction that adds something and makes a workspace exceed its quota.
 *
 * @param used expression for the new total, with the row of `workspace_quotas` in scope; `added` is the new part
 */
export const stopBeyondQuota = (
  quota: keyof typeof DEFAULT_QUOTA,
  workspaceId: string,
  { used, added }: Record<'used' | 'added', SQL>,
): SQL =>
  stopIf(
    sql`'quota:${sql.raw(quota)}:' || allowed || ':' || (used - added) || ':' || used`,
    sql`(select ${sql.raw(quota)} as allowed, ${used} as used, ${added} as added
      from workspace_quotas where workspace_quotas.workspace_id = ${workspaceId})
      where added > 0 and used > allowed`,
  )

const isQuota = (name: string | undefined): name is keyof typeof DEFAULT_QUOTA =>
  name !== undefined && Object.hasOwn(COUNTED, name)

/** The 409 for a quota that stopped a transaction; undefined for any other reason. */
export function quotaRefusal(stop: Stop | undefined): ApiError | undefined {
  const [quota, ...figures] = stop?.reason === 'quota' ? stop.figures : []
  if (!isQuota(quota)) return undefined
  const [limit = 0, used = 0, needed = 0] = figures.map(Number)
  return refusal({ code: 'quota', quota, limit, used, needed }, messageFor(quota, { limit, used, needed }))
}

const refusal = (error: QuotaError, message: string): ApiError => new ApiError('conflict', message, { errors: [error] })

/** Seconds until the scheduled run, which starts every ten minutes, has purged some history. */
const HISTORY_RETRY_AFTER = { size: '600', growth: '60' } as const

/** The 429 for a change for which the workspace's history currently has no room. */
export function historyRefusal({ figures: [what, used, limit] }: Stop): ApiError {
  const isGrowth = what === 'growth'
  const figures = { limit: Number(limit), used: Number(used), needed: Number(used) }
  const error: QuotaError = { code: 'quota', quota: 'history', ...figures }
  return new ApiError(
    'rate_limited',
    (isGrowth
      ? `Writes and restores of the last ${HISTORY_GROWTH.minutes} minutes added ${used} bytes to the history of the ` +
        `workspace, more than ${limit}.`
      : `The history of the workspace takes ${used} bytes, more than ${limit}. The oldest are being deleted.`) +
      ' Nothing was written. Try again later.',
    { errors: [error], headers: { 'Retry-After': HISTORY_RETRY_AFTER[isGrowth ? 'growth' : 'size'] } },
  )
}

const FIXED = { ...WORKSPACE_LIMITS, clients: MAX_CLIENTS }

/** The 409 for one more of a kind at its limit. */
function fixedQuotaRefusal(quota: keyof typeof FIXED, used: number): ApiError {
  const limit = FIXED[quota]
  const [owner, wayOut] =
    quota === 'clients' ? ['service', 'Revoke'] : ['workspace', quota === 'webhooks' ? 'Delete' : 'Revoke']
  return refusal(
    { code: 'quota', quota, limit, used, needed: used + 1 },
    `The ${owner} may have ${limit} ${quota.replaceAll('_', ' ').replace('api', 'API')} and has ${used}. ` +
      `${wayOut} one that is not used.`,
  )
}

/** A fixed limit on the number of rows of a kind. */
export interface Room {
  quota: keyof typeof FIXED
  /** Counts the other rows. */
  others: ReturnType<typeof countRows>
}

export const countRows = ({ orm }: Pick<Database, 'orm'>, table: SQLiteTable, condition: SQL | undefined) =>
  orm.select({ used: count() }).from(table).where(condition)

/** Condition of the insert: there is room. */
export const hasRoom = ({ quota, others }: Room): SQL => sql`(${others}) < ${int(FIXED[quota])}`

/** @throws ApiError 409 if there was no room */
export function requireRoom({ quota }: Room, counts: readonly { used: number }[]): void {
  const { used } = firstOf(counts)
  if (used >= FIXED[quota]) throw fixedQuotaRefusal(quota, used)
}

/** Runs an insert that a quota may stop. @throws ApiError 409 if it does */
export async function withinQuota<T>(insert: () => Promise<T>): Promise<T> {
  try {
    return await insert()
  } catch (error) {
    throw quotaRefusal(stopOf(error)) ?? error
  }
}

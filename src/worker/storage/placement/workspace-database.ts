import { sql } from 'drizzle-orm'
import type { WorkspaceState } from '#shared/access/caller'
import { ApiError } from '#shared/errors/errors'
import type { Env } from '#worker/env'
import {
  areReadOnly,
  boundDatabase,
  type Database,
  databaseOver,
  prepare,
  type RunStatements,
  runOn,
  type Statement,
  stopIf,
} from '#worker/storage/database'
import { stopOf } from '#worker/storage/database-faults'
import type { Deadline } from '#worker/storage/deadline'
import type { Meter } from '#worker/storage/meter'
import type { ReadSessions } from '#worker/storage/read-sessions'

export interface WorkspaceAddress {
  workspaceId: string
  databaseBinding: string
  /** Absent for the operator, who may change the workspace in every state until its erasure. */
  state?: WorkspaceState
  /** Set for the operator: a move copies the rows, and would lose changes in the meantime. */
  isMoving?: boolean
}

export interface WorkspaceDatabase extends Database {
  readonly binding: string
}

/** How a request reads and writes. Absent for background work, which reads from the primary. */
interface Use {
  sessions: ReadSessions
  nearest: boolean
  deadline: Deadline
}

/** Seconds after which a client may try again: a move takes a few minutes. */
const READ_ONLY_RETRY_SECONDS = 60

/** @throws ApiError 503 for callers of a read-only workspace; 409 for the operator while it is being moved */
export function requireWritable({ state, isMoving }: Pick<WorkspaceAddress, 'state' | 'isMoving'>): void {
  if (isMoving) {
    throw new ApiError(
      'conflict',
      'The workspace is being moved. Nothing was changed. Wait until `npm run move` finishes, then try again.',
    )
  }
  if (state === undefined || state === 'active') return
  throw new ApiError(
    'unavailable',
    'The workspace is read-only for maintenance. Nothing was changed. Try again later.',
    {
      headers: { 'Retry-After': String(READ_ONLY_RETRY_SECONDS) },
      reason: 'workspace is read-only',
    },
  )
}

/** The error for operator requests on a workspace whose erasure has begun. */
export const beingErased = (): ApiError =>
  new ApiError('conflict', 'The workspace is being erased, so its data can no longer be read or changed.')

/** The error for requests on a workspace that is suspended or closed by an erasure. */
export const suspended = (reason = 'workspace suspended'): ApiError =>
  new ApiError('forbidden', 'The workspace is suspended. Ask the operator of the service.', { reason })

/** Closes a workspace in one of its databases: from now on, no request can write there (`workspaceDatabase`). */
export const closeWorkspace = ({ all, retry }: Pick<Database, 'all' | 'retry'>, workspaceId: string) =>
  retry(() => all(sql`delete from workspace_quotas where workspace_id = ${workspaceId}`))

/** Stops a transaction if the workspace is closed in this database. An open workspace always has its row of quotas. */
const stopIfClosed = (workspaceId: string): Statement =>
  prepare(
    stopIf(
      sql`'workspace_closed:' || closed`,
      sql`(select count(*) = 0 as closed from workspace_quotas where workspace_id = ${workspaceId}) where closed`,
    ),
  )

/**
 * The database of a workspace's catalogs, documents and registrations. Each write checks in its own transaction whether
 * the workspace is closed: the request may rely on a state that is a minute old, or have waited for a slow body.
 *
 * @param address from the caller's credential alone
 * @throws (its methods) ApiError as `requireWritable`; 403, or 409 for the operator, if the workspace is being erased
 */
export function workspaceDatabase(env: Env, address: WorkspaceAddress, meter: Meter, use?: Use): WorkspaceDatabase {
  const { workspaceId, databaseBinding: binding, state } = address
  const database = boundDatabase(env, binding)
  const run = runOn(use ? use.sessions.open(database, binding, use.nearest) : database, meter)
  const checked: RunStatements = async (statements) => {
    if (areReadOnly(statements)) return run(statements)
    requireWritable(address)
    try {
      const [, ...results] = await run([stopIfClosed(workspaceId), ...statements])
      return results
    } catch (error) {
      if (stopOf(error)?.reason !== 'workspace_closed') throw error
      throw state === undefined ? beingErased() : suspended('workspace closed: it has no quotas in its database')
    }
  }
  return { ...databaseOver(checked, use?.deadline), binding }
}

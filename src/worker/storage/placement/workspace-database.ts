import type { WorkspaceState } from '#shared/access/caller'
import { ApiError } from '#shared/errors/errors'
import type { Env } from '#worker/env'
import { areReadOnly, boundDatabase, type Database, databaseOver, runOn } from '#worker/storage/database'
import type { Deadline } from '#worker/storage/deadline'
import type { Meter } from '#worker/storage/meter'
import type { ReadSessions } from '#worker/storage/read-sessions'

export interface WorkspaceAddress {
  workspaceId: string
  databaseBinding: string
  /** Absent for the operator and for scheduled work, which may change it in every state. */
  state?: WorkspaceState
}

export interface WorkspaceDatabase extends Database {
  readonly binding: string
}

/** How a request reads and writes; absent for work that reads from the primary and that nobody waits for. */
interface Use {
  sessions: ReadSessions
  nearest: boolean
  deadline: Deadline
}

/** Seconds after which a program may try again: a move takes some minutes. */
const READ_ONLY_RETRY_SECONDS = 60

export function requireWritable({ state }: Pick<WorkspaceAddress, 'state'>): void {
  if (state === undefined || state === 'active') return
  throw new ApiError(
    'unavailable',
    'The workspace is read-only for maintenance. Nothing was changed; try again later.',
    {
      headers: { 'Retry-After': String(READ_ONLY_RETRY_SECONDS) },
      reason: 'workspace is read-only',
    },
  )
}

/**
 * The database that holds a workspace's catalogs, documents and registrations. Writes are an ApiError 503 if it is
 * read-only.
 *
 * @param address from the caller's credential only
 */
export function workspaceDatabase(env: Env, address: WorkspaceAddress, meter: Meter, use?: Use): WorkspaceDatabase {
  const binding = address.databaseBinding
  const database = boundDatabase(env, binding)
  const run = runOn(use ? use.sessions.open(database, binding, use.nearest) : database, meter)
  const checked: typeof run = (statements) => {
    if (!areReadOnly(statements)) requireWritable(address)
    return run(statements)
  }
  return { ...databaseOver(checked, use?.deadline), binding }
}

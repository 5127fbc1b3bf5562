import { ApiError } from '#shared/errors/errors'
import type { Env } from '#worker/env'
import {
  areReadOnly,
  boundDatabase,
  type Database,
  databaseAccess,
  databaseOver,
  prepare,
  runOn,
} from '#worker/storage/database'
import type { Deadline } from '#worker/storage/deadline'
import type { Meter } from '#worker/storage/meter'
import { readGuard, replicaGuard, unlessFenced, writeGuard } from '#worker/storage/placement/fences'
import { endAbandoned, findLocation } from '#worker/storage/placement/moves'
import type { ReadSessions } from '#worker/storage/read-sessions'
import { TimedCache } from '#worker/storage/timed-cache'

/** A workspace and the database that held it when this was last read. */
export interface WorkspaceAddress {
  workspaceId: string
  /** Name of the D1 binding. */
  databaseBinding: string
}

/** The database of a workspace, which follows the workspace. */
export interface WorkspaceDatabase extends Database {
  /** Name of the D1 binding that gave the last answer; before the first one, the binding that will be asked. */
  readonly binding: string
}

/** How a request reads and writes; absent for work that reads from the primary and that nobody waits for. */
interface Use {
  sessions: ReadSessions
  /** Whether the nearest copy is good enough. */
  nearest: boolean
  deadline: Deadline
}

/** No other cache keeps the database of a workspace longer (`CREDENTIAL_CACHE_SECONDS`), in milliseconds. */
const NEW_BINDING_CACHE_MS = 60_000

/** The most workspaces that are cached after a move; some 100 bytes each. */
const MAX_CACHED_BINDINGS = 1000

/** Workspaces seldom move. More moves than this within one request are a fault. */
const MOST_MOVES = 3

/** The new databases of workspaces that have moved. */
const newBindings = new TimedCache<string>(NEW_BINDING_CACHE_MS, MAX_CACHED_BINDINGS)

const beingMoved = (): ApiError =>
  new ApiError('unavailable', 'The workspace is being moved to another database. Nothing was written; try again.', {
    headers: { 'Retry-After': '5' },
    reason: 'workspace is being moved',
  })

interface Refusal {
  binding: string
  /** Whether a read replica refused it, which may be outdated. */
  byReplica: boolean
}

/** The binding after another database refused the workspace. @throws ApiError 503 while its writes are refused */
async function findNewBinding(env: Env, workspaceId: string, refusal: Refusal, meter: Meter): Promise<string> {
  const access = databaseAccess(env, meter)
  const location = await findLocation(access, workspaceId)
  if (location === undefined) throw beingMoved()
  const { databaseBinding, move } = location
  newBindings.set(workspaceId, databaseBinding, new Date())
  if (databaseBinding !== refusal.binding || refusal.byReplica) return databaseBinding
  if (move !== null && (await endAbandoned(access, move, Date.now()))) return databaseBinding
  throw beingMoved()
}

/**
 * The database that holds a workspace's catalogs, documents and registrations. It follows the workspace: when the
 * workspace has moved, the same statements run in its new database. A guard in front of them asks the database, in the
 * same transaction, whether it serves the workspace.
 *
 * @param place from the caller's credential only
 * @throws Error when there is no such binding; its statements throw an ApiError 503 while writes of the workspace are
 *   refused
 */
export function workspaceDatabase(env: Env, place: WorkspaceAddress, meter: Meter, use?: Use): WorkspaceDatabase {
  const { workspaceId } = place
  let binding = newBindings.get(workspaceId, new Date()) ?? place.databaseBinding
  let nearest = use?.nearest ?? false
  const open = () => {
    const database = boundDatabase(env, binding)
    return use ? use.sessions.open(database, binding, nearest) : database
  }
  open()
  const database = databaseOver(async (statements) => {
    const writes = !areReadOnly(statements)
    for (let moves = 0; moves < MOST_MOVES; moves++) {
      const byReplica = nearest && !writes
      const guardOf = writes ? writeGuard : nearest ? replicaGuard : readGuard
      const guard = prepare(guardOf(workspaceId))
      const results = await unlessFenced(() => runOn(open(), meter)([guard, ...statements]))
      if (results !== null) {
        const [, ...own] = results
        return own
      }
      binding = await findNewBinding(env, workspaceId, { binding, byReplica }, meter)
      if (writes) use?.deadline.requireTime()
      nearest = false
    }
    throw beingMoved()
  }, use?.deadline)
  return {
    ...database,
    get binding() {
      return binding
    },
  }
}

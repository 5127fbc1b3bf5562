import type { Env } from '#env'
import { ApiError } from '#errors'
import { boundDatabase } from './bound-databases'
import { type Database, databaseOver, prepare } from './database'
import { copyFence, isFenced, readFence } from './fences'
import type { Meter } from './meter'
import { reviveMove, whereaboutsOf } from './moves'
import type { ReadSessions } from './read-sessions'
import { areReadOnly, type RunStatements, runOn, type Statement } from './statements'

/** A workspace and where it was when that was last read. */
export interface Place {
  workspaceId: string
  /** Name of the D1 binding. */
  databaseBinding: string
}

/** How a request reads; absent where it reads from the primary, without a bookmark. */
export interface Reading {
  sessions: ReadSessions
  /** Whether the nearest copy will do. */
  nearest: boolean
}

/** Longer than anything else remembers where a workspace is (`CREDENTIAL_CACHE_SECONDS`), in milliseconds. */
const REMEMBERED_MS = 60_000

/** Workspaces that moved a moment ago; some 100 bytes each. */
const MOST_REMEMBERED = 1000

/** A workspace moves seldom; more often than this within a request is a fault. */
const MOST_HOPS = 3

/** Where workspaces were found that were not where they had been. */
const found = new Map<string, { databaseBinding: string; foundAt: number }>()

function remember(workspaceId: string, databaseBinding: string): void {
  found.delete(workspaceId)
  if (found.size >= MOST_REMEMBERED) found.delete(found.keys().next().value!)
  found.set(workspaceId, { databaseBinding, foundAt: Date.now() })
}

function placeOf({ workspaceId, databaseBinding }: Place): string {
  const known = found.get(workspaceId)
  if (!known) return databaseBinding
  if (Date.now() - known.foundAt < REMEMBERED_MS) return known.databaseBinding
  found.delete(workspaceId)
  return databaseBinding
}

const beingMoved = (): ApiError =>
  new ApiError(
    'unavailable',
    'The workspace is being moved to another database. Nothing was written; try again.',
    {
      headers: { 'Retry-After': '1' },
      reason: 'workspace is being moved',
    },
  )

/**
 * @param ask what a read asks besides
 * @returns results, or null where the database turns the workspace away; then nothing was carried out
 */
async function unlessFenced(
  run: RunStatements,
  statements: readonly Statement[],
  ask: Statement,
): Promise<D1Result[] | null> {
  if (areReadOnly(statements)) {
    const results = await run([...statements, ask])
    const [answer] = results.pop()!.results as { moved: number }[]
    return answer!.moved === 1 ? null : results
  }
  try {
    return await run(statements)
  } catch (error) {
    if (isFenced(error)) return null
    throw error
  }
}

/** An attempt that was turned away. */
interface Refusal {
  binding: string
  /** Whether a copy did, which may be behind. */
  byCopy: boolean
}

/**
 * Where a workspace is that was turned away.
 *
 * @throws ApiError 503 while it must not be written
 */
async function lookUp(env: Env, workspaceId: string, refusal: Refusal, meter: Meter): Promise<string> {
  const whereabouts = await whereaboutsOf(env, workspaceId, meter)
  if (whereabouts === undefined) throw beingMoved()
  const { databaseBinding, move } = whereabouts
  remember(workspaceId, databaseBinding)
  if (databaseBinding !== refusal.binding || refusal.byCopy) return databaseBinding
  if (move !== null && (await reviveMove(env, move, Date.now(), meter))) return databaseBinding
  throw beingMoved()
}

/**
 * The database that holds a workspace's catalogs, documents and registrations. It follows the workspace: where that has
 * moved since its place was read, the same statements run at its new place. A read asks the database in its own
 * transaction whether the workspace is still there; a write is stopped by the database's triggers.
 *
 * @param place from the caller's credential alone
 * @throws Error when there is no such binding; its statements throw an ApiError 503 while the workspace must not be
 *   written
 */
export function workspaceDatabase(env: Env, place: Place, meter: Meter, reading?: Reading): Database {
  const { workspaceId } = place
  let binding = placeOf(place)
  let nearest = reading?.nearest ?? false
  const open = () => {
    const database = boundDatabase(env, binding)
    return reading ? reading.sessions.open(database, binding, nearest) : database
  }
  open()
  return databaseOver(async (statements) => {
    for (let hop = 0; hop < MOST_HOPS; hop++) {
      const ask = prepare(nearest ? copyFence(workspaceId) : readFence(workspaceId))
      const results = await unlessFenced(runOn(open(), meter), statements, ask)
      if (results !== null) return results
      binding = await lookUp(env, workspaceId, { binding, byCopy: nearest }, meter)
      nearest = false
    }
    throw beingMoved()
  })
}

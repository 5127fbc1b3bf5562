import { and, eq, inArray, lte, type SQL, sql } from 'drizzle-orm'
import { logLine } from '#shared/errors/log-line'
import type { Bucket } from '#worker/storage/bucket'
import { type Database, type DatabaseAccess, int } from '#worker/storage/database'
import { workspaces } from '#worker/storage/schema/control'
import {
  bindingsOf,
  DAY_MS,
  type ErasedWorkspace,
  endErasures,
  eraseNext,
  objectsOf,
  settlesAt,
  withKeys,
  withRows,
} from './erase'

/**
 * Erasures in a scheduled run. Continues those in progress, then counts again for completed ones: hourly during their
 * first day, and until a count finds nothing. A faulty workspace does not block the others.
 */

/** Workspaces of each kind per run, picked at random so that each gets its turn. */
const WORKSPACES_PER_RUN = 100

/** Fewest statements per workspace. With fewer, the steps before the first deletion would use them up. */
const LEAST_STATEMENTS = 20

/** Simultaneous lists of objects: an invocation may have six connections. */
const LISTS_AT_ONCE = 6

const CHECK_EVERY_MS = 3600 * 1000

interface ErasureRun {
  access: DatabaseAccess
  bucket: Bucket
  /** The bindings of databases. */
  bound: readonly string[]
  now: Date
  /** Statements of the run after which no further workspace is started. */
  mostStatements: number
  /** Called for each fault. The other workspaces continue. */
  fault: (error: unknown, database: string) => void
}

const pick = ({ orm }: Database, which: SQL | undefined): Promise<ErasedWorkspace[]> =>
  orm.select().from(workspaces).where(which).orderBy(sql`random()`).limit(WORKSPACES_PER_RUN)

/** Groups workspaces by the databases that may contain their rows. */
function byBinding(erased: readonly ErasedWorkspace[]): Map<string, string[]> {
  const groups = new Map<string, string[]>()
  for (const workspace of erased) {
    for (const binding of bindingsOf(workspace)) {
      groups.set(binding, [...(groups.get(binding) ?? []), workspace.workspaceId])
    }
  }
  return groups
}

interface Counted {
  /** Workspaces without any remaining data. */
  empty: ErasedWorkspace[]
  /** Workspaces with remaining data. Those whose database did not respond are in neither list. */
  left: ErasedWorkspace[]
}

/** Finds the workspaces with remaining data, with one statement per database. */
async function countAll({ access, bucket, fault }: ErasureRun, erased: readonly ErasedWorkspace[]): Promise<Counted> {
  const allIds = erased.map(({ workspaceId }) => workspaceId)
  const notEmpty = new Set(await withKeys(access.control, allIds))
  const unknown = new Set<string>()
  for (const [binding, ids] of byBinding(erased)) {
    try {
      for (const id of await withRows(access.catalog(binding), ids)) notEmpty.add(id)
    } catch (error) {
      for (const id of ids) unknown.add(id)
      fault(error, binding)
    }
  }
  const withoutRows = erased.filter(({ workspaceId }) => !notEmpty.has(workspaceId) && !unknown.has(workspaceId))
  for (let n = 0; n < withoutRows.length; n += LISTS_AT_ONCE) {
    await Promise.all(
      withoutRows.slice(n, n + LISTS_AT_ONCE).map(async (workspace) => {
        const { objects } = await bucket.list({ prefix: objectsOf(workspace), limit: 1 })
        if (objects.length > 0) notEmpty.add(workspace.workspaceId)
      }),
    )
  }
  const known = erased.filter(({ workspaceId }) => !unknown.has(workspaceId))
  return {
    empty: known.filter(({ workspaceId }) => !notEmpty.has(workspaceId)),
    left: known.filter(({ workspaceId }) => notEmpty.has(workspaceId)),
  }
}

/** Erases a part of each workspace, so that a large one leaves statements for the others. */
async function eraseSome(run: ErasureRun, erased: readonly ErasedWorkspace[]): Promise<void> {
  const { access, bucket, mostStatements, fault } = run
  const { meter } = access
  for (const [n, workspace] of erased.entries()) {
    const remaining = mostStatements - meter.statements
    if (remaining <= 0) return
    const until = meter.statements + Math.max(LEAST_STATEMENTS, remaining / (erased.length - n))
    try {
      await eraseNext(access, bucket, workspace, () => meter.statements < until)
    } catch (error) {
      fault(error, workspace.databaseBinding)
    }
  }
}

/**
 * Continues the erasures, and counts again for completed ones.
 *
 * @returns number of workspaces without remaining data
 */
export async function eraseWorkspaces(run: ErasureRun): Promise<number> {
  const { access, now, bound } = run
  const inProgress = await countAll(run, await pick(access.control, eq(workspaces.state, 'erasing')))
  const settled = inProgress.empty.filter((workspace) => settlesAt(workspace) <= now.getTime())
  await endErasures(access, settled, now)
  await eraseSome(run, inProgress.left)
  const isDue = and(
    eq(workspaces.state, 'erased'),
    // A database that is no longer bound receives nothing. If it is bound again, the workspaces are counted then.
    inArray(workspaces.databaseBinding, [...bound]),
    lte(workspaces.erasureCheckedAt, now.getTime() - CHECK_EVERY_MS),
    sql`${workspaces.erasureCheckedAt} < ${workspaces.erasedAt} + ${int(DAY_MS)}`,
  )
  const ended = await countAll(run, await pick(access.control, isDue))
  await endErasures(access, ended.empty, now)
  for (const { workspaceId } of ended.left) {
    logLine({ warning: 'erasure: data arrived after it was complete', workspace: workspaceId })
  }
  await eraseSome(run, ended.left)
  return settled.length + ended.empty.length
}

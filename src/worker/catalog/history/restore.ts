import type * as z from 'zod'
import { ApiError } from '#shared/errors/errors'
import type { Catalog } from '#worker/catalog/catalog'
import {
  type RestorableState,
  type RestoreRow,
  restoreChangesPage,
  restoreDiff,
  restoreDryRun,
  restoreStatements,
  restoreStop,
} from '#worker/catalog/history/sql/restore'
import type { restoreResultSchema } from '#worker/catalog/schemas'
import { commit, unknownWrite } from '#worker/catalog/write/commit'
import { type ExpectedState, notRestorable, requireState } from '#worker/catalog/write/conflicts'
import { diffOf } from '#worker/catalog/write/diff'
import { changeLines, type DiffCsvOptions, requireSame } from '#worker/catalog/write/diff-csv'
import { guardError } from '#worker/catalog/write/dry-run'
import { emptiedFields } from '#worker/catalog/write/emptied-fields'
import { committedResult } from '#worker/catalog/write/result'
import type { WriteHead } from '#worker/catalog/write/sql/commit'
import type { WriteOptions } from '#worker/catalog/write/write'
import { messageOf } from '#worker/storage/d1'
import { firstOf } from '#worker/storage/database'
import type { Deadline } from '#worker/storage/deadline'
import { changedLater, laterChangesRefusal, type Wanted } from './undo'

type RestoreResult = z.output<typeof restoreResultSchema>

interface RestoreOptions
  extends Omit<
      WriteOptions,
      'mode' | 'fileName' | 'sizeBytes' | 'heldUpload' | 'keepsMissing' | 'examples' | 'emptiedGuard'
    >,
    Wanted {}

/**
 * Makes a catalog what it was after an earlier revision, or takes one write back, or tells what that would do. The
 * database itself writes the records; none of them passes through the Worker.
 *
 * @throws ApiError 400 for a revision that never existed; 409 for one that is no longer kept, for a write whose records
 * were changed later, for a stale `expectedRevision` and for the shrink guard; 503 when the database cannot be
 * reached
 */
export async function restoreCatalog(
  catalog: Catalog,
  options: RestoreOptions,
  deadline: Deadline,
): Promise<RestoreResult> {
  if (options.dryRun) return dryRunRestore(catalog, options)
  const { scope } = catalog
  const head: WriteHead = {
    ...options,
    batchId: crypto.randomUUID(),
    format: 'restore',
    mode: 'restore',
    fileName: options.undone?.file_name ?? null,
    sizeBytes: 0,
    warnings: 0,
    // After one write was taken back, the catalog is in a state that it never had.
    restoredRevision: options.undone === undefined ? options.revision : null,
    approvalId: null,
    emptiedGuard: null,
    total: 0,
  }
  const write = async () => {
    try {
      return await commit(catalog, head, restoreStatements(scope, head, options, options.most))
    } catch (error) {
      throw (await refusalOf(catalog, options, messageOf(error))) ?? error
    }
  }
  const row = await deadline.whileWriting(write, unknownWrite(scope, head.batchId))
  return { ...committedResult(scope, 'restore', row), warnings: [] }
}

/** Why the database stopped a restore. */
async function refusalOf(catalog: Catalog, wanted: Wanted, message: string): Promise<ApiError | null> {
  const [stop, ...figures] = restoreStop(message)
  if (stop === 'changed_later') return laterChangesRefusal(catalog, wanted.undone)
  if (stop === 'too_many_restored') return tooManyRestored(wanted)
  return stop === 'unrestorable_revision' ? notRestorable(wanted.revision, ...figures) : null
}

const tooManyRestored = ({ revision, undone, most }: Wanted): ApiError =>
  new ApiError(
    'conflict',
    (undone === undefined ? `Restoring revision ${revision}` : `Taking back the write of revision ${undone.revision}`) +
      ` would change more than ${most} records, which is too much for one step. Nothing was written.`,
  )

/** @throws ApiError for a revision that cannot be restored or is not the expected one, and for too many records */
function requireRestorable(row: RestoreRow, options: Wanted & ExpectedState): void {
  requireState(row, options)
  requireKept(options.revision)(row)
  if (row.total > options.most) throw tooManyRestored(options)
}

/** @throws ApiError 400 or 409 when the revision never existed or is no longer kept */
const requireKept = (wanted: number) => (row: RestorableState) => {
  const refusal = notRestorable(wanted, row.revision, row.history_from)
  if (refusal) throw refusal
}

async function dryRunRestore(catalog: Catalog, options: RestoreOptions): Promise<RestoreResult> {
  const { db, scope, type } = catalog
  const { diff } = options
  const rows = diff ? await db.all(restoreDiff(scope, options)) : []
  const row = diff ? firstOf(rows) : await db.one(restoreDryRun(scope, options))
  requireRestorable(row, options)
  const later = await changedLater(catalog, options.undone)
  const changes = rows.filter(({ change }) => change !== null)
  return {
    type: scope.type,
    mode: 'restore',
    dry_run: true,
    total: row.total,
    inserted: 0,
    updated: row.total - row.reactivated - row.deactivated,
    reactivated: row.reactivated,
    unchanged: 0,
    deactivated: row.deactivated,
    active_before: row.active_before,
    active_after: row.active_before + row.reactivated - row.deactivated,
    revision: row.revision,
    epoch: row.epoch,
    ...emptiedFields(type, row.emptied),
    ...guardError(options.maxShrink, row.active_before, row.deactivated),
    ...(later === undefined ? {} : { changed_later: later }),
    ...(diff ? { diff: diffOf(type, changes) } : {}),
  }
}

/**
 * As CSV in portions, in the order in which the records were first written; see `diffCsv`. The whole file is of one
 * revision and of one history: versions may be purged while it is sent.
 */
export async function restoreCsv(catalog: Catalog, options: DiffCsvOptions & Wanted): Promise<AsyncGenerator<string>> {
  const { db, scope } = catalog
  const { revision, only, safe, paced } = options
  const row = await db.one(restoreDryRun(scope, options))
  requireRestorable(row, options)
  const [isSame, isKept] = [requireSame(row), requireKept(revision)]
  const require = (state: RestorableState) => {
    isSame(state)
    isKept(state)
  }
  return changeLines({ ...catalog, require, safe, paced }, (last) =>
    restoreChangesPage(scope, options, last?.place ?? -1, only),
  )
}

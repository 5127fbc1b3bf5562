import type * as z from 'zod'
import type { BatchHead } from '#catalog/sql/commit'
import type { ChangeRow } from '#catalog/sql/diff'
import { type RestoreRow, restoreChangesPage, restoreDryRun, restoreStatements } from '#catalog/sql/restore'
import type { Deadline } from '#http/deadline'
import type { Catalog } from './catalog'
import { commit, committedResult } from './commit'
import { type ExpectedState, notRestorable, requireState } from './conflicts'
import { diffOf } from './diff'
import { changeLines, type DiffCsvOptions, pinnedTo } from './diff-csv'
import { guardError } from './dry-run'
import { emptiedFields } from './emptied'
import { unknownWrite } from './outcome'
import type { restoreResult } from './schemas'
import type { WriteOptions } from './write'

export type RestoreResult = z.output<typeof restoreResult>

interface RestoreOptions extends Omit<WriteOptions, 'mode' | 'fileName' | 'sizeBytes'> {
  /** The catalog becomes what it was after this one. */
  revision: number
}

/**
 * Makes a catalog what it was after an earlier revision, or tells what that would do. The database itself writes the
 * records; none of them passes through the Worker.
 *
 * @throws ApiError 400 for a revision that never existed; 409 for one that is no longer kept, for a stale
 *   `expectedRevision` and for the shrink guard; 503 when the database cannot be reached
 */
export async function restoreCatalog(
  catalog: Catalog,
  options: RestoreOptions,
  deadline: Deadline,
): Promise<RestoreResult> {
  if (options.dryRun) return dryRun(catalog, options)
  const { scope } = catalog
  const head: BatchHead = {
    ...options,
    batchId: crypto.randomUUID(),
    format: 'restore',
    mode: 'restore',
    fileName: null,
    sizeBytes: 0,
    warnings: 0,
    restoredRevision: options.revision,
    total: 0,
  }
  const batch = await deadline.whileWriting(
    () => commit(catalog, head, restoreStatements(scope, head, options.revision)),
    unknownWrite(scope, head.batchId),
  )
  return { ...committedResult(scope, 'restore', batch), warnings: [] }
}

/** @throws ApiError for a revision that cannot be restored or is not the expected one */
function requireRestorable(
  row: RestoreRow,
  options: Pick<RestoreOptions, 'revision' | keyof ExpectedState>,
): void {
  requireState(row, options)
  const refusal = notRestorable(options.revision, row.revision, row.history_from)
  if (refusal) throw refusal
}

async function dryRun({ db, scope, type }: Catalog, options: RestoreOptions): Promise<RestoreResult> {
  const rows = await db.all<RestoreRow & ChangeRow>(restoreDryRun(scope, options.revision, options.diff))
  const row = rows[0]!
  requireRestorable(row, options)
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
    ...(options.diff ? { diff: diffOf(type, changes) } : {}),
  }
}

/** As CSV in portions, in the order in which the records were first written; see `diffCsv`. */
export async function restoreCsv(
  catalog: Catalog,
  revision: number,
  options: DiffCsvOptions,
): Promise<AsyncGenerator<string>> {
  const { db, scope } = catalog
  const [row] = await db.all<RestoreRow>(restoreDryRun(scope, revision, false))
  requireRestorable(row!, { ...options, revision })
  return changeLines({ ...catalog, ...options, ...pinnedTo(row!) }, (last) =>
    restoreChangesPage(scope, revision, last?.place ?? -1, options.only),
  )
}

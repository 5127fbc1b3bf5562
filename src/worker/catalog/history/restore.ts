import type * as z from 'zod'
import { ApiError } from '#shared/errors/errors'
import { DIFF_LIST_RECORDS } from '#shared/limits'
import { changesIn } from '#shared/records/change'
import { returnedForm } from '#shared/records/stored-form'
import type { Catalog } from '#worker/catalog/catalog'
import {
  laterChangesStatement,
  type RestorableState,
  type RestoreTarget,
  restoreChangesPage,
  restorePreview,
  restoreStatements,
} from '#worker/catalog/history/sql/restore'
import type { restoreResultSchema } from '#worker/catalog/schemas'
import { commit, unknownWrite } from '#worker/catalog/write/commit'
import { changePages, changesCsv, type DiffCsvOptions, diffOf } from '#worker/catalog/write/diff'
import { emptiedFields } from '#worker/catalog/write/emptied-fields'
import { guardError, previewCounts } from '#worker/catalog/write/preview'
import { committedResult, type WriteRow } from '#worker/catalog/write/result'
import type { NewWrite } from '#worker/catalog/write/sql/fragments'
import { asExpectedState, type ExpectedState, requireState } from '#worker/catalog/write/sql/state'
import { firstOf } from '#worker/storage/database'
import { type Stop, stopOf } from '#worker/storage/database-faults'
import type { Deadline } from '#worker/storage/deadline'
import { beyondRevision, findWrite } from './changes'

type RestoreResult = z.output<typeof restoreResultSchema>

type RestoreOptions = RestoreTarget &
  ExpectedState &
  Pick<NewWrite, 'createdBy' | 'requestId' | 'now' | 'maxShrink' | 'key' | 'keepsVersions'>

/** The target that undoes one write. @throws ApiError 404 if there is no such write; 409 if it changed nothing */
export async function undoTarget(
  catalog: Catalog,
  batchId: string,
): Promise<Required<Pick<RestoreTarget, 'revision' | 'undoneWrite'>>> {
  const undoneWrite = await findWrite(catalog, batchId)
  if (changesIn(undoneWrite) === 0) {
    throw new ApiError('conflict', 'This write changed nothing, so there is nothing to undo.')
  }
  if (undoneWrite.format === 'added_name') {
    throw new ApiError('conflict', 'This write changed the added names of a record. Add or delete the name instead.')
  }
  return { revision: undoneWrite.revision - 1, undoneWrite }
}

/**
 * Restores a catalog to a revision, or undoes one write. No record passes through the Worker.
 *
 * @throws ApiError 400 for a revision that never existed; 409 for one that is no longer kept, records that changed
 *   later, a stale `expectedRevision` and the shrink guard; 503 if the database cannot be reached
 */
export async function restoreCatalog(
  catalog: Catalog,
  options: RestoreOptions,
  deadline: Deadline,
): Promise<RestoreResult> {
  const { catalogKey } = catalog
  const newWrite: NewWrite = {
    ...options,
    batchId: crypto.randomUUID(),
    format: 'restore',
    mode: 'restore',
    fileName: options.undoneWrite?.file_name ?? null,
    sizeBytes: 0,
    fileDigest: null,
    warnings: 0,
    warningList: null,
    // After an undo of one write, the catalog is in a state that it never had before.
    restoredRevision: options.undoneWrite === undefined ? options.revision : null,
    approvalId: null,
    emptiedGuard: null,
    total: 0,
  }
  const write = async () => {
    try {
      return await commit(catalog, newWrite, restoreStatements(catalogKey, newWrite, options))
    } catch (error) {
      throw (await refusalOf(catalog, options, stopOf(error))) ?? error
    }
  }
  const row = await deadline.whileWriting(write, unknownWrite(catalogKey, newWrite.batchId))
  return committedResult(catalog.type, 'restore', row)
}

/** The error for a restore that was stopped for a reason specific to restores; null for other reasons. */
async function refusalOf(catalog: Catalog, target: RestoreTarget, stop: Stop | undefined): Promise<ApiError | null> {
  switch (stop?.reason) {
    case 'changed_later':
      return laterChangesRefusal(await changedLater(catalog, target.undoneWrite))
    case 'too_many_restored':
      return tooManyRestored(target)
    case 'unrestorable_revision': {
      const [revision, oldest] = stop.figures.map(Number)
      return notRestorable(target.revision, revision ?? 0, oldest ?? 0)
    }
    default:
      return null
  }
}

function notRestorable(target: number, revision: number, oldest: number): ApiError | null {
  if (target > revision) return beyondRevision('revision', target, revision)
  if (target >= oldest) return null
  return new ApiError(
    'conflict',
    `Revision ${target} can no longer be restored; the oldest restorable revision is ${oldest}. Nothing was written.`,
  )
}

const tooManyRestored = ({ revision, undoneWrite, maxRecords }: RestoreTarget): ApiError =>
  new ApiError(
    'conflict',
    (undoneWrite === undefined
      ? `Restoring revision ${revision}`
      : `Undoing the write of revision ${undoneWrite.revision}`) +
      ` would change more than ${maxRecords} records, which is too much for one step. Nothing was written.`,
  )

/** @throws ApiError for a revision that never existed or is no longer kept, and for an unexpected state */
function requireRestorable(row: RestorableState, revision: number, expected: ExpectedState): void {
  requireState(row, expected)
  const refusal = notRestorable(revision, row.revision, row.history_from)
  if (refusal) throw refusal
}

/** The counts of a restore, and a row for each of its first changes. @throws ApiError if it is rejected */
async function readPreview({ db, catalogKey }: Catalog, target: RestoreTarget & ExpectedState) {
  const rows = await db.all(restorePreview(catalogKey, target))
  const row = firstOf(rows)
  requireRestorable(row, target.revision, target)
  if (row.total > target.maxRecords) throw tooManyRestored(target)
  return { row, rows }
}

/** @throws ApiError as `restoreCatalog`, except for the shrink guard */
export async function previewRestore(
  catalog: Catalog,
  options: RestoreTarget & ExpectedState & { maxShrink: number | null; diff: boolean },
): Promise<RestoreResult> {
  const { type } = catalog
  const { row, rows } = await readPreview(catalog, options)
  const later = await changedLater(catalog, options.undoneWrite)
  return {
    type: type.name,
    mode: 'restore',
    dry_run: true,
    ...previewCounts(row),
    ...emptiedFields(type, 'restore', row.emptied),
    ...guardError(options.maxShrink, row.active_before, row.became_inactive),
    ...(later === undefined ? {} : { changed_later: later }),
    ...(options.diff ? { diff: diffOf(type, rows) } : {}),
  }
}

/** The changes as CSV, in the order in which records were first written; see `diffCsv`. All are from one revision. */
export async function restoreCsv(
  catalog: Catalog,
  options: DiffCsvOptions & RestoreTarget,
): Promise<AsyncGenerator<string>> {
  const { catalogKey, type } = catalog
  const { revision, kind, safe, withSlot } = options
  const { row } = await readPreview(catalog, options)
  const require = (state: RestorableState) => requireRestorable(state, revision, asExpectedState(row))
  const pages = changePages({ ...catalog, require, withSlot }, (last) =>
    restoreChangesPage(catalogKey, options, last?.position ?? -1, kind),
  )
  return changesCsv(type, safe, pages)
}

type LaterChanges = NonNullable<RestoreResult['changed_later']>

async function changedLater(
  { db, catalogKey, type }: Catalog,
  undoneWrite: WriteRow | undefined,
): Promise<LaterChanges | undefined> {
  if (undoneWrite === undefined) return undefined
  const rows = await db.all(laterChangesStatement(catalogKey, undoneWrite, DIFF_LIST_RECORDS))
  const [first] = rows
  if (first === undefined) return undefined
  const items = rows.map((row) => ({
    id: row.record_id,
    name: String(returnedForm(type, row).name),
    revision: row.revision,
    batch_id: row.batch_id,
    changed_at: new Date(row.written_at).toISOString(),
    changed_by: row.created_by,
  }))
  return { count: first.record_count, items }
}

const NAMED_RECORDS = 5

/** The error for an undo of a write whose records were changed by later writes; null if there are none anymore. */
function laterChangesRefusal(later: LaterChanges | undefined): ApiError | null {
  if (later === undefined) return null
  const ids = later.items.slice(0, NAMED_RECORDS).map(({ id }) => `"${id}"`)
  const others = later.count > ids.length ? ` and ${later.count - ids.length} more` : ''
  return new ApiError(
    'conflict',
    `Later writes changed ${later.count} of the records of this write: ${ids.join(', ')}${others}. Nothing was ` +
      'written. Restore a revision, or write these records again.',
  )
}

import type { ShrinkGuardError } from '#shared/errors/errors'
import type { RecordSource } from '#shared/records/source'
import type { Catalog } from '#worker/catalog/catalog'
import type { WriteResult } from '#worker/catalog/schemas'
import { type DryRunRow, diffStatement, dryRunStatement, type OutcomeRow } from '#worker/catalog/write/sql/dry-run'
import type { NewWrite } from '#worker/catalog/write/sql/write'
import { firstOf } from '#worker/storage/database'
import { type CheckedRequest, type CheckOptions, checkRequest } from './check-request'
import { diffOf } from './diff'
import { emptiedFields, emptiedGuardErrors } from './emptied-fields'
import { renamedIdWarnings, similarIdWarnings } from './id-warnings'
import { requireState } from './sql/state'
import { shrinkGuard } from './write'

export interface DryRunOptions extends CheckOptions, Pick<NewWrite, 'maxShrink' | 'emptiedGuard'> {
  diff: boolean
  /** Examples of ids that resemble others. */
  examples: number
}

/** Tells what a write would do. @throws ApiError 400 as `writeRecords`; 409 for a stale revision */
export async function previewWrite(
  catalog: Catalog,
  source: RecordSource,
  options: DryRunOptions,
): Promise<WriteResult> {
  const { db, catalogKey, type } = catalog
  const checked = await checkRequest(catalog, source, options)
  const { chunks } = checked
  if (!options.diff) {
    return dryRunResult(catalog, await db.one(dryRunStatement(catalogKey, chunks)), checked, options)
  }
  const rows = await db.all(diffStatement(catalogKey, chunks, options.mode))
  return { ...(await dryRunResult(catalog, firstOf(rows), checked, options)), diff: diffOf(type, rows) }
}

async function dryRunResult(
  catalog: Catalog,
  row: DryRunRow,
  checked: CheckedRequest,
  options: DryRunOptions,
): Promise<WriteResult> {
  const { type } = catalog
  const { mode, maxShrink } = options
  requireState(row, checked.expected)
  const counts = previewCounts(row, mode === 'reconcile' ? row.active_before - row.active_sent : 0)
  const { emptied, warnings } = emptiedFields(type, mode, row.emptied)
  const emptiedGuard = options.emptiedGuard && emptiedGuardErrors(type, options.emptiedGuard, row.emptied)
  const similar = await similarIdWarnings(catalog, checked, row, options.examples)
  const renamed = await renamedIdWarnings(catalog, checked, row, options.examples)
  return {
    type: type.name,
    mode,
    dry_run: true,
    ...counts,
    emptied,
    warnings: [...checked.warnings, ...warnings, ...similar, ...renamed],
    ...guardError(maxShrink, row.active_before, counts.deactivated),
    ...(emptiedGuard && emptiedGuard.length > 0 ? { emptied_guard: emptiedGuard } : {}),
  }
}

/** The counts of a change, and the present state. @param leftOut active records that a reconcile does not send */
export function previewCounts(row: OutcomeRow, leftOut = 0) {
  const { total, inserted, reactivated, unchanged, active_before, revision, epoch } = row
  const deactivated = row.became_inactive + leftOut
  return {
    total,
    inserted,
    updated: total - inserted - reactivated - row.became_inactive,
    reactivated,
    unchanged,
    deactivated,
    active_before,
    active_after: active_before + row.became_active - deactivated,
    revision,
    epoch,
  }
}

export const guardError = (
  maxShrink: number | null,
  activeBefore: number,
  wouldDeactivate: number,
): { shrink_guard?: ShrinkGuardError } =>
  maxShrink !== null && wouldDeactivate * 100 > maxShrink * activeBefore
    ? { shrink_guard: shrinkGuard(activeBefore, wouldDeactivate) }
    : {}

import type { ShrinkGuardError } from '#shared/errors/errors'
import type { RecordSource } from '#shared/records/source'
import type { Catalog } from '#worker/catalog/catalog'
import type { WriteResult } from '#worker/catalog/schemas'
import { type DryRunRow, diffStatement, dryRunStatement, type OutcomeRow } from '#worker/catalog/write/sql/dry-run'
import type { NewWrite } from '#worker/catalog/write/sql/fragments'
import { requireState } from '#worker/catalog/write/sql/state'
import { databaseInSlots, firstOf, type WithSlot } from '#worker/storage/database'
import { type CheckedRequest, type CheckOptions, checkRequest, inComparedState } from './check-request'
import { shrinkGuard } from './commit'
import { diffOf } from './diff'
import { emptiedFields, emptiedGuardErrors } from './emptied-fields'
import { reactivatedWarnings, renamedIdWarnings, similarIdWarnings } from './id-warnings'
import { sameItemWarnings } from './same-item-warnings'

export interface DryRunOptions extends CheckOptions, Pick<NewWrite, 'maxShrink' | 'emptiedGuard'> {
  diff: boolean
  /** Most examples in a warning. */
  examples: number
  /** Runs each read once it has a slot. */
  withSlot: WithSlot
}

/**
 * Returns the effect that a write would have. Each read has its own slot.
 *
 * @throws ApiError 400 as `writeRecords`; 409 for a stale revision
 */
export async function previewWrite(
  catalog: Catalog,
  source: RecordSource,
  options: DryRunOptions,
): Promise<WriteResult> {
  const inSlots = { ...catalog, db: databaseInSlots(catalog.db, options.withSlot) }
  const { db, catalogKey, type } = inSlots
  const { diff, mode } = options
  const preview = async (checked: CheckedRequest): Promise<WriteResult> => {
    if (!diff) return dryRunResult(inSlots, await db.one(dryRunStatement(catalogKey, checked, mode)), checked, options)
    const rows = await db.all(diffStatement(catalogKey, checked, mode))
    return { ...(await dryRunResult(inSlots, firstOf(rows), checked, options)), diff: diffOf(type, rows) }
  }
  return inComparedState(await checkRequest(inSlots, source, options), preview)
}

async function dryRunResult(
  catalog: Catalog,
  row: DryRunRow,
  checked: CheckedRequest,
  options: DryRunOptions,
): Promise<WriteResult> {
  const { type } = catalog
  const { mode, maxShrink, examples } = options
  requireState(row, checked.expected)
  const unsent = checked.total - row.total
  const all = { ...row, total: checked.total, unchanged: row.unchanged + unsent }
  const counts = previewCounts(all, row.left_out_count)
  const { emptied, warnings } = emptiedFields(type, checked.format, row.emptied)
  const emptiedGuard = options.emptiedGuard && emptiedGuardErrors(type, options.emptiedGuard, row.emptied)
  const reactivated = reactivatedWarnings(checked, row.reactivated_positions, options)
  const similar = await similarIdWarnings(catalog, checked, row, examples)
  const renamed = await renamedIdWarnings(catalog, checked, row, examples)
  const sameItems = await sameItemWarnings(catalog, checked, mode, examples)
  return {
    type: type.name,
    mode,
    dry_run: true,
    ...counts,
    emptied,
    warnings: [...checked.warnings, ...warnings, ...reactivated, ...similar, ...renamed, ...sameItems],
    ...guardError(maxShrink, row.active_before, counts.deactivated),
    ...(emptiedGuard && emptiedGuard.length > 0 ? { emptied_guard: emptiedGuard } : {}),
  }
}

/** The counts of a change, and the current state. @param leftOut active records missing from a reconcile */
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

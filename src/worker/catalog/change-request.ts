import { DEFAULT_MAX_SHRINK } from '#shared/limits'
import type { RestoreResult } from '#worker/catalog/history/restore'
import type { ChangeQuery } from '#worker/catalog/read/queries'
import type { ExpectedState } from '#worker/catalog/write/conflicts'
import type { DiffCsvOptions } from '#worker/catalog/write/diff-csv'
import type { WriteResult } from '#worker/catalog/write/write'
import { configOf } from '#worker/env'
import type { AppContext } from '#worker/http/context'
import { note } from '#worker/http/notes'
import { pacedRead } from '#worker/http/sharing/expensive-reads'
import { wantsCsv } from './csv-answer'

/** What the requests have in common that change a catalog: writes and restores. */

/** The limit of the shrink guard in percent; null when `confirm_shrink` overrides the guard. */
export function maxShrinkOf({
  mode,
  confirm_shrink,
  max_shrink,
}: Pick<ChangeQuery, 'confirm_shrink' | 'max_shrink'> & { mode?: 'upsert' | 'reconcile' }): number | null {
  if (confirm_shrink) return null
  // An upsert has the guard only if the caller asks for it.
  return max_shrink ?? (mode === 'upsert' ? null : DEFAULT_MAX_SHRINK)
}

const expectedState = ({ expected_revision, expected_epoch }: ChangeQuery): ExpectedState => ({
  expectedRevision: expected_revision ?? null,
  expectedEpoch: expected_epoch ?? null,
})

/** The options of a change that are the same for every kind of it. */
export function changeOptions(c: AppContext, query: ChangeQuery, now: Date) {
  const dryRun = query.dry_run ?? false
  note(c, { mode: 'mode' in query ? String(query.mode) : 'restore', dry_run: dryRun })
  return {
    dryRun,
    diff: query.include === 'diff',
    keepsVersions: configOf(c.env).historyDays > 0,
    ...expectedState(query),
    createdBy: c.var.caller.actor,
    now: now.getTime(),
  }
}

/** What a write or a restore did, for the log line. */
export function noteResult(c: AppContext, result: WriteResult | RestoreResult): void {
  const { total, inserted, updated, reactivated, unchanged, deactivated, revision, warnings } = result
  const changed = total - unchanged + deactivated > 0
  const outcome = result.dry_run ? 'ok' : changed ? 'written' : 'unchanged'
  const counts = { total, inserted, updated, reactivated, unchanged, deactivated }
  note(c, { outcome, ...counts, revision, warnings: warnings.length })
}

/** How the diff is written as CSV; undefined when the answer is JSON. */
export const diffCsvOptions = (c: AppContext, query: ChangeQuery): DiffCsvOptions | undefined =>
  query.include === 'diff' && wantsCsv(c, query.format)
    ? {
        ...expectedState(query),
        only: query.change ?? null,
        safe: query.safe === '1',
        paced: pacedRead(c),
      }
    : undefined

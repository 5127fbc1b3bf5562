import type { ChangeQuery } from '#catalog/read/queries'
import type { ExpectedState } from '#catalog/write/conflicts'
import type { DiffCsvOptions } from '#catalog/write/diff-csv'
import { configOf } from '#env'
import type { AppContext } from '#http/context'
import { pacedRead } from '#http/sharing/expensive-reads'
import { DEFAULT_MAX_SHRINK } from '#limits'
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
export const changeOptions = (c: AppContext, query: ChangeQuery, now: Date) => ({
  dryRun: query.dry_run ?? false,
  diff: query.include === 'diff',
  keepsVersions: configOf(c.env).historyDays > 0,
  ...expectedState(query),
  createdBy: c.var.caller.actor,
  now: now.getTime(),
})

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

import { DEFAULT_MAX_SHRINK } from '#shared/limits'
import { wantsCsv } from '#worker/catalog/csv-answer'
import type { WriteResult } from '#worker/catalog/schemas'
import { configOf } from '#worker/env'
import type { AppContext } from '#worker/http/context'
import { note } from '#worker/http/log'
import { expensiveRead, readsInTurn } from '#worker/http/sharing/expensive-reads'
import type { DiffCsvOptions } from './diff-csv'
import type { ChangeQuery } from './queries'
import { type ChangeResult, writeMessage } from './result'
import type { ExpectedState } from './sql/state'

/** What the requests to write and to restore have in common. */

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
    requestId: c.var.requestId,
    now: now.getTime(),
  }
}

/** How the diff is written as CSV; undefined when the answer is JSON. */
export const diffCsvOptions = (c: AppContext, query: ChangeQuery): DiffCsvOptions | undefined =>
  query.include === 'diff' && wantsCsv(c, query.format)
    ? {
        ...expectedState(query),
        only: query.change ?? null,
        safe: query.safe === '1',
        readInTurn: readsInTurn(c),
      }
    : undefined

export interface ChangeAnswer<Result> {
  message: string
  data: Result
}

/** Runs a change, or its dry run, which is an expensive read. Writes the counts to the log line of the request. */
export async function answerChange<Result extends ChangeResult & Pick<WriteResult, 'revision' | 'warnings'>>(
  c: AppContext,
  dryRun: boolean,
  change: () => Promise<Result>,
): Promise<ChangeAnswer<Result>> {
  const result = await (dryRun ? expensiveRead(c, change) : change())
  const { total, inserted, updated, reactivated, unchanged, deactivated, revision, warnings } = result
  const outcome = dryRun ? 'ok' : total - unchanged + deactivated > 0 ? 'written' : 'unchanged'
  const counts = { total, inserted, updated, reactivated, unchanged, deactivated }
  note(c, { outcome, ...counts, revision, warnings: warnings.length })
  return { message: writeMessage(result), data: result }
}

import type { Stop, WriteResult } from '#client/catalog-client'
import { CHANGES, type Change, countOf } from '#shared/records/change'
import { countText } from '#shared/records/warnings'

/** What a write did, or would do, in words. */

const COUNTS = ['total', ...CHANGES, 'unchanged'] as const

type Counts = Pick<WriteResult, Change | 'total' | 'unchanged'>

/** The counts of several parts of a file together. */
export const sumOf = (all: readonly Counts[]): Counts =>
  Object.fromEntries(
    COUNTS.map((name) => [name, all.reduce((sum, counts) => sum + counts[name], 0)]),
  ) as unknown as Counts

/** `12 inserted, 3 updated, 40 unchanged`. */
export function countsText(counts: Counts): string {
  const changes = CHANGES.filter((name) => countOf(counts, name) > 0)
  const parts = changes.map((name) => `${countOf(counts, name)} ${name}`)
  return [...parts, `${counts.unchanged} unchanged`].join(', ')
}

/** Why a guard stops a write, and the option that allows it. */
export const stopText = (stop: Stop): string =>
  stop.code === 'shrink_guard'
    ? `${stop.would_deactivate} of ${stop.active_before} active records would be deactivated. If that is ` +
      'right: --confirm-shrink.'
    : `${countText(stop.emptied, 'record')} would lose their ${stop.field}. If that is right: --allow-emptied ` +
      `${stop.field}.`

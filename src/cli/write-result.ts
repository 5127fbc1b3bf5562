import type { Stop, WriteResult } from '#client/catalog-client'
import { CHANGES, type ChangeKind, countOf } from '#shared/records/change'
import { countText } from '#shared/records/warnings'

/** Describes what a write did, or would do. */

type Counts = Pick<WriteResult, ChangeKind | 'unchanged'>

/** `12 inserted, 3 updated, 40 unchanged`. */
export function countsText(counts: Counts): string {
  const changes = CHANGES.filter((name) => countOf(counts, name) > 0)
  const parts = changes.map((name) => `${countOf(counts, name)} ${name}`)
  return [...parts, `${counts.unchanged} unchanged`].join(', ')
}

/** The options that override the guards that block a write. */
export function optionsFor(stops: readonly Stop[]): string {
  const fields = stops.flatMap((stop) => (stop.code === 'emptied_guard' ? [stop.field] : []))
  const options = [
    ...(stops.length > fields.length ? ['--confirm-shrink'] : []),
    ...(fields.length > 0 ? [`--allow-emptied ${fields.join()}`] : []),
  ]
  return options.join(' ')
}

/** Why a guard blocks a write, and the option that overrides it. */
export const stopText = (stop: Stop): string =>
  (stop.code === 'shrink_guard'
    ? `${stop.would_deactivate} of ${stop.active_before} active records would be deactivated.`
    : `${countText(stop.emptied, 'record')} would lose their value in ${stop.field}.`) +
  ` To allow this, add ${optionsFor([stop])}.`

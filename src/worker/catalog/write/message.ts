import { CHANGES, type Change } from '#shared/records/change'
import type { WriteMode } from '#worker/catalog/history/batches'

export type Done = { mode: WriteMode; dry_run: boolean } & Record<Change | 'total' | 'unchanged', number>

/** A sentence for people; programs read the counts. */
export function writeMessage(result: Done): string {
  const counts = CHANGES.filter((name) => result[name] > 0).map(
    (name) =>
      `${result[name]} ${name}${name === 'updated' && result.unchanged > 0 ? ` (${result.unchanged} of them unchanged)` : ''}`,
  )
  const verb = result.mode === 'restore' ? 'restored' : 'written'
  const done = result.dry_run ? `would be ${verb}` : verb
  return `${result.total} ${result.total === 1 ? 'record' : 'records'} ${done}${counts.length > 0 ? `: ${counts.join(', ')}` : ''}`
}

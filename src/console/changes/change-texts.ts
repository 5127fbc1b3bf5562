import { CHANGES, type ChangeKind, countOf } from '#shared/records/change'
import type { Write, WriteResult } from '../service/answers'
import { countText, numberText, titleCase } from '../wording'

export { changesIn, countOf } from '#shared/records/change'

/** The outcome for a record that was written: one of the changes, or none. */
type RecordOutcome = ChangeKind | 'unchanged'

/** In display order: deactivations come first. */
export const SHOWN_CHANGES: readonly ChangeKind[] = ['deactivated', 'inserted', 'updated', 'reactivated']
export const OUTCOMES: readonly RecordOutcome[] = [...SHOWN_CHANGES, 'unchanged']

/** How each outcome is displayed. No color is the color of buttons and links. */
export const OUTCOME_LOOKS: Readonly<Record<RecordOutcome, { label: string; color: string }>> = {
  inserted: { label: 'Added', color: 'green' },
  updated: { label: 'Updated', color: 'blue' },
  reactivated: { label: 'Reactivated', color: 'green' },
  deactivated: { label: 'Deactivated', color: 'red' },
  unchanged: { label: 'Unchanged', color: 'gray' },
}

export type Counts = Pick<WriteResult, RecordOutcome> & Partial<Pick<WriteResult, 'active_before' | 'active_after'>>

/** Number of new records that are inactive. The other new records increase the number of active records. */
function addedInactive(counts: Counts): number {
  const { inserted, reactivated, deactivated, active_before: before, active_after: after } = counts
  return before === undefined || after === undefined ? 0 : inserted - (after - before - reactivated + deactivated)
}

const VERBS: Readonly<Record<ChangeKind, { action: string; does: string; did: string }>> = {
  inserted: { action: 'add', does: 'adds', did: 'added' },
  updated: { action: 'update', does: 'updates', did: 'updated' },
  reactivated: { action: 'reactivate', does: 'reactivates', did: 'reactivated' },
  deactivated: { action: 'deactivate', does: 'deactivates', did: 'deactivated' },
}

/** The button text for a write: `Add 2, update 5, deactivate 30`. */
export const actionText = (counts: Counts): string =>
  titleCase(
    CHANGES.filter((change) => countOf(counts, change) > 0)
      .map((change) => `${VERBS[change].action} ${numberText(countOf(counts, change))}`)
      .join(', '),
  )

/** The effect of a write, as a sentence: `Adds 3, updates 5, deactivates none`. */
export function changeSentence(counts: Counts, isDone = false): string {
  const tense = isDone ? 'did' : 'does'
  const changes = CHANGES.filter((change) => change === 'deactivated' || countOf(counts, change) > 0)
  const inactive = addedInactive(counts)
  return titleCase(
    changes
      .map((change) => {
        const count = numberText(countOf(counts, change)).replace(/^0$/, 'none')
        const aside = change === 'inserted' && inactive > 0 ? ` (${numberText(inactive)} inactive)` : ''
        return `${VERBS[change][tense]} ${count}${aside}`
      })
      .join(', '),
  )
}

/** The number of active records after a write, as a sentence. */
export const activeText = ({ active_after }: Pick<WriteResult, 'active_after'>): string =>
  `${countText(active_after, 'record is', 'records are')} active.`

/** How a write treats the records that are missing from its file. */
export const MODE_LABELS: Readonly<Record<Write['mode'], string>> = {
  upsert: 'Add and update',
  reconcile: 'Replace the whole catalog',
  restore: 'Restore',
}

import { CHANGES, type Change, countOf } from '#shared/records/change'
import type { Write, WriteResult } from '../service/answers'
import { numberText, titleCase } from '../wording'

export { changesIn, countOf } from '#shared/records/change'

/** What became of a record that was written: one of the changes, or none. */
type RecordOutcome = Change | 'unchanged'

/** In the order in which they are shown: what takes something away comes first. */
export const SHOWN_CHANGES: readonly Change[] = ['deactivated', 'inserted', 'updated', 'reactivated']
export const OUTCOMES: readonly RecordOutcome[] = [...SHOWN_CHANGES, 'unchanged']

/** Colours by meaning: none of them is the colour of buttons and links. */
export const OUTCOME_COLORS: Readonly<Record<RecordOutcome, string>> = {
  deactivated: 'red',
  inserted: 'green',
  updated: 'blue',
  reactivated: 'green',
  unchanged: 'gray',
}

export type Counts = Pick<WriteResult, RecordOutcome>

export const OUTCOME_LABELS: Readonly<Record<RecordOutcome, string>> = {
  inserted: 'New',
  updated: 'Updated',
  reactivated: 'Reactivated',
  deactivated: 'Deactivated',
  unchanged: 'Unchanged',
}

const VERBS: Readonly<Record<Change, string>> = {
  inserted: 'add',
  updated: 'update',
  reactivated: 'reactivate',
  deactivated: 'deactivate',
}

/** What a write would do, as the text of its button: `Add 2, update 5, deactivate 30`. */
export const actionText = (counts: Counts): string =>
  titleCase(
    CHANGES.filter((change) => countOf(counts, change) > 0)
      .map((change) => `${VERBS[change]} ${numberText(countOf(counts, change))}`)
      .join(', '),
  )

const PRESENT: Readonly<Record<Change, string>> = {
  inserted: 'adds',
  updated: 'changes',
  reactivated: 'brings back',
  deactivated: 'deactivates',
}

const PAST: Readonly<Record<Change, string>> = {
  inserted: 'added',
  updated: 'changed',
  reactivated: 'brought back',
  deactivated: 'deactivated',
}

/** What a write does or did, in a sentence: `Adds 3, changes 5, deactivates none`. */
export function changeSentence(counts: Counts, isDone = false): string {
  const verbs = isDone ? PAST : PRESENT
  const changes = CHANGES.filter((change) => change === 'deactivated' || countOf(counts, change) > 0)
  return titleCase(
    changes
      .map((change) => `${verbs[change]} ${numberText(countOf(counts, change)).replace(/^0$/, 'none')}`)
      .join(', '),
  )
}

/** What a write does about the records that are not in its file. */
export const MODE_LABELS: Readonly<Record<Write['mode'], string>> = {
  upsert: 'Add and update',
  reconcile: 'Replace the whole catalog',
  restore: 'Restore',
}

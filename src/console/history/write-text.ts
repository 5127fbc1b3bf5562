import { PERSON_PREFIX } from '#shared/access/caller'
import { type Counts, changesIn, countOf, MODE_LABELS, OUTCOME_LOOKS, OUTCOMES } from '../changes/change-texts'
import type { CatalogStatus, Write } from '../service/answers'
import { countText, numberText, sizeText, timeText } from '../wording'
import type { RestoreKind } from './history-address'

/** How records were written: by a file, a restore, a user in the console, or as JSON by an integration. */
export function kindText({ format, created_by }: Write): 'upload' | 'restore' | 'edit' | 'import' | 'added name' {
  if (format === 'added_name') return 'added name'
  if (format === 'csv') return 'upload'
  if (format === 'restore') return 'restore'
  return created_by.startsWith(PERSON_PREFIX) ? 'edit' : 'import'
}

/** Whether it undid one write and kept later ones. */
const isUndo = ({ format, restored_revision }: Write): boolean => format === 'restore' && restored_revision === null

/** A short title of the write. */
export function titleText(write: Write): string {
  const { file_name } = write
  if (isUndo(write)) return file_name === null ? 'An earlier change undone' : `${file_name} undone`
  switch (kindText(write)) {
    case 'upload':
      return file_name ?? 'Upload without a file name'
    case 'restore':
      return 'Restore of an earlier state'
    case 'added name':
      return 'Added names changed'
    case 'edit':
      return 'Edit in the console'
    case 'import':
      return 'API import'
  }
}

/** How it was written; undefined if the title says everything. */
export function detailText(write: Write): string | undefined {
  // The user's file may have been a workbook of a different size.
  if (write.format === 'csv') return `${MODE_LABELS[write.mode]}, ${sizeText(write.size_bytes)} as CSV`
  if (isUndo(write)) return 'Later changes stayed'
  if (write.format === 'restore') {
    return write.restored_revision === 0 ? 'Back to the empty catalog' : `Back to revision ${write.restored_revision}`
  }
  return write.mode === 'reconcile' ? MODE_LABELS.reconcile : undefined
}

/** The number of changes of each kind, without zeros: `2 new, 1 deactivated, 44,325 unchanged`. */
export function countsText(counts: Counts): string {
  const { unchanged } = counts
  if (changesIn(counts) === 0) {
    return unchanged === 0
      ? 'Nothing changed'
      : `Nothing changed: ${countText(unchanged, 'record was', 'records were')} the same`
  }
  return OUTCOMES.filter((outcome) => countOf(counts, outcome) > 0)
    .map((outcome) => `${numberText(countOf(counts, outcome))} ${OUTCOME_LOOKS[outcome].label.toLowerCase()}`)
    .join(', ')
}

/**
 * A write as part of a sentence: `the upload “new.csv” (21 Nov 2026, 18:00, asha@clinic.example)`.
 *
 * @param author who wrote it
 */
export function sentenceText(write: Write, author: string): string {
  const name = write.file_name === null ? '' : ` “${write.file_name}”`
  return `the ${kindText(write)}${name} (${timeText(write.created_at)}, ${author})`
}

/** Whether it changed anything, and the state before it is still stored. Added names are not part of that state. */
export const canUndo = (write: Write, status: CatalogStatus): boolean =>
  write.format !== 'added_name' && changesIn(write) > 0 && write.revision > status.oldest_restorable_revision

/** Whether it has been followed by other writes, and the state after it is still stored. */
export const canGoBackTo = (write: Write, status: CatalogStatus): boolean =>
  write.revision < status.revision && write.revision >= status.oldest_restorable_revision

/** The label of the button to undo a write: `Undo this upload`. */
export const undoText = (write: Write): string => `Undo this ${kindText(write)}`

/** The state to restore records to: `as they were before the upload …`. */
export const targetText = (write: Write, kind: RestoreKind, author: string): string =>
  `as they were ${kind === 'undo' ? 'before' : 'after'} ${sentenceText(write, author)}`

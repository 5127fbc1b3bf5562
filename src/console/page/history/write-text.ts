import { authorText } from '../author'
import { changesIn, MODE_LABELS } from '../changes/counts'
import type { CatalogStatus, Write } from '../service/answers'
import { sizeText, timeText } from '../wording'
import type { Target } from './address'

export function kindText({ format, created_by }: Write): string {
  if (format === 'csv') return 'upload'
  if (format === 'restore') return 'restore'
  return created_by.startsWith('user:') ? 'edit' : 'transfer'
}

/** What was written, in short. */
export function titleText(write: Write): string {
  switch (kindText(write)) {
    case 'upload':
      return write.file_name ?? 'Upload without a file name'
    case 'restore':
      return 'Restore of an earlier state'
    case 'edit':
      return 'Edit in the console'
    default:
      return 'Transfer by a program'
  }
}

/** How it was written; undefined if the title says all. */
export function detailText(write: Write): string | undefined {
  if (write.format === 'csv') return `${MODE_LABELS[write.mode]}, ${sizeText(write.size_bytes)}`
  if (write.format === 'restore') {
    return write.restored_revision === 0
      ? 'Back to the empty catalog'
      : `Back to state ${write.restored_revision}`
  }
  return write.mode === 'reconcile' ? MODE_LABELS.reconcile : undefined
}

/** A write within a sentence: `the upload “new.csv” (21 Nov 2026, 18:00, asha@clinic.example)`. */
export function sentenceText(write: Write): string {
  const name = write.file_name === null ? '' : ` “${write.file_name}”`
  return `the ${kindText(write)}${name} (${timeText(write.created_at)}, ${authorText(write.created_by)})`
}

/** Whether the catalog is as this write left it. */
export const isCurrent = (write: Write, { revision }: CatalogStatus): boolean =>
  write.revision === revision && changesIn(write) > 0

/** Whether it is the newest change, and what was before it is still kept. */
export const canUndo = (write: Write, status: CatalogStatus): boolean =>
  isCurrent(write, status) && write.revision > status.oldest_restorable_revision

/** Whether something came after it, and what was then is still kept. */
export const canGoBackTo = (write: Write, status: CatalogStatus): boolean =>
  write.revision < status.revision && write.revision >= status.oldest_restorable_revision

/** What the way back is called: `Undo this upload`. */
export const undoText = (write: Write): string => `Undo this ${kindText(write)}`

/** What the way back leads to, of the records: `as they were before the upload …`. */
export const targetText = (write: Write, target: Target): string =>
  `as they were ${target === 'undo' ? 'before' : 'after'} ${sentenceText(write)}`

import { MODE_LABELS } from '../../changes/change-texts'
import type { Upload } from '../../service/answers'
import { countText, fieldWord, numberText, sizeText } from '../../wording'

type ListedOutcome = Upload['outcome']

/** The outcome of an upload, in a few words, in filter order. */
export const OUTCOME_TEXTS: Readonly<Record<ListedOutcome, string>> = {
  held: 'Awaiting approval',
  written: 'Written',
  unchanged: 'Written, nothing changed',
  approved: 'Approved and written',
  discarded: 'Discarded',
  expired: 'Expired without a decision',
  invalid: 'Rejected: the file has errors',
  shrink_guard: 'Blocked: too many records would be deactivated',
  emptied_guard: 'Blocked: too many values would be cleared',
  stale: 'Rejected: the catalog had changed',
  quota: 'Rejected: quota exceeded',
  failed: 'Failed: internal error of the service',
  not_sent: 'Not sent: see the reported reason',
}

/** The outcome of an upload. Previews in the console have their own texts, because they do not concern other users. */
export function uploadOutcomeText({ outcome, held_for }: Pick<Upload, 'outcome' | 'held_for'>): string {
  if (held_for !== 'dry_run') return OUTCOME_TEXTS[outcome]
  if (outcome === 'held') return 'Previewed, not written'
  return outcome === 'approved' ? OUTCOME_TEXTS.written : OUTCOME_TEXTS[outcome]
}

export function outcomeColor(upload: Pick<Upload, 'outcome' | 'held_for'>): string {
  const { outcome, held_for } = upload
  if (isWritten(upload)) return 'green'
  if (outcome === 'held') return held_for === 'dry_run' ? 'gray' : 'yellow'
  return outcome === 'discarded' || outcome === 'expired' ? 'gray' : 'red'
}

/** Whether the catalog contains all of it. */
export const isWritten = ({ outcome }: Pick<Upload, 'outcome'>): boolean =>
  outcome === 'written' || outcome === 'unchanged' || outcome === 'approved'

/** Texts for kinds of errors, between the field name and the number of rows. */
const FAULTS: Readonly<Record<string, string>> = {
  required: 'is missing in',
  conditional: 'does not fit another value in',
  wrong_type: 'has the wrong kind of value in',
  too_long: 'is too long in',
  too_many: 'has too many values in',
  too_deep: 'is too deep in',
  too_large: 'is too large in',
  not_allowed: 'has a value that is not allowed in',
  malformed: 'cannot be read in',
  duplicate_id: 'occurs a second time in',
  reserved_id: 'is a reserved word in',
}

export type UploadError = Upload['errors'][number]

/** One kind of error, with the number of its rows; undefined for errors without rows. */
export function errorText(
  { field, code, count, first_index }: UploadError,
  { format }: Pick<Upload, 'format'>,
): string | undefined {
  const fault = FAULTS[code]
  if (field === null || first_index === null || fault === undefined) return undefined
  const rows = format === 'csv' ? countText(count, 'row', 'rows') : countText(count, 'record', 'records')
  return `${fieldWord(field)} ${fault} ${rows}`
}

/** The first sentence of a message, without its period. */
const firstSentence = (message: string): string => message.replace(/\.(?:\s.*)?$/s, '')

/** The message of the shrink guard, with digit grouping and without the service's advice. */
function deactivationText(message: string): string | undefined {
  const [, count, active] = /would deactivate (\d+) of (\d+)/.exec(message) ?? []
  return count === undefined
    ? undefined
    : `it would deactivate ${numberText(Number(count))} of ${numberText(Number(active))}`
}

/** Why an upload was not written, as part of a sentence: `unit is missing in 41 rows`. */
export function reasonText(upload: Pick<Upload, 'message' | 'errors' | 'error_count' | 'format'>): string {
  const [first] = upload.errors
  const error = first && errorText(first, upload)
  if (first === undefined || error === undefined) {
    return deactivationText(upload.message) ?? firstSentence(upload.message)
  }
  const others = upload.error_count - first.count
  return others > 0 ? `${error}, and ${countText(others, 'more error', 'more errors')}` : error
}

/** A short title for the upload: its file name if it has one. */
export function uploadTitle({
  file_name,
  format,
  by_program,
}: Pick<Upload, 'file_name' | 'format' | 'by_program'>): string {
  if (file_name !== null) return file_name
  if (format === 'json') return by_program ? 'API import' : 'Edit in the console'
  return format === 'csv' ? 'File without a name' : 'Upload that could not be read'
}

/** How it was sent: `Replace the whole catalog, 3.4 MB as CSV`. */
export function uploadDetail({ mode, size_bytes, format }: Pick<Upload, 'mode' | 'size_bytes' | 'format'>): string {
  if (size_bytes === null) return MODE_LABELS[mode]
  // The user's file may have been a workbook of a different size.
  return `${MODE_LABELS[mode]}, ${sizeText(size_bytes)}${format === 'csv' ? ' as CSV' : ''}`
}

/** Shown for a file that was sent with `keep_missing`. */
export const keptText = ({ format }: Pick<Upload, 'format'>): string =>
  format === 'csv' ? 'Fields without a column keep their values.' : 'Fields that are not sent keep their values.'

/** The decision about a pending upload, as part of a sentence: `was approved`. */
export const endText = (outcome: ListedOutcome): string => (outcome === 'expired' ? 'expired' : `was ${outcome}`)

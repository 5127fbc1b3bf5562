import { isWritten, OUTCOME_TEXTS, reasonText } from '../history/uploads/outcome-text'
import type { CatalogStatus } from '../service/answers'
import { shortTimeText, titleCase } from '../wording'

/**
 * Whether integrations keep a catalog up to date. `notWritten`: their last upload was rejected, discarded or the like.
 */
export interface SyncStatus {
  is: 'good' | 'late' | 'notWritten' | 'waiting'
  /** One line, such as `On time, 02:14`. */
  text: string
}

type Sync = CatalogStatus['sync']

/** @returns undefined if the catalog is not monitored and there is no problem with its last upload */
export function syncStatusOf(sync: Sync, now: Date): SyncStatus | undefined {
  const { state, since, last_success_at, last_upload } = sync
  const lateTexts = state === 'late' && since !== null ? [`Late since ${shortTimeText(since, now)}`] : []
  const uploadTexts = last_upload === null || isWritten(last_upload) ? [] : [notWrittenText(last_upload)]
  if (last_upload?.outcome === 'held') return { is: 'waiting', text: [...uploadTexts, ...lateTexts].join('. ') }
  if (lateTexts.length > 0) return { is: 'late', text: [...lateTexts, ...uploadTexts].join('. ') }
  const [uploadText] = uploadTexts
  if (uploadText !== undefined) return { is: 'notWritten', text: uploadText }
  if (state === 'unwatched') return undefined
  return {
    is: 'good',
    text: last_success_at === null ? 'Nothing is late' : `On time, ${shortTimeText(last_success_at, now)}`,
  }
}

/** Why the last upload is not written, or the decision about it: `Rejected: unit is missing in 41 rows`. */
function notWrittenText(upload: NonNullable<Sync['last_upload']>): string {
  const { outcome } = upload
  if (outcome === 'held') return `Awaiting approval: ${reasonText(upload)}`
  if (outcome === 'discarded' || outcome === 'expired') return `${OUTCOME_TEXTS[outcome]}: ${reasonText(upload)}`
  return outcome === 'failed' ? titleCase(reasonText(upload)) : `Rejected: ${reasonText(upload)}`
}

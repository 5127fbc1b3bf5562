import { isWritten, OUTCOME_TEXTS, reasonText } from '../history/uploads/outcome-text'
import type { CatalogStatus } from '../service/answers'
import { shortTimeText, titleCase } from '../wording'

/** Whether the programs of a catalog have done what they should, in one line. */
export interface SyncStatus {
  is: 'good' | 'late' | 'refused' | 'waiting'
  /** `On time, 02:14` */
  text: string
}

type Sync = CatalogStatus['sync']

/** @returns undefined if no program is expected, and none has left anything to look at */
export function syncStatusOf(sync: Sync, now: Date): SyncStatus | undefined {
  const { state, since, last_success_at, last_upload } = sync
  const lateTexts = state === 'late' && since !== null ? [`Late since ${shortTimeText(since, now)}`] : []
  const refusal = last_upload === null || isWritten(last_upload) ? [] : [refusalText(last_upload)]
  if (last_upload?.outcome === 'held') return { is: 'waiting', text: [...refusal, ...lateTexts].join('. ') }
  if (lateTexts.length > 0) return { is: 'late', text: [...lateTexts, ...refusal].join('. ') }
  if (refusal.length > 0) return { is: 'refused', text: refusal.join() }
  if (state === 'unwatched') return undefined
  return {
    is: 'good',
    text: last_success_at === null ? 'Nothing is late' : `On time, ${shortTimeText(last_success_at, now)}`,
  }
}

/** `Refused: unit is missing in 41 rows` */
function refusalText(upload: NonNullable<Sync['last_upload']>): string {
  const { outcome } = upload
  if (outcome === 'held') return `A file waits: ${reasonText(upload)}`
  if (outcome === 'discarded' || outcome === 'expired') return `${OUTCOME_TEXTS[outcome]}: ${reasonText(upload)}`
  return outcome === 'failed' ? titleCase(reasonText(upload)) : `Refused: ${reasonText(upload)}`
}

import type { CatalogStatus } from '../service/answers'
import { isWritten, OUTCOME_TEXTS, reasonText } from '../uploads/outcome-text'
import { shortTimeText, titleCase } from '../wording'

/** Whether the programs of a catalog have done what they should, in words. */
export interface SyncStatus {
  is: 'good' | 'late' | 'refused' | 'waiting' | 'unwatched'
  /** `On time, 02:14` */
  title: string
  /** What else there is to know. */
  details: readonly string[]
}

type Sync = CatalogStatus['sync']

/** @returns undefined if no program has sent anything, and none is expected */
export function syncStatusOf(sync: Sync, now: Date): SyncStatus | undefined {
  const { state, since, last_success_at, last_upload } = sync
  const lateText = state === 'late' && since !== null ? `Late since ${shortTimeText(since, now)}` : undefined
  const success = last_success_at === null ? undefined : `Last written ${shortTimeText(last_success_at, now)}.`
  if (last_upload?.outcome === 'held') {
    return {
      is: 'waiting',
      title: `A file waits: ${reasonText(last_upload)}`,
      details: [...(lateText === undefined ? [] : [`${lateText}.`]), ...(success === undefined ? [] : [success])],
    }
  }
  const refusal = last_upload === null || isWritten(last_upload) ? undefined : refusalText(last_upload)
  if (lateText !== undefined) {
    const details = [refusal, success ?? 'Nothing has been written so far.']
    return { is: 'late', title: lateText, details: details.filter((text) => text !== undefined) }
  }
  if (refusal !== undefined) {
    return { is: 'refused', title: refusal, details: success === undefined ? [] : [success] }
  }
  return onTime(sync, now)
}

/** `Refused: unit is missing in 41 rows` */
function refusalText(upload: NonNullable<Sync['last_upload']>): string {
  const { outcome } = upload
  if (outcome === 'discarded' || outcome === 'expired') return `${OUTCOME_TEXTS[outcome]}: ${reasonText(upload)}`
  return outcome === 'failed' ? titleCase(reasonText(upload)) : `Refused: ${reasonText(upload)}`
}

function onTime({ state, due_at, last_success_at }: Sync, now: Date): SyncStatus | undefined {
  if (state === 'unwatched') {
    return last_success_at === null
      ? undefined
      : {
          is: 'unwatched',
          title: `A program wrote it ${shortTimeText(last_success_at, now)}`,
          details: [],
        }
  }
  return {
    is: 'good',
    title: last_success_at === null ? 'Nothing is late' : `On time, ${shortTimeText(last_success_at, now)}`,
    details: due_at === null ? [] : [`The next file is expected by ${shortTimeText(due_at, now)}.`],
  }
}

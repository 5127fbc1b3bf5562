import type { ActivityDay } from '../service/answers'
import { countText, numberText } from '../wording'

const SHORT_DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' })

/** `2026-11-29` as `29 Nov`. */
export const dayName = (date: string): string => SHORT_DAY.format(new Date(`${date}T12:00`))

type Counts = Omit<ActivityDay, 'date' | 'active' | 'upload_id' | 'batch_id'>

/** What happened on one or more days: `2 added, 4 deactivated, 1 upload rejected`. */
function happenedText({ inserted, updated, reactivated, deactivated, writes, rejected, not_sent }: Counts): string {
  const changes = [
    [inserted, 'added'],
    [updated, 'updated'],
    [reactivated, 'reactivated'],
    [deactivated, 'deactivated'],
  ] as const
  const parts = changes.filter(([count]) => count > 0).map(([count, word]) => `${numberText(count)} ${word}`)
  if (parts.length === 0 && writes > 0) parts.push('no changes')
  if (rejected > 0) parts.push(`${countText(rejected, 'upload', 'uploads')} rejected`)
  if (not_sent > 0) parts.push(`${countText(not_sent, 'file', 'files')} missing`)
  return parts.length === 0 ? 'nothing was sent' : parts.join(', ')
}

/** `29 Nov: 2 added. 300 active.` */
export const dayText = (day: ActivityDay): string =>
  `${dayName(day.date)}: ${happenedText(day)}. ${numberText(day.active)} active.`

/** `Last 30 days: 2 added, 1 upload rejected.` */
export function periodText(days: readonly ActivityDay[]): string {
  const sum = (name: keyof Counts) => days.reduce((total, day) => total + day[name], 0)
  const changes = { inserted: sum('inserted'), updated: sum('updated'), reactivated: sum('reactivated') }
  const uploads = { writes: sum('writes'), rejected: sum('rejected'), not_sent: sum('not_sent') }
  return `Last ${days.length} days: ${happenedText({ ...changes, deactivated: sum('deactivated'), ...uploads })}.`
}

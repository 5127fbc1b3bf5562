import { TEST, type WebhookEvent } from '#shared/webhook-events'
import { countText, timeText } from '../wording'
import type { Watch, Webhook } from './resources'

/** How often a program should come, within a sentence: `every day`, `every 6 hours`. */
function everyText(hours: number): string {
  if (hours === 1) return 'every hour'
  if (hours === 24) return 'every day'
  return hours % 24 === 0 ? `every ${hours / 24} days` : `every ${hours} hours`
}

/** `A program should bring a file every day. If none comes, the catalog is late 1 hour after that.` */
export function watchText({ every_hours, grace_hours }: Pick<Watch, 'every_hours' | 'grace_hours'>): string {
  const late = grace_hours === 0 ? 'at once' : `${countText(grace_hours, 'hour', 'hours')} after that`
  return `A program should bring a file ${everyText(every_hours)}. If none comes, the catalog is late ${late}.`
}

export const EVENT_TEXTS: Readonly<Record<WebhookEvent, string>> = {
  'catalog.changed': 'A catalog has changed',
  'sync.late': 'A watched catalog is late',
  'sync.refused': 'A file for a watched catalog was refused, or waits',
  'sync.recovered': 'A watched catalog is on time again',
}

/** What a message tells. */
export const eventText = (event: string): string =>
  event === TEST ? 'Test' : (Object.entries(EVENT_TEXTS).find(([name]) => name === event)?.[1] ?? event)

/** What became of the last message to a receiver. */
export function deliveryText({
  last_status,
  last_attempt_at,
}: Pick<Webhook, 'last_status' | 'last_attempt_at'>): string {
  if (last_attempt_at === null) return 'Nothing was sent so far'
  return `${answerText(last_status)}, ${timeText(last_attempt_at)}`
}

/** What a receiver has answered: `Delivered`. @param status null without an answer */
export function answerText(status: number | null): string {
  if (status === null) return 'Not delivered: no answer'
  return status >= 200 && status < 300
    ? `Delivered (answer ${status})`
    : `Not delivered: the receiver answered ${status}`
}

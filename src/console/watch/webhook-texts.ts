import type { Data } from '#client/api'
import { TEST, type WebhookEvent } from '#shared/webhook-events'
import { timeText } from '../wording'

type Webhook = Data<'get', '/admin/workspace/v1/webhooks'>['items'][number]

export const EVENT_TEXTS: Readonly<Record<WebhookEvent, string>> = {
  'catalog.changed': 'A catalog has changed',
  'sync.late': 'A watched catalog is late',
  'sync.refused': 'A file for a watched catalog was refused, or waits',
  'sync.recovered': 'A watched catalog is on time again',
}

const TEXTS = new Map<string, string>([...Object.entries(EVENT_TEXTS), [TEST, 'Test']])

/** What a message tells. */
export const eventText = (event: string): string => TEXTS.get(event) ?? event

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

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Body, Data } from '#client/api'
import type { RecordType } from '#shared/records/record-type'
import { TEST, type WebhookEvent } from '#shared/webhook-events'
import { ONE_PAGE, type Resource } from '../keys/administration'
import { useSession } from '../session'
import { countText, timeText } from '../wording'

const WATCH = '/admin/catalogs/v1/{type}/watch'

export type Watch = NonNullable<Data<'get', typeof WATCH>>
type NewWatch = Body<'put', typeof WATCH>

/** The watch of a catalog, null if there is none, and what changes it. */
export function useWatch({ name }: RecordType) {
  const { client } = useSession()
  const queries = useQueryClient()
  const params = { type: name }
  const key = ['watch', name]
  const onSuccess = () =>
    Promise.all([
      queries.invalidateQueries({ queryKey: key }),
      queries.invalidateQueries({ queryKey: ['catalog-statuses'] }),
    ])
  return {
    watch: useQuery({ queryKey: key, queryFn: ({ signal }) => client.get(WATCH, { params, signal }) }),
    set: useMutation({ mutationFn: (body: NewWatch) => client.put(WATCH, { params, body }), onSuccess }),
    end: useMutation({ mutationFn: () => client.delete(WATCH, { params }), onSuccess }),
  }
}

const WEBHOOKS = '/admin/workspace/v1/webhooks'
const WEBHOOK = `${WEBHOOKS}/{webhook_id}` as const

export type Webhook = Data<'get', typeof WEBHOOKS>['items'][number]
type NewWebhook = Body<'post', typeof WEBHOOKS>
type WebhookSecret = Data<'post', typeof WEBHOOKS>

export const webhooks: Resource<Webhook, NewWebhook, WebhookSecret> = {
  name: 'webhooks',
  list: (client, signal) => client.get(WEBHOOKS, { query: ONE_PAGE, signal }),
  create: (client, body) => client.post(WEBHOOKS, { body }),
  revoke: (client, webhook_id) => client.delete(WEBHOOK, { params: { webhook_id } }),
}

/** What is done to a webhook that stays. */
export function useWebhookActions() {
  const { client } = useSession()
  const queries = useQueryClient()
  const onSettled = () => queries.invalidateQueries({ queryKey: [webhooks.name] })
  return {
    test: useMutation({
      mutationFn: ({ webhook_id }: Webhook) => client.post(`${WEBHOOK}/test`, { params: { webhook_id } }),
      onSettled,
    }),
    enable: useMutation({
      mutationFn: ({ webhook_id }: Webhook) => client.post(`${WEBHOOK}/enable`, { params: { webhook_id } }),
      onSettled,
    }),
    rotate: useMutation({
      mutationFn: ({ webhook_id }: Webhook) => client.post(`${WEBHOOK}/rotate`, { params: { webhook_id } }),
      onSettled,
      // The answer has a secret.
      gcTime: 0,
    }),
  }
}

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

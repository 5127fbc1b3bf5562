import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Body, Data } from '#client/api'
import type { RecordType } from '#shared/records/record-type'
import { ONE_PAGE, type Resource } from '../keys/administration'
import { useSession } from '../session'

const WATCH = '/admin/catalogs/v1/{type}/watch'

export type Watch = NonNullable<Data<'get', typeof WATCH>>
export type NewWatch = Body<'put', typeof WATCH>

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

import { env } from 'cloudflare:workers'
import type { Webhook, WebhookSecret } from '#worker/webhooks/schemas'
import { runScheduled } from '../../src/worker/scheduled'
import { callOperator } from './credentials'
import { single } from './databases'
import { dataFrom } from './service'

export const HOOK = 'https://hooks.example/in'

const pathOf = (workspaceId: string): string => `/workspaces/${workspaceId}/webhooks`

export const newWebhook = (workspaceId: string, body: object = {}): Promise<WebhookSecret> =>
  dataFrom(callOperator(pathOf(workspaceId), { url: HOOK, ...body }))

export const webhooksOf = async (workspaceId: string): Promise<Webhook[]> =>
  (await dataFrom<{ items: Webhook[] }>(callOperator(pathOf(workspaceId)))).items

export const enable = (workspaceId: string, webhookId: string): Promise<Webhook> =>
  dataFrom(callOperator(`${pathOf(workspaceId)}/${webhookId}/enable`, {}))

const MINUTE_MS = 60_000

/** The scheduled run after a delay. One database, unless the test has moved something. */
export const runLater = (minutes = 0, bindings: typeof env = single): Promise<void> =>
  runScheduled(bindings, new Date(Date.now() + minutes * MINUTE_MS))

/** Pending messages in a database. */
export const waiting = async (database: D1Database = env.DB): Promise<{ event: string; attempts: number }[]> =>
  (
    await database
      .prepare('select event, attempts from webhook_messages order by created_at, rowid')
      .all<{ event: string; attempts: number }>()
  ).results

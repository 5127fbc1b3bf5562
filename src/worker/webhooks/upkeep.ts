import { sql } from 'drizzle-orm'
import { logLine } from '#shared/errors/log-line'
import { WEBHOOK_ATTEMPTS_AFTER_MS } from '#shared/limits'
import { int } from '#worker/storage/database'
import type { ServedDatabase } from '#worker/storage/placement/served-database'

const WEBHOOK_DISABLED_AFTER_MS = 5 * 24 * 3_600_000

interface WebhookId {
  workspace_id: string
  webhook_id: string
}

/** Disables webhooks that failed for five days, and purges old messages and secrets. @returns number of rows */
export async function tendWebhooks(database: ServedDatabase, now: number): Promise<number> {
  const servedIn = (table: string) => database.serves(sql.raw(`${table}.workspace_id`))
  const [disabledWebhooks, , lastAttempts, secrets] = await database.retry(() =>
    database.batch([
      sql<WebhookId>`update webhooks set disabled_at = ${int(now)}
        where failing_since <= ${int(now - WEBHOOK_DISABLED_AFTER_MS)} and disabled_at is null
          and ${servedIn('webhooks')}
        returning workspace_id, webhook_id`,
      sql`delete from webhook_messages where ${servedIn('webhook_messages')} and not exists (select 1 from webhooks
        where webhooks.workspace_id = webhook_messages.workspace_id
          and webhooks.webhook_id = webhook_messages.webhook_id and webhooks.disabled_at is null)`,
      sql<WebhookId & { event: string }>`delete from webhook_messages
        where next_attempt_at <= ${int(now)} and attempts >= ${int(WEBHOOK_ATTEMPTS_AFTER_MS.length)}
          and ${servedIn('webhook_messages')}
        returning workspace_id, webhook_id, event`,
      sql<{ one: 1 }>`update webhooks set sealed_previous = ''
        where previous_until <= ${int(now)} and sealed_previous <> '' and ${servedIn('webhooks')} returning 1 as one`,
    ]),
  )
  for (const { workspace_id: workspace, webhook_id } of disabledWebhooks) {
    logLine({ webhook: 'disabled', workspace, webhook_id, reason: 'five days without a delivery' })
  }
  for (const { workspace_id: workspace, webhook_id, event } of lastAttempts) {
    logLine({ webhook: 'message dropped', workspace, webhook_id, event })
  }
  return disabledWebhooks.length + lastAttempts.length + secrets.length
}

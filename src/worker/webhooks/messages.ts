import { type SQL, sql } from 'drizzle-orm'
import { CATALOG_CHANGED, type WebhookEvent } from '#shared/webhook-events'
import type { CatalogKey } from '#worker/storage/catalog-key'
import { int } from '#worker/storage/database'

/**
 * The SQL that creates messages. The transaction of an event inserts its messages, one for each subscribed webhook.
 */

interface NewMessages {
  event: SQL
  topic: SQL
  messageId: SQL
  /** JSON. */
  data: SQL
  createdAt: SQL
  from: SQL
  where: SQL
}

/** Inserts a message for each webhook subscribed to its event. It replaces an older message of the same topic. */
const insertMessages = ({ event, topic, messageId, data, createdAt, from, where }: NewMessages): SQL =>
  sql`insert into webhook_messages (workspace_id, webhook_id, topic, message_id, event, data, created_at)
    select webhooks.workspace_id, webhooks.webhook_id, ${topic}, ${messageId}, ${event}, ${data}, ${createdAt}
    from ${from}
    where webhooks.disabled_at is null
      and exists (select 1 from json_each(webhooks.events) where value = ${event}) and ${where}
    on conflict (workspace_id, webhook_id, topic) do update set
      message_id = excluded.message_id, data = excluded.data, created_at = excluded.created_at,
      attempts = 0, first_attempt_at = null, next_attempt_at = 0`

/** The message ID of a write. The same write always has the same ID. */
const idOfWrite = (batchId: SQL): SQL => sql`'msg_' || replace(${batchId}, '-', '')`

/** Messages about a write that changed something. @param row condition: its row in `uploads`, with all counts */
export const insertWriteMessages = ({ workspaceId, type }: CatalogKey, row: SQL): SQL =>
  insertMessages({
    event: sql`${CATALOG_CHANGED}`,
    topic: sql`${`${CATALOG_CHANGED}/${type}`}`,
    messageId: idOfWrite(sql`upload.upload_id`),
    data: sql`json_object('type', ${type}, 'revision', upload.revision, 'mode', upload.mode,
      'by', coalesce(upload.approved_by, upload.created_by), 'batch_id', upload.upload_id,
      'total', upload.total, 'inserted', upload.inserted, 'updated', upload.updated, 'reactivated', upload.reactivated,
      'unchanged', upload.unchanged, 'deactivated', upload.deactivated)`,
    createdAt: sql`upload.written_at`,
    from: sql`webhooks cross join (select * from uploads where ${row}) as upload`,
    where: sql`webhooks.workspace_id = ${workspaceId} and upload.revision > upload.revision_before`,
  })

export const hasWriteMessages = (workspaceId: string): SQL =>
  sql`exists (select 1 from webhook_messages
    where workspace_id = ${workspaceId} and message_id = ${idOfWrite(sql`upload_id`)})`

/** An event other than a write. */
export interface Event {
  /** Equal for repetitions of one event. */
  id: string
  event: WebhookEvent
  data: object
}

/** Messages about events of several workspaces. @param events a table with `workspace_id` and a JSON list of `Event` */
export const insertEventMessages = (events: SQL, now: number): SQL =>
  insertMessages({
    event: sql`(event.value ->> 'event')`,
    topic: sql`(event.value ->> 'id')`,
    messageId: sql`(event.value ->> 'id')`,
    data: sql`(event.value -> 'data')`,
    createdAt: int(now),
    from: sql`${events} as change cross join json_each(change.events) as event
      join webhooks on webhooks.workspace_id = change.workspace_id`,
    where: sql`true`,
  })

import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { RECORD_TYPES } from '#shared/records/record-type'
import type { WebhookEvent } from '#shared/webhook-events'
import { checkOneOf } from '#worker/storage/schema/checks'

/** Webhooks and sync monitoring, in the workspace's own database. Times are milliseconds since the epoch. */

/** URLs that receive a workspace's events: a handful. */
export const webhooks = sqliteTable(
  'webhooks',
  {
    workspaceId: text('workspace_id').notNull(),
    webhookId: text('webhook_id').notNull(),
    url: text('url').notNull(),
    events: text('events', { mode: 'json' }).$type<WebhookEvent[]>().notNull(),
    /** `whsec_` and the base64 of the key, encrypted (see `crypto/seal.ts`). */
    sealedSecret: text('sealed_secret').notNull(),
    /** The previous secret, encrypted with the same context; empty if there is none. */
    sealedPrevious: text('sealed_previous').notNull().default(''),
    previousUntil: integer('previous_until').notNull().default(0),
    /** `operator` or the admin. */
    createdBy: text('created_by').notNull(),
    createdAt: integer('created_at').notNull(),
    /** Status of the last attempt; null before the first, and without a response. */
    lastStatus: integer('last_status'),
    lastAttemptAt: integer('last_attempt_at'),
    /** JSON list of the last attempts, newest first; `webhooks/attempts.ts` limits their number. */
    deliveries: text('deliveries').notNull().default('[]'),
    /** Expiry of the lease on tests. */
    testingUntil: integer('testing_until').notNull().default(0),
    /** The first failed attempt after the last delivery; null if there is none. */
    failingSince: integer('failing_since'),
    /** Time when it was disabled; null while it is enabled. */
    disabledAt: integer('disabled_at'),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.webhookId] })],
)

/**
 * Pending messages, one row per webhook. An attempt starts by setting the time of the next one, so no two attempts send
 * the same message, and an interrupted attempt loses none.
 */
export const webhookMessages = sqliteTable(
  'webhook_messages',
  {
    workspaceId: text('workspace_id').notNull(),
    webhookId: text('webhook_id').notNull(),
    /** A newer message of the same topic replaces it. */
    topic: text('topic').notNull(),
    /** The header `webhook-id`: the same on every attempt, and for all webhooks. */
    messageId: text('message_id').notNull(),
    event: text('event').notNull(),
    /** JSON: `data` of the message. */
    data: text('data').notNull(),
    createdAt: integer('created_at').notNull(),
    attempts: integer('attempts').notNull().default(0),
    firstAttemptAt: integer('first_attempt_at'),
    /** Time of the next attempt; 0 for now. After the last attempt, the time to delete the message. */
    nextAttemptAt: integer('next_attempt_at').notNull().default(0),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.webhookId, table.topic] }),
    index('webhook_messages_due').on(table.nextAttemptAt),
  ],
)

/** How often an integration should update each catalog, and what the scheduled run has reported. */
export const watches = sqliteTable(
  'watches',
  {
    workspaceId: text('workspace_id').notNull(),
    type: text('type').notNull(),
    everyHours: integer('every_hours').notNull(),
    graceHours: integer('grace_hours').notNull(),
    /** Client id or user. */
    setBy: text('set_by').notNull(),
    setAt: integer('set_at').notNull(),
    /** The state reported last, and its start. */
    notifiedState: text('notified_state').notNull(),
    notifiedSince: integer('notified_since').notNull(),
    /** Time of the last upload reported. */
    notifiedUploadAt: integer('notified_upload_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.type] }), checkOneOf('watches', 'type', RECORD_TYPES)],
)

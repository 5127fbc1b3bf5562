import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { RECORD_TYPES } from '#shared/records/record-type'
import type { WebhookEvent } from '#shared/webhook-events'
import { checkOneOf } from '#worker/storage/schema/checks'

/** Webhooks and watched catalogs, in the workspace's own database. Times are milliseconds since the epoch. */

/** Addresses that are told of events in a workspace: a handful. */
export const webhooks = sqliteTable(
  'webhooks',
  {
    workspaceId: text('workspace_id').notNull(),
    webhookId: text('webhook_id').notNull(),
    url: text('url').notNull(),
    events: text('events', { mode: 'json' }).$type<WebhookEvent[]>().notNull(),
    /** `whsec_` and the base64 of the key, sealed (see `crypto/seal.ts`). */
    sealedSecret: text('sealed_secret').notNull(),
    /** The secret before it, sealed under the same context; empty when there is none. */
    sealedPrevious: text('sealed_previous').notNull().default(''),
    previousUntil: integer('previous_until').notNull().default(0),
    /** `operator` or the admin. */
    createdBy: text('created_by').notNull(),
    createdAt: integer('created_at').notNull(),
    /** Of the last attempt; null before the first one, and without an answer. */
    lastStatus: integer('last_status'),
    lastAttemptAt: integer('last_attempt_at'),
    /** JSON list of the last attempts, newest first; as many as `webhooks/attempts.ts` keeps. */
    deliveries: text('deliveries').notNull().default('[]'),
    /** A test is on its way until then, unless it ends before. */
    testingUntil: integer('testing_until').notNull().default(0),
    /** The first failed attempt after the last delivery; null when there is none. */
    failingSince: integer('failing_since'),
    /** Nothing is sent from then on; null while it is enabled. */
    disabledAt: integer('disabled_at'),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.webhookId] })],
)

/**
 * Messages that wait, one row per webhook. An attempt begins by setting the time of the next one: no two send the same,
 * and one that ends too early loses none.
 */
export const webhookMessages = sqliteTable(
  'webhook_messages',
  {
    workspaceId: text('workspace_id').notNull(),
    webhookId: text('webhook_id').notNull(),
    /** A newer message of the same topic takes its place. */
    topic: text('topic').notNull(),
    /** The header `webhook-id`: the same on every attempt, and for all webhooks. */
    messageId: text('message_id').notNull(),
    event: text('event').notNull(),
    /** JSON: `data` of the message. */
    data: text('data').notNull(),
    createdAt: integer('created_at').notNull(),
    attempts: integer('attempts').notNull().default(0),
    firstAttemptAt: integer('first_attempt_at'),
    /** 0: at once. After the last attempt, when the message may be deleted. */
    nextAttemptAt: integer('next_attempt_at').notNull().default(0),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.webhookId, table.topic] }),
    index('webhook_messages_due').on(table.nextAttemptAt),
  ],
)

/** How often a program should bring each catalog up to date, and what the scheduled run has told about that. */
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
    /** The state that was told last, and when it began. */
    notifiedState: text('notified_state').notNull(),
    notifiedSince: integer('notified_since').notNull(),
    /** Time of the last upload that was told. */
    notifiedUploadAt: integer('notified_upload_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.type] }), checkOneOf('watches', 'type', RECORD_TYPES)],
)

import { and, eq, isNotNull, ne, type SQL, sql } from 'drizzle-orm'
import { ApiError, invalidField } from '#shared/errors/errors'
import { EVENTS } from '#shared/webhook-events'
import { randomId } from '#worker/crypto/random'
import { seal } from '#worker/crypto/seal'
import { type Database, rowIf } from '#worker/storage/database'
import { isoTime, type PageRequest, readPage, timeOf } from '#worker/storage/list-page'
import { countRows, hasRoom, type Room, requireRoom } from '#worker/storage/quotas'
import { webhookMessages, webhooks } from '#worker/storage/schema/sync'
import { addressError } from './address'
import { type Receiver, type StoredDelivery, validPrevious } from './attempts'
import { type Sender, secretContext } from './make-attempt'
import type { NewWebhook, Webhook } from './schemas'
import { newWebhookSecret } from './signing'

/** Time for which messages also have a signature by the previous secret. */
const OVERLAP_MS = 24 * 3600 * 1000

export interface WebhookAdmin {
  database: Database
  control: Database
  workspaceId: string
  /** `operator` or the admin; stored with each webhook. */
  actor: string
}

const deliveriesIn = (json: string): Webhook['deliveries'] => {
  const deliveries: StoredDelivery[] = JSON.parse(json)
  return deliveries.map(({ at, ...delivery }) => ({ ...delivery, at: timeOf(at) }))
}

const RETURNED = {
  webhook_id: webhooks.webhookId,
  url: webhooks.url,
  events: webhooks.events,
  created_by: webhooks.createdBy,
  created_at: isoTime(webhooks.createdAt),
  last_status: webhooks.lastStatus,
  last_attempt_at: isoTime(webhooks.lastAttemptAt),
  deliveries: sql`${webhooks.deliveries}`.mapWith(deliveriesIn),
  failing_since: isoTime(webhooks.failingSince),
  disabled: sql`${webhooks.disabledAt} is not null`.mapWith(Boolean),
}

const ownedBy = ({ workspaceId }: WebhookAdmin): SQL => eq(webhooks.workspaceId, workspaceId)

export const ownWebhook = (admin: WebhookAdmin, webhookId: string): SQL =>
  sql`${ownedBy(admin)} and ${eq(webhooks.webhookId, webhookId)}`

/** Every change reads the webhook first: a change repeated after a lost response finds no row. @throws ApiError 404 */
export async function receiverOf(admin: WebhookAdmin, webhookId: string, now = new Date()): Promise<Receiver> {
  const [row] = await admin.database.orm
    .select({
      workspace_id: webhooks.workspaceId,
      webhook_id: webhooks.webhookId,
      url: webhooks.url,
      sealed_secret: webhooks.sealedSecret,
      sealed_previous: sql<string | null>`${validPrevious(now.getTime())}`,
    })
    .from(webhooks)
    .where(ownWebhook(admin, webhookId))
  if (row === undefined) throw noSuchWebhook()
  return row
}

const noSuchWebhook = (): ApiError => new ApiError('not_found', 'The workspace has no webhook with this ID.')

/** Only this response contains the secret, stored encrypted. @throws ApiError 400 for the URL; 409 at the limit */
export async function createWebhook(
  admin: WebhookAdmin,
  { masterKeys, issuer }: Sender,
  { url, events = [...EVENTS] }: NewWebhook,
  now: Date,
) {
  const error = addressError(url, issuer)
  if (error !== undefined) throw invalidField('url', 'not_allowed', error, url)
  const { database, workspaceId, actor: createdBy } = admin
  const { orm, retry } = database
  const webhookId = randomId('dcs_webhook_')
  const secret = newWebhookSecret()
  const sealedSecret = await seal(masterKeys, secretContext(webhookId), secret)
  const row = { workspaceId, webhookId, url, events, sealedSecret, createdBy, createdAt: now.getTime() }
  const others = countRows(database, webhooks, and(ownedBy(admin), ne(webhooks.webhookId, webhookId)))
  const room: Room = { quota: 'webhooks', others }
  const [counts] = await retry(() =>
    orm.batch([
      room.others,
      // The ID is random: a conflict is this same row, from an attempt whose response was lost.
      orm
        .insert(webhooks)
        .select(rowIf(webhooks, row, hasRoom(room)))
        .onConflictDoNothing(),
    ]),
  )
  requireRoom(room, counts)
  return { webhook_id: webhookId, url, events, secret }
}

export const listWebhooks = (admin: WebhookAdmin, page: PageRequest) =>
  readPage(admin.database, webhooks, RETURNED, ownedBy(admin), page)

export async function deleteWebhook(admin: WebhookAdmin, webhookId: string): Promise<{ deleted: true }> {
  const { database, workspaceId } = admin
  await receiverOf(admin, webhookId)
  const isMessage = and(eq(webhookMessages.workspaceId, workspaceId), eq(webhookMessages.webhookId, webhookId))
  await database.retry(() =>
    database.orm.batch([
      database.orm.delete(webhooks).where(ownWebhook(admin, webhookId)),
      database.orm.delete(webhookMessages).where(isMessage),
    ]),
  )
  return { deleted: true }
}

/**
 * Replaces the secret of a webhook. The previous one stays valid for a day.
 *
 * @throws ApiError 404; 409 for a simultaneous replacement
 */
export async function rotateSecret(admin: WebhookAdmin, { masterKeys }: Sender, webhookId: string, now: Date) {
  const { database } = admin
  const { sealed_secret: before } = await receiverOf(admin, webhookId)
  const secret = newWebhookSecret()
  const sealed = await seal(masterKeys, secretContext(webhookId), secret)
  const until = now.getTime() + OVERLAP_MS
  // Repeated, the statement no longer finds the previous secret, so it has no effect.
  const withSecret = (text: string) => and(ownWebhook(admin, webhookId), eq(webhooks.sealedSecret, text))
  const [, [row]] = await database.retry(() =>
    database.orm.batch([
      database.orm
        .update(webhooks)
        .set({ sealedPrevious: before, previousUntil: until, sealedSecret: sealed })
        .where(withSecret(before)),
      database.orm.select({ webhookId: webhooks.webhookId }).from(webhooks).where(withSecret(sealed)),
    ]),
  )
  if (row === undefined) {
    throw new ApiError(
      'conflict',
      'Another request rotated the secret of this webhook or deleted the webhook at the same time. Nothing was ' +
        'changed.',
    )
  }
  return { webhook_id: webhookId, secret, previous_until: timeOf(until) }
}

export async function enableWebhook(admin: WebhookAdmin, webhookId: string) {
  const { database } = admin
  await receiverOf(admin, webhookId)
  const isOwn = ownWebhook(admin, webhookId)
  const [, [webhook]] = await database.retry(() =>
    database.orm.batch([
      database.orm
        .update(webhooks)
        .set({ disabledAt: null, failingSince: null })
        .where(and(isOwn, isNotNull(webhooks.disabledAt))),
      database.orm.select(RETURNED).from(webhooks).where(isOwn),
    ]),
  )
  if (webhook === undefined) throw noSuchWebhook()
  return webhook
}

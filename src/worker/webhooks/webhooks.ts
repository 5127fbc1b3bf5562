import { type SQL, sql } from 'drizzle-orm'
import { ApiError, invalidField } from '#shared/errors/errors'
import { WORKSPACE_LIMITS } from '#shared/limits'
import { EVENTS } from '#shared/webhook-events'
import { randomId } from '#worker/crypto/random'
import { seal } from '#worker/crypto/seal'
import { type Database, int } from '#worker/storage/database'
import { asPage, type Page, type PageRequest, timeOf } from '#worker/storage/list-page'
import { fixedQuotaRefusal } from '#worker/storage/quotas'
import { addressError } from './address'
import { deleteMessages, type Receiver, type StoredDelivery, validPrevious } from './attempts'
import { type Sender, secretContext } from './make-attempt'
import type { NewSecret, NewWebhook, Webhook, WebhookSecret } from './schemas'
import { newWebhookSecret } from './signing'

/** How long messages carry the signature of the earlier secret too. */
const OVERLAP_MS = 24 * 3600 * 1000

/** The workspace whose webhooks are managed, and who manages them. */
export interface WebhookAdmin {
  /** The workspace's own database. */
  database: Database
  control: Database
  workspaceId: string
  /** `operator` or the admin; stored with each webhook. */
  actor: string
}

interface WebhookRow extends Receiver {
  /** JSON. */
  events: string
  created_by: string
  created_at: number
  last_status: number | null
  last_attempt_at: number | null
  /** JSON list of `StoredDelivery`. */
  deliveries: string
  failing_since: number | null
  disabled_at: number | null
}

const webhookColumns = (now: Date): SQL =>
  sql`workspace_id, webhook_id, url, events, sealed_secret, ${validPrevious(now.getTime())} as sealed_previous,
    created_by, created_at, last_status, last_attempt_at, deliveries, failing_since, disabled_at`

const noSuchWebhook = (): ApiError => new ApiError('not_found', 'The workspace has no webhook with this id.')

const deliveriesIn = (json: string): Webhook['deliveries'] => {
  const deliveries: StoredDelivery[] = JSON.parse(json)
  return deliveries.map(({ at, ...delivery }) => ({ ...delivery, at: timeOf(at) }))
}

const returnedWebhook = (row: WebhookRow): Webhook => ({
  webhook_id: row.webhook_id,
  url: row.url,
  events: JSON.parse(row.events),
  created_by: row.created_by,
  created_at: timeOf(row.created_at),
  last_status: row.last_status,
  last_attempt_at: timeOf(row.last_attempt_at),
  deliveries: deliveriesIn(row.deliveries),
  failing_since: timeOf(row.failing_since),
  disabled: row.disabled_at !== null,
})

const ownedBy = ({ workspaceId }: WebhookAdmin): SQL => sql`workspace_id = ${workspaceId}`

export const ownWebhook = (admin: WebhookAdmin, webhookId: string): SQL =>
  sql`${ownedBy(admin)} and webhook_id = ${webhookId}`

/**
 * Reads a webhook. Every change reads first: after a lost answer, a repeated change finds no row.
 *
 * @throws ApiError 404
 */
export async function webhookOf(admin: WebhookAdmin, webhookId: string, now = new Date()): Promise<WebhookRow> {
  const [row] = await admin.database.all(
    sql<WebhookRow>`select ${webhookColumns(now)} from webhooks where ${ownWebhook(admin, webhookId)}`,
  )
  if (row === undefined) throw noSuchWebhook()
  return row
}

const countOf = (admin: WebhookAdmin): SQL<{ total: number }> =>
  sql`select count(*) as total from webhooks where ${ownedBy(admin)}`

/** Its secret is in the answer only, and stored sealed. @throws ApiError 400 for the address; 409 for one too many */
export async function createWebhook(
  admin: WebhookAdmin,
  { masterKeys, issuer }: Sender,
  { url, events = [...EVENTS] }: NewWebhook,
  now: Date,
): Promise<WebhookSecret> {
  const error = addressError(url, issuer)
  if (error !== undefined) throw invalidField('url', 'not_allowed', error, url)
  const { database, workspaceId, actor } = admin
  const webhookId = randomId('dcs_webhook_')
  const secret = newWebhookSecret()
  const sealed = await seal(masterKeys, secretContext(webhookId), secret)
  const [, created] = await database.retry(() =>
    database.batch([
      // The id is random: a conflict is this same row, from an attempt whose answer was lost.
      sql`insert into webhooks (workspace_id, webhook_id, url, events, sealed_secret, created_by, created_at)
        select ${workspaceId}, ${webhookId}, ${url}, ${JSON.stringify(events)}, ${sealed}, ${actor},
          ${int(now.getTime())}
        where (${countOf(admin)}) < ${int(WORKSPACE_LIMITS.webhooks)} on conflict do nothing`,
      sql`select 1 from webhooks where ${ownWebhook(admin, webhookId)}`,
    ]),
  )
  if (created.length === 0) {
    throw fixedQuotaRefusal('webhooks', WORKSPACE_LIMITS.webhooks)
  }
  return { webhook_id: webhookId, url, events, secret }
}

/** Oldest first, without their secrets. */
export async function listWebhooks(admin: WebhookAdmin, page: PageRequest): Promise<Page<Webhook>> {
  const [rows, [counted]] = await admin.database.batch([
    sql<WebhookRow>`select ${webhookColumns(new Date())} from webhooks where ${ownedBy(admin)}
      order by created_at, rowid limit ${int(page.limit)} offset ${int(page.offset)}`,
    countOf(admin),
  ])
  return asPage(rows.map(returnedWebhook), counted?.total ?? 0, page)
}

/** Deletes a webhook with the messages that wait for it. @throws ApiError 404 */
export async function deleteWebhook(admin: WebhookAdmin, webhookId: string): Promise<{ deleted: true }> {
  const { database, workspaceId } = admin
  await webhookOf(admin, webhookId)
  await database.retry(() =>
    database.batch([
      sql`delete from webhooks where ${ownWebhook(admin, webhookId)}`,
      deleteMessages({ workspaceId, webhookId }),
    ]),
  )
  return { deleted: true }
}

/**
 * Gives a webhook a new secret. Messages carry the signature of the one before it too, for a day; an earlier one ends
 * at once.
 *
 * @throws ApiError 404; 409 when another secret was given at the same time
 */
export async function rotateSecret(
  admin: WebhookAdmin,
  { masterKeys }: Sender,
  webhookId: string,
  now: Date,
): Promise<NewSecret> {
  const { database } = admin
  const { sealed_secret: before } = await webhookOf(admin, webhookId)
  const secret = newWebhookSecret()
  const sealed = await seal(masterKeys, secretContext(webhookId), secret)
  const until = now.getTime() + OVERLAP_MS
  // A repeated statement finds another secret than the one before it, so that it has no effect.
  const [, [row]] = await database.retry(() =>
    database.batch([
      sql`update webhooks set sealed_previous = sealed_secret, previous_until = ${int(until)}, sealed_secret = ${sealed}
        where ${ownWebhook(admin, webhookId)} and sealed_secret = ${before}`,
      sql`select 1 from webhooks where ${ownWebhook(admin, webhookId)} and sealed_secret = ${sealed}`,
    ]),
  )
  if (row === undefined) {
    throw new ApiError(
      'conflict',
      'The webhook was given another secret at the same time, or deleted. Nothing was changed.',
    )
  }
  return { webhook_id: webhookId, secret, previous_until: timeOf(until) }
}

/** Sends messages there again: those of events from now on. @throws ApiError 404 */
export async function enableWebhook(admin: WebhookAdmin, webhookId: string): Promise<Webhook> {
  const { database } = admin
  await webhookOf(admin, webhookId)
  await database.retry(() =>
    database.all(
      sql`update webhooks set disabled_at = null, failing_since = null
        where ${ownWebhook(admin, webhookId)} and disabled_at is not null`,
    ),
  )
  return returnedWebhook(await webhookOf(admin, webhookId))
}

import { sql } from 'drizzle-orm'
import { ApiError } from '#shared/errors/errors'
import { MAX_WEBHOOK_TESTS } from '#shared/limits'
import { TEST } from '#shared/webhook-events'
import { randomId } from '#worker/crypto/random'
import { int } from '#worker/storage/database'
import { webhooks } from '#worker/storage/schema/sync'
import { type Sender, sendTo, storeOutcome } from './make-attempt'
import { ATTEMPT_MS, endOf, type SentOutcome } from './send'
import { ownWebhook, receiverOf, type WebhookAdmin } from './webhooks'

/** A test reveals the response of an address. To prevent probing of addresses, tests are rare. */

const MINUTE_MS = 60_000

/** Time for which an interrupted test blocks the next one: longer than an attempt takes. */
const TEST_LEASE_MS = ATTEMPT_MS + 5000

const tooManyTests = (message: string, waitMs: number): ApiError =>
  new ApiError('rate_limited', message, { headers: { 'Retry-After': String(Math.max(1, Math.ceil(waitMs / 1000))) } })

/** Takes the lease on tests of a webhook. It expires on its own. @throws ApiError 429 */
async function takeLease(admin: WebhookAdmin, webhookId: string, now: number): Promise<void> {
  const [lease, [row]] = await admin.database.batch([
    sql`update webhooks set testing_until = ${int(now + TEST_LEASE_MS)}
      where ${ownWebhook(admin, webhookId)} and testing_until <= ${int(now)} returning 1`,
    sql<{ testing_until: number }>`select testing_until from webhooks where ${ownWebhook(admin, webhookId)}`,
  ])
  if (lease.length > 0) return
  throw tooManyTests('Another test of this webhook is still running.', (row?.testing_until ?? now) - now)
}

const releaseLease = (admin: WebhookAdmin, webhookId: string) =>
  admin.database.orm.update(webhooks).set({ testingUntil: 0 }).where(ownWebhook(admin, webhookId))

/** Counts a test in the control database, so that deleting the webhook does not reset it. @throws ApiError 429 */
async function countTest({ control, workspaceId }: WebhookAdmin, now: number): Promise<void> {
  const recent = sql`from json_each(webhook_tests) where value > ${int(now - MINUTE_MS)}`
  const [updatedRows, [row]] = await control.batch([
    sql`update workspaces
      set webhook_tests = (select json_group_array(value) from (select value ${recent} union all select ${int(now)}))
      where workspace_id = ${workspaceId} and (select count(*) ${recent}) < ${int(MAX_WEBHOOK_TESTS)} returning 1`,
    sql<{ oldest: number | null }>`select (select min(value) ${recent}) as oldest from workspaces
      where workspace_id = ${workspaceId}`,
  ])
  if (updatedRows.length > 0) return
  throw tooManyTests(
    `A workspace may send ${MAX_WEBHOOK_TESTS} tests in a minute.`,
    (row?.oldest ?? now) + MINUTE_MS - now,
  )
}

export async function testWebhook(admin: WebhookAdmin, sender: Sender, webhookId: string, now: Date) {
  const row = await receiverOf(admin, webhookId, now)
  await takeLease(admin, webhookId, now.getTime())
  const messageId = randomId('msg_')
  let outcome: SentOutcome
  try {
    await countTest(admin, now.getTime())
    outcome = await sendTo(sender, row, { messageId, event: TEST, createdAt: now.getTime(), data: '{}' })
  } catch (error) {
    await releaseLease(admin, webhookId)
    throw error
  }
  await storeOutcome(admin.database, row, { messageId, event: TEST, attempt: 1 }, outcome, now.getTime())
  return { status: outcome.status, delivered: endOf(outcome) === 'delivered' }
}

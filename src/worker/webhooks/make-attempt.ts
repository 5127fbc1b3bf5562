import { logLine } from '#shared/errors/log-line'
import { WEBHOOK_ATTEMPTS_AFTER_MS } from '#shared/limits'
import type { MasterKeys } from '#worker/crypto/master-keys'
import { rowContext, unseal } from '#worker/crypto/seal'
import type { Database } from '#worker/storage/database'
import { type ClaimedRow, type EndedAttempt, type Receiver, storeAttempt } from './attempts'
import { endOf, type Message, type SentOutcome, send } from './send'

/**
 * The encryption context of both secrets of a webhook: the previous secret moves to another column as it is.
 */
export const secretContext = (webhookId: string): string => rowContext('webhooks', webhookId)

/** What sending a message needs: the service's own secrets and URL. */
export interface Sender {
  masterKeys: MasterKeys
  issuer: string
}

export async function sendTo(
  { masterKeys, issuer }: Sender,
  receiver: Receiver,
  content: Omit<Message, 'url' | 'secrets'>,
): Promise<SentOutcome> {
  const { webhook_id, sealed_secret, sealed_previous } = receiver
  const sealed = [sealed_secret, sealed_previous].filter((secret) => secret !== null)
  const secrets = await Promise.all(sealed.map((secret) => unseal(masterKeys, secretContext(webhook_id), secret)))
  return send({ ...content, url: receiver.url, secrets }, issuer)
}

export async function storeOutcome(
  database: Database,
  { workspace_id: workspaceId, webhook_id: webhookId }: Receiver,
  message: Pick<EndedAttempt, 'messageId' | 'event' | 'attempt'>,
  outcome: SentOutcome,
  now: number,
): Promise<void> {
  const endedAttempt = { workspaceId, webhookId, ...message, status: outcome.status, now }
  const end = endOf(outcome)
  await database.retry(() => database.batch(storeAttempt(endedAttempt, end)))
  if (end === 'gone') logLine({ webhook: 'disabled', workspace: workspaceId, webhook_id: webhookId, reason: 'gone' })
}

/** Makes a claimed attempt and stores its outcome. If interrupted, the message is sent again with the same ID. */
export async function makeAttempt(sender: Sender, database: Database, row: ClaimedRow, now: number): Promise<void> {
  const { workspace_id: workspace, webhook_id, message_id: messageId, event, data, created_at: createdAt } = row
  const outcome = await sendTo(sender, row, { messageId, event, createdAt, data })
  if (endOf(outcome) !== 'delivered') {
    logLine({
      webhook: 'not delivered',
      workspace,
      webhook_id,
      event,
      attempt: row.attempts,
      of: WEBHOOK_ATTEMPTS_AFTER_MS.length,
      ...outcome,
    })
  }
  await storeOutcome(database, row, { messageId, event, attempt: row.attempts }, outcome, now)
}

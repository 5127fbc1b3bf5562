import { type SQL, sql } from 'drizzle-orm'
import { LISTED_DELIVERIES, WEBHOOK_ATTEMPTS_AFTER_MS } from '#shared/limits'
import { TEST } from '#shared/webhook-events'
import { int, intOrNull } from '#worker/storage/database'

/** The SQL of delivery attempts: which messages are due, when to retry, and outcomes. */

/** Longer than any attempt takes. By then, an attempt has ended in some way. */
const LAST_ATTEMPT_MS = 10 * 60_000

export interface Receiver {
  workspace_id: string
  webhook_id: string
  url: string
  sealed_secret: string
  /** Null if the previous secret is no longer valid. */
  sealed_previous: string | null
}

/** A message with a started attempt. */
export interface ClaimedRow extends Receiver {
  message_id: string
  event: string
  data: string
  created_at: number
  attempts: number
  fails: 0 | 1
}

export type ExclusiveBy = 'webhook_id' | 'workspace_id'

interface Claim {
  now: number
  most: number
  exclusiveBy: ExclusiveBy
  busy: readonly string[]
  workspaceId: string | undefined
  serves: (workspaceId: SQL) => SQL
}

/** The time of the attempt after the current one, as an expression on a row of `webhook_messages`. */
const nextAttemptAt = (now: number): SQL => {
  const first = sql`coalesce(first_attempt_at, ${int(now)})`
  const times = WEBHOOK_ATTEMPTS_AFTER_MS.slice(1).map((ms, n) => sql`when ${int(n)} then ${first} + ${int(ms)}`)
  return sql`case attempts ${sql.join(times, sql` `)} else ${int(now + LAST_ATTEMPT_MS)} end`
}

/** The previous secret, as an expression on a row of `webhooks`; null if it is no longer valid. */
export const validPrevious = (now: number): SQL =>
  sql`iif(previous_until > ${int(now)}, nullif(sealed_previous, ''), null)`

const ofWebhook = (column: SQL): SQL =>
  sql`(select ${column} from webhooks where webhooks.workspace_id = webhook_messages.workspace_id
    and webhooks.webhook_id = webhook_messages.webhook_id)`

/**
 * Starts due attempts, first those for receivers that work, and none for a receiver that has failed since `now`. An
 * attempt is a lease that expires when the next one is due.
 */
export const claim = ({ now, most, exclusiveBy, busy, workspaceId, serves }: Claim): SQL<ClaimedRow> =>
  sql`update webhook_messages set attempts = attempts + 1, first_attempt_at = coalesce(first_attempt_at, ${int(now)}),
      next_attempt_at = ${nextAttemptAt(now)}
    where rowid in (select id from (
        select message.rowid as id, message.next_attempt_at, webhooks.failing_since is not null as fails,
          row_number() over (partition by message.${sql.identifier(exclusiveBy)}
            order by webhooks.failing_since is not null, message.created_at) as nth
        from webhook_messages as message
          join webhooks on webhooks.workspace_id = message.workspace_id and webhooks.webhook_id = message.webhook_id
        where message.next_attempt_at <= ${int(now)} and message.attempts < ${int(WEBHOOK_ATTEMPTS_AFTER_MS.length)}
          and webhooks.disabled_at is null
          and (webhooks.failing_since is null or webhooks.last_attempt_at < ${int(now)})
          and message.${sql.identifier(exclusiveBy)} not in (select value from json_each(${JSON.stringify(busy)}))
          and ${serves(sql`message.workspace_id`)}
          ${workspaceId === undefined ? sql.empty() : sql`and message.workspace_id = ${workspaceId}`})
      where nth = 1 order by fails, next_attempt_at limit ${int(most)})
    returning workspace_id, webhook_id, message_id, event, data, created_at, attempts, ${ofWebhook(sql`url`)} as url,
      ${ofWebhook(sql`sealed_secret`)} as sealed_secret,
      ${ofWebhook(validPrevious(now))} as sealed_previous, ${ofWebhook(sql`failing_since is not null`)} as fails`

interface WebhookKey {
  workspaceId: string
  webhookId: string
}

export interface EndedAttempt extends WebhookKey {
  messageId: string
  event: string
  attempt: number
  /** Null without a response. */
  status: number | null
  now: number
}

export interface StoredDelivery extends Pick<EndedAttempt, 'event' | 'attempt' | 'status'> {
  message_id: string
  at: number
}

/** Idempotent: an attempt stored twice after a lost response is listed once. */
const lastAttempt = ({ messageId, event, attempt, status, now }: EndedAttempt): SQL =>
  sql`last_status = ${intOrNull(status)}, last_attempt_at = ${int(now)},
    deliveries = (select json_group_array(json(delivery)) from (
      select -1 as place, json_object('message_id', ${messageId}, 'event', ${event}, 'attempt', ${int(attempt)},
        'at', ${int(now)}, 'status', ${intOrNull(status)}) as delivery
      union all select key, value from json_each(deliveries)
        where (value ->> 'message_id', value ->> 'attempt') <> (${messageId}, ${int(attempt)})
      order by place limit ${int(LISTED_DELIVERIES)}))${event === TEST ? sql`, testing_until = 0` : sql.empty()}`

const oneWebhook = ({ workspaceId, webhookId }: WebhookKey): SQL =>
  sql`workspace_id = ${workspaceId} and webhook_id = ${webhookId}`

const deleteMessages = (webhook: WebhookKey): SQL => sql`delete from webhook_messages where ${oneWebhook(webhook)}`

/** The outcome of an attempt. `gone`: the receiver wants no more messages. */
export type AttemptEnd = 'delivered' | 'failed' | 'gone'

/** Stores an attempt's outcome if its row still is the same message. A failed test does not count as a failure. */
export function storeAttempt(sent: EndedAttempt, end: AttemptEnd): SQL[] {
  const failingSince =
    end === 'failed' && sent.event === TEST ? sql`failing_since` : sql`coalesce(failing_since, ${int(sent.now)})`
  const disabled = end === 'gone' ? sql`, disabled_at = coalesce(disabled_at, ${int(sent.now)})` : sql.empty()
  const storeOutcome = sql`update webhooks set ${lastAttempt(sent)},
      failing_since = ${end === 'delivered' ? sql`null` : failingSince}${disabled} where ${oneWebhook(sent)}`
  if (end === 'failed') return [storeOutcome]
  const condition = end === 'gone' ? sql.empty() : sql` and message_id = ${sent.messageId}`
  return [storeOutcome, sql`${deleteMessages(sent)}${condition}`]
}

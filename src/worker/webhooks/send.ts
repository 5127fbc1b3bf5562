import { nameOf } from '#shared/errors/log-line'
import { addressError } from './address'
import type { AttemptEnd } from './attempts'
import { signatureHeaders } from './signing'

export const ATTEMPT_MS = 15_000

export interface Message {
  url: string
  secrets: readonly string[]
  messageId: string
  event: string
  createdAt: number
  /** JSON. */
  data: string
}

export interface SentOutcome {
  /** Null without a response. */
  status: number | null
  fault?: string
}

/** The outcome by status: 2xx accepts the message, 410 wants no more. */
export function endOf({ status }: SentOutcome): AttemptEnd {
  if (status === 410) return 'gone'
  return status !== null && status >= 200 && status < 300 ? 'delivered' : 'failed'
}

const messageBody = ({ event, createdAt, data }: Message): string =>
  JSON.stringify({ type: event, timestamp: new Date(createdAt).toISOString(), data: JSON.parse(data) })

/**
 * Sends a message once. Does not follow redirects, and only reads the status.
 *
 * @param issuer the service's own URL, which decides which addresses are allowed
 */
export async function send(message: Message, issuer: string, waitMs = ATTEMPT_MS): Promise<SentOutcome> {
  if (addressError(message.url, issuer) !== undefined) return { status: null, fault: 'address not allowed' }
  const body = messageBody(message)
  const headers = await signatureHeaders(message.secrets, message.messageId, new Date(), body)
  try {
    const response = await fetch(message.url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'User-Agent': 'dataset-catalog-webhooks', ...headers },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(waitMs),
    })
    // The receiver may break off its response. The status has already arrived.
    await response.body?.cancel().catch(() => undefined)
    return { status: response.status }
  } catch (error) {
    return { status: null, fault: nameOf(error) }
  }
}

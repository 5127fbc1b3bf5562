import { Webhook } from 'standardwebhooks'
import { vi } from 'vitest'

/** A message as received. */
export interface Received {
  url: string
  headers: Record<string, string>
  body: string
  /** Of the body. */
  type: string
  timestamp: string
  data: Record<string, unknown>
}

type Answer = (received: Received) => Response | Promise<Response>

export const OK: Answer = () => new Response(null, { status: 204 })

export const answering =
  (status: number): Answer =>
  () =>
    new Response(null, { status })

/** Replaces all receivers. @returns the messages that they receive, in order */
export function receiving(answer: Answer = OK): Received[] {
  const received: Received[] = []
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const body = String(init?.body)
    const headers = Object.fromEntries(new Headers(init?.headers as HeadersInit))
    const message = { url: String(input), headers, body, ...JSON.parse(body) } as Received
    received.push(message)
    init?.signal?.throwIfAborted()
    return answer(message)
  })
  return received
}

/** The reference library of Standard Webhooks verifies a message. @throws if it rejects it */
export const verified = (secret: string, { body, headers }: Received): unknown =>
  new Webhook(secret).verify(body, headers)

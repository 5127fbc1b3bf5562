import { Webhook } from 'standardwebhooks'
import { vi } from 'vitest'

/** A message as a receiver gets it. */
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

/** Takes the place of all receivers. @returns what they get, in order */
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

/** What the reference library of Standard Webhooks makes of a message. @throws if it refuses it */
export const verified = (secret: string, { body, headers }: Received): unknown =>
  new Webhook(secret).verify(body, headers)

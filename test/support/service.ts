import { env } from 'cloudflare:workers'
import { expect } from 'vitest'
import service from '#worker/index'
import { newContext } from './background'

export type Fetch = (path: string, init?: RequestInit) => Promise<Response>

interface Handler {
  fetch(request: Request, bindings: typeof env, context: ExecutionContext): Response | Promise<Response>
}

const sizeOf = (body: BodyInit): number | null => {
  if (typeof body === 'string') return new TextEncoder().encode(body).byteLength
  return body instanceof Uint8Array ? body.byteLength : null
}

/**
 * Calls the service within the tests' isolate. Does not use `exports.default`, which becomes slower with each call: a
 * hundred times slower after a thousand calls.
 *
 * @param bindings used instead of those of the tests
 */
export const calling =
  (handler: Handler = service, bindings: typeof env = env): Fetch =>
  async (path, init = {}) => {
    const request = new Request(`https://catalog.test${path}`, init)
    const size = init.body == null ? null : sizeOf(init.body)
    // Clients that know the size of a body send this header.
    if (size !== null) request.headers.set('Content-Length', String(size))
    return handler.fetch(request, bindings, newContext())
  }

export const callService: Fetch = calling()

export const jsonBody = (body: unknown, headers: Record<string, string> = {}) => ({
  headers: { 'Content-Type': 'application/json', ...headers },
  body: JSON.stringify(body),
})

export const bearer = (token: string) => ({ Authorization: `Bearer ${token}` })

/** The JSON of a response, which must have this status. */
export async function bodyFrom<T = unknown>(answer: Response | Promise<Response>, status = 200): Promise<T> {
  const response = await answer
  const text = await response.text()
  expect(response.status, text.slice(0, 1000)).toBe(status)
  return JSON.parse(text) as T
}

/** The data of a success response. */
export const dataFrom = async <T>(answer: Response | Promise<Response>): Promise<T> =>
  (await bodyFrom<{ data: T }>(answer)).data

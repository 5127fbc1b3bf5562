import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { createApp } from '#worker/app'
import { platformEndpoints } from '#worker/platform/endpoints'
import { callOperator, newWorkspace } from '../../support/credentials'
import { bearer, bodyFrom, calling, callService } from '../../support/service'
import { serviceWith } from '../storage/faulty-database'

const requests = platformEndpoints.map(
  ({ method, path }) => [method.toUpperCase(), path.replace(/\{\w+\}/g, 'an-id')] as const,
)

it('every endpoint answers 401 without the operator token', async () => {
  const { token } = await newWorkspace()
  const own = String(env.PLATFORM_ADMIN_TOKEN)
  const others = [token, 'wrong', `${own}x`, own.slice(0, -1)].map((each) => `Bearer ${each}`)
  for (const [method, path] of requests) {
    for (const Authorization of ['', 'Bearer', ...others, `Basic ${own}`]) {
      const response = await callService(path, { method, headers: { Authorization } })
      expect(response.status, `${method} ${path}`).toBe(401)
      const challenge = others.includes(Authorization) ? 'Bearer error="invalid_token"' : 'Bearer'
      expect(response.headers.get('WWW-Authenticate')).toBe(challenge)
      expect(await response.json()).toEqual({
        success: false,
        message: 'The operator token is missing or wrong. Send it as Authorization: Bearer.',
      })
    }
  }
})

it('every endpoint answers like an unknown path when no operator token is configured', async () => {
  const { PLATFORM_ADMIN_TOKEN: token, ...bindings } = env
  const call = calling(createApp(), bindings as typeof env)
  const headers = bearer(token ?? '')
  for (const [method, path] of requests) {
    const response = await call(path, { method, headers })
    expect(response.status, `${method} ${path}`).toBe(404)
    expect(await response.text()).toBe(await (await call('/nothing/here', { method, headers })).text())
  }
})

describe('/platform/v1', () => {
  it.each(['', '/', '/nothing', '/workspaces/an-id/nothing', '/api-keys/an-id'])(
    'answers 401 without and 404 with the operator token at the unknown path %j',
    async (path) => {
      expect((await callService(`/platform/v1${path}`)).status).toBe(401)
      expect((await callOperator(path)).status).toBe(404)
    },
  )

  it('answers 405 to a known path with another method, for the operator only', async () => {
    expect((await callService('/platform/v1/clients', { method: 'DELETE' })).status).toBe(401)
    const response = await callOperator('/clients', undefined, 'DELETE')
    expect(response.status).toBe(405)
    expect(response.headers.get('Allow')).toBe('GET, HEAD, POST')
  })
})

it.each([
  ['POST', 'It is not known whether the write was carried out'],
  ['GET', 'Nothing was written'],
])('an operator request that takes too long by %s is answered 504 with: %s', async (method, words) => {
  const { promise: silence, reject: end } = Promise.withResolvers<never>()
  const call = serviceWith(() => silence, { deadlineMs: 50 })
  const body = method === 'POST' ? { name: 'a client' } : undefined
  const response = await callOperator('/clients', body, method, call)
  expect((await bodyFrom<{ message: string }>(response, 504)).message).toContain(words)
  end(new Error('the end of the test'))
})

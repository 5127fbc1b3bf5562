import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { platformEndpoints } from '#worker/platform/endpoints'
import { callOperator, newWorkspace } from '../../support/credentials'
import { bearer, bodyFrom, calling, callService } from '../../support/service'

const requests = platformEndpoints.map(
  ({ method, path }) => [method.toUpperCase(), path.replace(/\{\w+\}/g, 'an-id')] as const,
)

const UNKNOWN = ['', '/', '/nothing', '/workspaces/an-id/nothing', '/api-keys/an-id']

it('every path, known or unknown, returns 401 without the operator token', async () => {
  const { token } = await newWorkspace()
  const own = String(env.PLATFORM_ADMIN_TOKEN)
  const others = [token, `${own}x`, own.slice(0, -1)].map((each) => `Bearer ${each}`)
  const message = 'The operator token is missing or wrong. Send it as Authorization: Bearer.'
  for (const [method, path] of [...requests, ...UNKNOWN.map((path) => ['GET', `/platform/v1${path}`] as const)]) {
    for (const Authorization of ['', 'Bearer', ...others, `Basic ${own}`]) {
      const response = await callService(path, { method, headers: { Authorization } })
      const challenge = others.includes(Authorization) ? 'Bearer error="invalid_token"' : 'Bearer'
      expect(response.headers.get('WWW-Authenticate'), `${method} ${path}`).toBe(challenge)
      expect(await bodyFrom(response, 401)).toEqual({ success: false, message })
    }
  }
  for (const path of UNKNOWN) expect((await callOperator(path)).status, path).toBe(404)
})

it('every endpoint responds like an unknown path if no operator token is configured', async () => {
  const { PLATFORM_ADMIN_TOKEN: token, ...bindings } = env
  const call = calling(undefined, bindings as typeof env)
  const headers = bearer(token ?? '')
  for (const [method, path] of requests) {
    const response = await call(path, { method, headers })
    expect(response.status, `${method} ${path}`).toBe(404)
    expect(await response.text()).toBe(await (await call('/nothing/here', { method, headers })).text())
  }
})

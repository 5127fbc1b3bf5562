import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import service from '#worker/index'
import { calling, callService } from '../../../support/service'

const LIST = '/admin/datasets/v1/?type=symptom'

/** Paths that need no credential or are refused, one for each way in which the service answers. */
const PATHS = [
  '/health',
  '/openapi.json',
  '/docs',
  '/.well-known/jwks.json',
  '/console/',
  '/console/nothing.js',
  '/nothing',
  '/api/v1/auth/oidc/login?return_to=https://evil.example',
  LIST,
  '/platform/v1/workspaces',
]

describe('every answer', () => {
  it.each(PATHS)(
    'says how it is read and kept, and that browsers use https if the service has it: %s',
    async (path) => {
      const { headers } = await callService(path)
      expect(headers.get('X-Content-Type-Options')).toBe('nosniff')
      expect(headers.get('Cache-Control')).toMatch(/no-store|^public, max-age=\d+/)
      const secure = calling(service, { ...env, ISSUER: 'https://catalog.test' })
      expect((await secure(path)).headers.get('Strict-Transport-Security')).toMatch(/^max-age=31536000\b/)
      const plain = calling(service, { ...env, ISSUER: 'http://localhost:8787' })
      expect((await plain(path)).headers.get('Strict-Transport-Security')).toBeNull()
    },
  )
})

describe('a cache', () => {
  it.each(['/openapi.json', '/.well-known/jwks.json', '/.well-known/oauth-authorization-server'])(
    'may keep what is public: %s',
    async (path) => {
      expect((await callService(path)).headers.get('Cache-Control')).toMatch(/^public, max-age=\d+$/)
    },
  )

  it.each([
    [LIST, true],
    ['/admin/datasets/v1/an-id/?type=symptom', true],
    ['/admin/datasets/v1/batches/?type=symptom', false],
    ['/health', false],
  ])('is told that answers differ by the partner token, if the endpoint takes one: %s %s', async (path, varies) => {
    const vary = (await callService(path)).headers.get('Vary') ?? ''
    expect(vary.split(/, */).includes('X-Auth-Token')).toBe(varies)
  })
})

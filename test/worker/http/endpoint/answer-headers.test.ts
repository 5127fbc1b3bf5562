import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
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

it.each(PATHS)(
  'every answer says how it is read and kept, and to use https if the service has it: %s',
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

it.each([
  ['/openapi.json', undefined],
  ['/.well-known/jwks.json', undefined],
  ['/.well-known/oauth-authorization-server', undefined],
  [LIST, true],
  ['/admin/datasets/v1/an-id/?type=symptom', true],
  ['/admin/datasets/v1/batches/?type=symptom', false],
  ['/health', false],
])('caches keep what is public, and are told if answers differ by the partner token: %s', async (path, varies) => {
  const { headers } = await callService(path)
  if (varies === undefined) expect(headers.get('Cache-Control')).toMatch(/^public, max-age=\d+$/)
  else expect(/\bX-Auth-Token\b/.test(headers.get('Vary') ?? '')).toBe(varies)
})

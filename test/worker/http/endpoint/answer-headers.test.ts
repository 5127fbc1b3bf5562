import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { MAX_FILE_NAME_LENGTH } from '#shared/limits'
import { fileNameOf, storableFileName } from '#worker/http/endpoint/disposition'
import { calling, callService } from '../../../support/service'

const LIST = '/admin/datasets/v1/?type=symptom'

it('every response has the security headers', async () => {
  const secure = calling(undefined, { ...env, ISSUER: 'https://catalog.test' })
  const plain = calling(undefined, { ...env, ISSUER: 'http://localhost:8787' })
  // They need no credential or are rejected: one for each kind of response.
  for (const path of [
    ...['/health', '/openapi.json', '/docs', '/.well-known/jwks.json', '/console/', '/console/nothing.js', '/nothing'],
    ...['/api/v1/auth/oidc/login?return_to=https://evil.example', LIST, '/platform/v1/workspaces'],
  ]) {
    const { headers } = await plain(path)
    expect(headers.get('X-Content-Type-Options'), path).toBe('nosniff')
    expect(headers.get('Cache-Control'), path).toMatch(/no-store|^public, max-age=\d+/)
    expect(headers.get('Strict-Transport-Security'), path).toBeNull()
    expect((await secure(path)).headers.get('Strict-Transport-Security'), path).toMatch(/^max-age=31536000\b/)
  }
})

it.each([
  ['/openapi.json', undefined],
  ['/.well-known/jwks.json', undefined],
  [LIST, true],
  ['/admin/datasets/v1/an-id/?type=symptom', true],
  ['/health', false],
])('public responses can be cached, with Vary if they depend on the partner token: %s', async (path, varies) => {
  const { headers } = await callService(path)
  if (varies === undefined) expect(headers.get('Cache-Control')).toMatch(/^public, max-age=\d+$/)
  else expect(/\bX-Auth-Token\b/.test(headers.get('Vary') ?? '')).toBe(varies)
})

it('the name of an uploaded file is stored without deceptive characters', () => {
  expect(storableFileName('catalog\u202Evsc.exe\u0000\r\n')).toBe('catalogvsc.exe')
  expect(storableFileName('x'.repeat(1_000_000))).toHaveLength(MAX_FILE_NAME_LENGTH)
  expect(storableFileName('Arzneimittel übersicht.csv')).toBe('Arzneimittel übersicht.csv')
  expect(storableFileName('\u200b \u0007')).toBeNull()
})

it.each([
  ['attachment; filename="list.csv"', 'list.csv'],
  ['attachment; filename=list.csv', 'list.csv'],
  ['attachment; filename="a \\"b\\".csv"', 'a "b".csv'],
  ['attachment; filename="plain.csv"; filename*=UTF-8\'\'na%C3%AFve%20%E8%AA%9E.csv', 'naïve 語.csv'],
  ['attachment; filename="plain.csv"; filename*=UTF-8\'\'%zz', 'plain.csv'],
  ['inline', null],
])('the file name in the Content-Disposition %j is %j', (header, expected) => {
  expect(fileNameOf(header)).toBe(expected)
})

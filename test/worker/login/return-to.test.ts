import { expect, it } from 'vitest'
import { parseReturnTo } from '#worker/login/log-in'
import { callLogin, LOGIN } from '../../support/logins'
import { bodyFrom } from '../../support/service'

const ISSUER = 'https://catalog.test'

it.each([
  ['page', '/', `${ISSUER}/`],
  ['page', '/console/?a=//b#c', `${ISSUER}/console/?a=//b#c`],
  ['page', '/a/../console', `${ISSUER}/console`],
  ['page', '/@evil.example', `${ISSUER}/@evil.example`],
  ['loopback', 'http://127.0.0.1:4711/done?state=x', 'http://127.0.0.1:4711/done?state=x'],
  ['loopback', 'http://[::1]:4711/', 'http://[::1]:4711/'],
  ['loopback', 'http://127.0.0.1', 'http://127.0.0.1/'],
])('return_to accepts the %s %j', (kind, value, href) => {
  const { url, ...target } = parseReturnTo(value, ISSUER)
  expect([target.kind, url.href]).toEqual([kind, href])
})

it.each([
  ...['', 'console', '//evil.example', '/\\evil.example', '\\\\evil.example', '\t//evil.example'],
  ...['/.//evil.example', '/a/..//evil.example', '/%2e//evil.example', '/console\u0000', '/\ud800'],
  ...['https://evil.example/', `${ISSUER}/console/`, `${ISSUER}.evil.example/`, 'javascript:alert(1)'],
  ...['http://localhost:4711/', 'https://127.0.0.1:4711/', 'http://127.0.0.1.evil.example/', 'http:127.0.0.1:4711/'],
  ...['http://127.0.0.1@evil.example/', 'http://127.0.0.1:x@evil.example/', 'http://user@127.0.0.1:4711/'],
  ...['http://127.1:4711/', 'http://2130706433/', 'http://0x7f000001/', 'http://127.0.0.1:99999/'],
  ...['http://127.0.0.1\\@evil.example/', 'http://127.0.0.1#@evil.example/', 'http://127.0.0.1:4711/#a'],
  ...['http://[::1]evil.example/', 'http://[::2]:4711/', '/'.padEnd(1025, 'a')],
])('return_to rejects %j', (value) => {
  expect(() => parseReturnTo(value, ISSUER)).toThrow(/^return_to /)
})

it('return_to is checked before the browser is redirected, and rejected with its limit if it is too long', async () => {
  const response = await callLogin(`${LOGIN}?return_to=${'/'.padEnd(1025, 'a')}`)
  expect(response.headers.has('Location')).toBe(false)
  expect(await bodyFrom(response, 400)).toMatchObject({ errors: [{ field: 'return_to', limit: 1024 }] })
  expect((await callLogin(`${LOGIN}?return_to=/a&return_to=/b`)).status).toBe(400)
})

import { describe, expect, it } from 'vitest'
import { parseReturnTo } from '#worker/login/log-in'
import { callLogin, LOGIN } from '../../support/logins'
import { bodyFrom } from '../../support/service'

const ISSUER = 'https://catalog.test'

describe('return_to', () => {
  it.each([
    ['/', `${ISSUER}/`],
    ['/console/', `${ISSUER}/console/`],
    ['/console/?a=//b#c', `${ISSUER}/console/?a=//b#c`],
    ['/a/../console', `${ISSUER}/console`],
    ['/@evil.example', `${ISSUER}/@evil.example`],
  ])('takes the page %j', (value, href) => {
    const { kind, url } = parseReturnTo(value, ISSUER)
    expect([kind, url.href]).toEqual(['page', href])
  })

  it.each(['http://127.0.0.1:4711/', 'http://127.0.0.1:4711/done?state=x', 'http://[::1]:4711/', 'http://127.0.0.1'])(
    'takes the loopback address %j',
    (value) => {
      expect(parseReturnTo(value, ISSUER).kind).toBe('loopback')
    },
  )

  const refused = [
    '',
    'console',
    '?a',
    '//evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '\t//evil.example',
    ' //evil.example',
    '/.//evil.example',
    '/a/..//evil.example',
    '/%2e//evil.example',
    '/console\u0000',
    '/\ud800',
    'https://evil.example/',
    `${ISSUER}/console/`,
    `${ISSUER}.evil.example/`,
    'javascript:alert(1)',
    'http://localhost:4711/',
    'https://127.0.0.1:4711/',
    'http://127.0.0.1.evil.example/',
    'http://127.0.0.1@evil.example/',
    'http://127.0.0.1:x@evil.example/',
    'http://user@127.0.0.1:4711/',
    'http://127.1:4711/',
    'http://2130706433/',
    'http://0x7f000001/',
    'http://127.0.0.1:99999/',
    'http://127.0.0.1\\@evil.example/',
    'http://127.0.0.1#@evil.example/',
    'http://127.0.0.1:4711/#a',
    'http://[::1]evil.example/',
    'http://[::2]:4711/',
    'http:127.0.0.1:4711/',
    '/'.padEnd(1025, 'a'),
  ]

  it.each(refused)('refuses %j', (value) => {
    expect(() => parseReturnTo(value, ISSUER)).toThrow(/^return_to /)
  })

  it('is checked before the browser is redirected, and refused with its limit if it is too long', async () => {
    const response = await callLogin(`${LOGIN}?return_to=${'/'.padEnd(1025, 'a')}`)
    expect(response.headers.has('Location')).toBe(false)
    expect(await bodyFrom(response, 400)).toMatchObject({ errors: [{ field: 'return_to', limit: 1024 }] })
    expect((await callLogin(`${LOGIN}?return_to=/a&return_to=/b`)).status).toBe(400)
  })
})

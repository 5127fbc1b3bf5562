import { describe, expect, it } from 'vitest'
import { addressError } from '#worker/webhooks/address'

const PUBLIC = 'https://catalog.example'

describe('the address of a webhook', () => {
  it.each([
    'https://hooks.example/in',
    'https://hooks.example:8443/in?token=a%20b#part',
    'https://hooks.example:443/',
    'https://HOOKS.Example./in',
    'https://bücher.example/',
    'https://10.example/',
    'https://localhost.example/',
  ])('may be %s', (url) => {
    expect(addressError(url, PUBLIC)).toBeUndefined()
  })

  it.each([
    'hooks.example',
    'ftp://hooks.example/',
    'https:hooks.example/',
    'https://hooks.example/a b',
    'https:\\\\hooks.example',
    'https://',
    'http://hooks.example/',
    'https://user@hooks.example/',
    'https://:password@hooks.example/',
    'https://hooks.example:444/',
    'https://hooks.example:22/',
    'https://hooks.example:80/',
  ])('must not be %s', (url) => {
    expect(addressError(url, PUBLIC)).toBeDefined()
    expect(addressError(url, 'http://localhost:8787')).toBeDefined()
  })

  const LOCAL = ['http://localhost:8787', 'http://127.0.0.1:8787', 'http://[::1]:8787', 'http://a.localhost']

  it.each([
    'https://127.0.0.1/',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://0177.0.0.1./',
    'https://１２７.0.0.1/',
    'https://[::1]/',
    'https://localhost/',
    'https://LOCALHOST./',
    'https://a.localhost/',
    'https://localhost:9999/',
    'https://127.0.0.1:22/',
  ])('is %s only for a service on localhost, with or without encryption', (url) => {
    expect(addressError(url, PUBLIC)).toContain('public name')
    for (const issuer of LOCAL) {
      expect(addressError(url, issuer)).toBeUndefined()
      expect(addressError(url.replace('https', 'http'), issuer)).toBeUndefined()
    }
  })

  it.each([
    'https://8.8.8.8/',
    'https://169.254.169.254/latest/meta-data',
    'https://[2001:4860:4860::8888]/',
    'https://[::ffff:10.0.0.1]/',
    'https://intranet/',
    'https://printer.local/',
    'https://metadata.google.internal/',
    'https://metadata.google.internal./',
  ])('is never %s', (url) => {
    for (const issuer of [PUBLIC, ...LOCAL]) {
      expect(addressError(url, issuer)).toContain('public name')
      expect(addressError(url.replace('https', 'http'), issuer)).toContain('public name')
    }
  })
})

import { expect, it } from 'vitest'
import { addressError } from '#worker/webhooks/address'

const PUBLIC = 'https://catalog.example'
const LOCAL = ['http://localhost:8787', 'http://127.0.0.1:8787', 'http://[::1]:8787', 'http://a.localhost']

it.each([
  ...['https://hooks.example/in', 'https://hooks.example:8443/in?token=a%20b#part', 'https://hooks.example:443/'],
  ...['https://HOOKS.Example./in', 'https://bücher.example/', 'https://10.example/', 'https://localhost.example/'],
])('the address of a webhook may be %s', (url) => {
  expect(addressError(url, PUBLIC)).toBeUndefined()
})

it.each([
  ...['hooks.example', 'ftp://hooks.example/', 'https:hooks.example/', 'https://hooks.example/a b', 'https://'],
  ...['https:\\\\hooks.example', 'http://hooks.example/', 'https://user@hooks.example/'],
  ...['https://:password@hooks.example/', 'https://hooks.example:444/', 'https://hooks.example:80/'],
])('the address of a webhook must not be %s', (url) => {
  expect(addressError(url, PUBLIC)).toBeDefined()
  expect(addressError(url, 'http://localhost:8787')).toBeDefined()
})

it.each([
  ...['127.0.0.1/', '2130706433/', '0x7f.1/', '0177.0.0.1./', '１２７.0.0.1/', '[::1]/', 'localhost/', 'LOCALHOST./'],
  ...['a.localhost/', 'localhost:9999/', '127.0.0.1:22/'],
])('the address of a webhook is %s only for a service on localhost, with or without encryption', (address) => {
  expect(addressError(`https://${address}`, PUBLIC)).toContain('public name')
  for (const issuer of LOCAL) {
    expect(addressError(`https://${address}`, issuer)).toBeUndefined()
    expect(addressError(`http://${address}`, issuer)).toBeUndefined()
  }
})

it.each([
  ...['8.8.8.8/', '169.254.169.254/latest/meta-data', '[2001:4860:4860::8888]/', '[::ffff:10.0.0.1]/', 'intranet/'],
  ...['printer.local/', 'metadata.google.internal/', 'metadata.google.internal./'],
])('the address of a webhook is never %s', (address) => {
  for (const issuer of [PUBLIC, ...LOCAL]) {
    expect(addressError(`https://${address}`, issuer)).toContain('public name')
    expect(addressError(`http://${address}`, issuer)).toContain('public name')
  }
})

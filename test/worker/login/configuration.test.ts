import { describe, expect, it } from 'vitest'
import { configOf } from '#worker/env'
import { CALLBACK, LOGIN, LOGOUT, loginBindings, serviceWith, TOKEN } from '../../support/logins'
import { callService } from '../../support/service'

it.each([
  ['GET', LOGIN],
  ['GET', CALLBACK],
  ['POST', TOKEN],
  ['POST', LOGOUT],
])('without a login provider %s %s answers as an unknown path', async (method, path) => {
  const response = await callService(path, { method })
  expect(response.status).toBe(404)
  expect(await response.text()).toBe(await (await callService('/nothing/here')).text())
})

describe('the configuration of the login provider', () => {
  it.each(['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'])('needs %s', async (name) => {
    const bindings = { ...loginBindings, [name]: '' }
    expect(() => configOf(bindings)).toThrow('OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET go together')
    expect((await serviceWith(bindings)(LOGIN)).status).toBe(500)
  })

  it.each([
    'http://login.example',
    'http://127.0.0.1.login.example',
    'ftp://login.example',
    'login.example',
    'https://login.example/?a=b',
    'https://login.example/#a',
  ])('refuses the issuer %j', (issuer) => {
    expect(() => configOf({ ...loginBindings, OIDC_ISSUER: issuer })).toThrow('OIDC_ISSUER')
  })

  it.each(['https://login.example', 'https://login.example/tenant/', 'http://localhost:9000', 'http://[::1]:9000'])(
    'takes the issuer %j',
    (issuer) => {
      const config = configOf({ ...loginBindings, OIDC_ISSUER: issuer })
      expect(config.loginProvider?.issuer).toBe(issuer)
    },
  )
})

import { expect, it } from 'vitest'
import { configOf } from '#worker/env'
import { CALLBACK, LOGIN, LOGOUT, loginBindings, serviceWith, TOKEN } from '../../support/logins'
import { callService } from '../../support/service'

it('without a login provider, its endpoints respond like an unknown path', async () => {
  const unknown = await (await callService('/nothing/here')).text()
  for (const [method, path] of [
    ['GET', LOGIN],
    ['GET', CALLBACK],
    ['POST', TOKEN],
    ['POST', LOGOUT],
  ] as const) {
    const response = await callService(path, { method })
    expect([response.status, await response.text()], path).toEqual([404, unknown])
  }
})

it('the configuration of the login provider is complete', async () => {
  for (const name of ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET']) {
    const bindings = { ...loginBindings, [name]: '' }
    expect(() => configOf(bindings)).toThrow('OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET must be set together')
    expect((await serviceWith(bindings)(LOGIN)).status).toBe(500)
  }
})

it('the issuer of logins must be an https URL, or on this machine', () => {
  const providerOf = (issuer: string) => configOf({ ...loginBindings, OIDC_ISSUER: issuer }).loginProvider
  for (const issuer of ['http://login.example', 'http://127.0.0.1.login.example', 'https://login.example/?a=b'])
    expect(() => providerOf(issuer), issuer).toThrow('OIDC_ISSUER')
  for (const issuer of ['https://login.example/tenant/', 'http://localhost:9000'])
    expect(providerOf(issuer)).toMatchObject({ issuer })
})

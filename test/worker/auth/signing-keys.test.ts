import { env } from 'cloudflare:workers'
import { createLocalJWKSet, jwtVerify } from 'jose'
import { expect, it } from 'vitest'
import { jwksSchema } from '#worker/auth/schemas'
import { importSigningKeys } from '#worker/auth/signing-keys'
import { newSigningKey, newWorkspace } from '../../support/credentials'
import { bodyFrom, callService } from '../../support/service'

it('no private part of a key is published', async () => {
  const key = await newSigningKey('new')
  const keys = await importSigningKeys([key, await newSigningKey('old')])
  expect([keys.signing.kid, keys.signing.key.extractable]).toEqual(['new', false])
  expect([...keys.verification.keys()]).toEqual(['new', 'old'])
  const { x, y } = key
  expect(keys.jwks.keys[0]).toEqual({ kty: 'EC', crv: 'P-256', x, y, kid: 'new', alg: 'ES256', use: 'sig' })
})

it('a wrong list of keys is rejected, and no key is repeated', async () => {
  const key = await newSigningKey('one')
  for (const list of [[], [key, await newSigningKey('one')]])
    await expect(importSigningKeys(list)).rejects.toThrow(
      'configuration: SIGNING_KEYS is empty or contains a kid twice',
    )
  const refused = importSigningKeys([{ ...key, x: 'AAAA' }])
  await expect(refused).rejects.toThrow('configuration: SIGNING_KEYS has a key that is not an ES256 key')
  await expect(refused).rejects.not.toThrow(key.d)
})

it('GET /.well-known/jwks.json verifies the access tokens of the service', async () => {
  const response = await callService('/.well-known/jwks.json')
  expect(response.headers.get('Cache-Control')).toBe('public, max-age=300')
  const jwks = jwksSchema.parse(await bodyFrom(response))
  expect(jwks.keys.map(({ kid }) => kid)).toEqual(['current', 'previous'])
  const { token } = await newWorkspace()
  const options = { issuer: env.ISSUER, audience: env.ISSUER }
  const { protectedHeader } = await jwtVerify(token, createLocalJWKSet(jwks), options)
  expect(protectedHeader).toEqual({ alg: 'ES256', typ: 'at+jwt', kid: 'current' })
})

import { env } from 'cloudflare:workers'
import { createLocalJWKSet, jwtVerify } from 'jose'
import { describe, expect, it } from 'vitest'
import { jwksSchema, metadataSchema } from '#worker/auth/schemas'
import { newWorkspace } from '../../support/credentials'
import { bodyFrom, callService } from '../../support/service'

describe('GET /.well-known/jwks.json', () => {
  it('publishes the public part of every signing key, without authentication', async () => {
    const response = await callService('/.well-known/jwks.json')
    expect(response.headers.get('Cache-Control')).toBe('public, max-age=300')
    const { keys } = jwksSchema.parse(await bodyFrom(response))
    expect(keys.map(({ kid }) => kid)).toEqual(['current', 'previous'])
  })

  it('verifies the access tokens of the service', async () => {
    const { token } = await newWorkspace()
    const response = await callService('/.well-known/jwks.json')
    const jwks = createLocalJWKSet(await response.json())
    const { protectedHeader } = await jwtVerify(token, jwks, { issuer: env.ISSUER, audience: env.ISSUER })
    expect(protectedHeader).toEqual({ alg: 'ES256', typ: 'at+jwt', kid: 'current' })
  })
})

it('GET /.well-known/oauth-authorization-server names the issuer and its endpoints to everybody', async () => {
  const metadata = metadataSchema.parse(await bodyFrom(callService('/.well-known/oauth-authorization-server')))
  expect(metadata).toEqual({
    issuer: env.ISSUER,
    token_endpoint: `${env.ISSUER}/api/v1/auth/token`,
    jwks_uri: `${env.ISSUER}/.well-known/jwks.json`,
    scopes_supported: ['catalog:read', 'catalog:write', 'search', 'documents', 'registration'],
    response_types_supported: [],
    grant_types_supported: ['client_credentials'],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
    service_documentation: `${env.ISSUER}/docs`,
  })
})

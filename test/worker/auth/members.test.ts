import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { CLIENT_SCOPES, ROLE_SCOPES, ROLES, SCOPES } from '#shared/access/caller'
import { verifyAccessToken } from '#worker/auth/access-token'
import { signingKeysOf } from '#worker/auth/signing-keys'
import { memberToken } from '../../support/members'

it('roles give the scopes of the contract, each with all scopes of the role before it', () => {
  expect(ROLES).toEqual(['viewer', 'editor', 'admin'])
  expect(ROLE_SCOPES.viewer).toEqual(['catalog:read', 'search'])
  expect(new Set(ROLE_SCOPES.editor)).toEqual(new Set(CLIENT_SCOPES))
  expect(new Set(ROLE_SCOPES.admin)).toEqual(new Set(SCOPES))
})

it('an access token of a member names the membership and the user, and not the email', async () => {
  const token = await memberToken('a-workspace', 'a-member', 'viewer')
  expect(await verifyAccessToken(token, await signingKeysOf(env), env.ISSUER, new Date())).toMatchObject({
    workspace_id: 'a-workspace',
    member_id: 'a-member',
    sub: 'a-user',
    scopes: new Set(['catalog:read', 'search']),
  })
  expect(atob(token.split('.')[1]!.replaceAll('-', '+').replaceAll('_', '/'))).not.toContain('@')
})

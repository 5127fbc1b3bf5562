import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { CLIENT_SCOPES, ROLE_SCOPES, ROLES, SCOPES } from '#shared/access/caller'
import { verifyAccessToken } from '#worker/auth/access-token'
import { signingKeysOf } from '#worker/auth/signing-keys'
import { callOperator, createWorkspace } from '../../support/credentials'
import { execute } from '../../support/databases'
import { addMember, EMAIL, memberToken, newMember } from '../../support/members'
import { bearer, callService, jsonBody } from '../../support/service'

const LIST = '/admin/datasets/v1/?type=symptom'

const read = (token: string): Promise<Response> => callService(LIST, { headers: bearer(token) })

const write = (token: string): Promise<Response> =>
  callService(LIST, {
    method: 'POST',
    ...jsonBody([{ symptom_id: 'S1', name: 'Headache' }], bearer(token)),
  })

describe('roles', () => {
  it('give the scopes of the contract, each with all scopes of the role before it', () => {
    expect(ROLES).toEqual(['viewer', 'editor', 'admin'])
    expect(ROLE_SCOPES.viewer).toEqual(['catalog:read', 'search'])
    expect(new Set(ROLE_SCOPES.editor)).toEqual(new Set(CLIENT_SCOPES))
    expect(new Set(ROLE_SCOPES.admin)).toEqual(new Set(SCOPES))
  })
})

describe('an access token of a member', () => {
  it('names the membership and the user, and not the email', async () => {
    const keys = await signingKeysOf(env)
    const token = await memberToken('a-workspace', 'a-member', 'viewer')
    expect(await verifyAccessToken(token, keys, env.ISSUER, new Date())).toMatchObject({
      workspace_id: 'a-workspace',
      member_id: 'a-member',
      sub: 'a-user',
      scopes: new Set(['catalog:read', 'search']),
    })
    expect(atob(token.split('.')[1]!.replaceAll('-', '+').replaceAll('_', '/'))).not.toContain('@')
  })

  it('ends at once with the membership, and stays ended when the person is added again', async () => {
    const workspaceId = await createWorkspace()
    const token = await newMember(workspaceId, 'admin')
    expect((await read(token)).status).toBe(200)
    await callOperator(`/workspaces/${workspaceId}/members/${EMAIL}`, undefined, 'DELETE')
    expect((await read(token)).status).toBe(401)
    await addMember(workspaceId, 'admin')
    expect((await read(token)).status).toBe(401)
  })

  it('ends within 60 seconds of a revocation elsewhere', async () => {
    const workspaceId = await createWorkspace()
    const token = await newMember(workspaceId, 'admin')
    expect((await read(token)).status).toBe(200)
    await execute('update members set revoked_at = 1')
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 59_000 })
    expect((await read(token)).status).toBe(401)
  })

  it('permits no more than the role that the member has now', async () => {
    const workspaceId = await createWorkspace()
    const token = await newMember(workspaceId, 'editor')
    expect((await write(token)).status).toBe(200)
    await addMember(workspaceId, 'viewer')
    expect((await write(token)).status).toBe(403)
    expect((await read(token)).status).toBe(200)
  })

  it('gets no more scopes when the role grows after it was issued', async () => {
    const workspaceId = await createWorkspace()
    const token = await newMember(workspaceId, 'viewer')
    await addMember(workspaceId, 'admin')
    expect((await write(token)).status).toBe(403)
  })

  it('is refused for a workspace other than that of the membership', async () => {
    const memberId = await addMember(await createWorkspace(), 'admin')
    expect((await read(await memberToken(await createWorkspace(), memberId, 'admin'))).status).toBe(401)
  })
})

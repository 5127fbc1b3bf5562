import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { CLIENT_SCOPES, type Scope } from '#shared/access/caller'
import { issueAccessToken } from '#worker/auth/access-token'
import { signingKeysOf } from '#worker/auth/signing-keys'
import { callOperator, createWorkspace, newWorkspace, workspaceOfEachTest } from '../../support/credentials'
import { execute } from '../../support/databases'
import { addMember, EMAIL } from '../../support/members'
import { LIST, newPartner } from '../../support/partners'
import { bearer, callService } from '../../support/service'

type Grant = Parameters<typeof issueAccessToken>[2]

/** What an access token is granted for, and where the operator revokes it. */
interface Credential {
  tokenFor: (workspaceId: string) => Promise<string>
  workspaceId: string
  path: string
}

const SCOPES: Scope[] = ['catalog:read']

async function tokenOf(grant: Grant): Promise<string> {
  return issueAccessToken(await signingKeysOf(env), env.ISSUER, grant, new Date())
}

async function newClient(pathOf: (made: Awaited<ReturnType<typeof newWorkspace>>) => string): Promise<Credential> {
  const made = await newWorkspace()
  const { clientId, apiKeyId, workspaceId } = made
  const tokenFor = (id: string) =>
    tokenOf({ workspace_id: id, client_id: clientId, api_key_id: apiKeyId, scopes: SCOPES })
  return { workspaceId, path: pathOf(made), tokenFor }
}

/** How each kind of credential is made, by its table. */
const CREDENTIALS: Record<string, () => Promise<Credential>> = {
  clients: () => newClient(({ clientId }) => `/clients/${clientId}`),
  api_keys: () => newClient(({ workspaceId, apiKeyId }) => `/workspaces/${workspaceId}/api-keys/${apiKeyId}`),
  members: async () => {
    const workspaceId = await createWorkspace()
    const memberId = await addMember(workspaceId, 'admin')
    const tokenFor = (id: string) => tokenOf({ workspace_id: id, member_id: memberId, sub: 'a-user', scopes: SCOPES })
    return { workspaceId, path: `/workspaces/${workspaceId}/members/${EMAIL}`, tokenFor }
  },
  partner_credentials: async () => {
    const { workspaceId, kid } = await newPartner()
    const tokenFor = (id: string) => tokenOf({ workspace_id: id, partner_kid: kid, sub: 'a-user', scopes: SCOPES })
    return { workspaceId, path: `/workspaces/${workspaceId}/partner-credentials/${kid}`, tokenFor }
  },
}

const workspace = workspaceOfEachTest()

const statusFor = async (token: string): Promise<number> => (await callService(LIST, { headers: bearer(token) })).status

describe.each(Object.keys(CREDENTIALS))('an access token for a row of %s', (table) => {
  const make = CREDENTIALS[table] ?? expect.unreachable

  it('opens the workspace of the row, no other one, and nothing from its revocation by this isolate on', async () => {
    const { path, tokenFor, workspaceId } = await make()
    const token = await tokenFor(workspaceId)
    expect(await statusFor(token)).toBe(200)
    expect(await statusFor(await tokenFor(workspace.workspaceId))).toBe(401)
    await callOperator(path, undefined, 'DELETE')
    expect(await statusFor(token)).toBe(401)
    expect(await statusFor(workspace.token)).toBe(200)
  })

  it('opens nothing 60 seconds after a revocation by another isolate', async () => {
    const { tokenFor, workspaceId } = await make()
    const token = await tokenFor(workspaceId)
    expect(await statusFor(token)).toBe(200)
    await execute(`update ${table} set revoked_at = 1`)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 59_000 })
    expect(await statusFor(token)).toBe(401)
  })
})

it('a refusal is remembered: a revoked token costs no further query', async () => {
  await callOperator(`/clients/${workspace.clientId}`, undefined, 'DELETE')
  expect(await statusFor(workspace.token)).toBe(401)
  const log = vi.spyOn(console, 'log')
  expect(await statusFor(workspace.token)).toBe(401)
  expect(log.mock.calls.join('\n')).toContain('"rows_read":0')
})

it('a member has no more than the role of now, and no more than that of the token', async () => {
  const workspaceId = await createWorkspace()
  const memberId = await addMember(workspaceId, 'editor')
  const tokenWith = (scopes: readonly Scope[]) =>
    tokenOf({ workspace_id: workspaceId, member_id: memberId, sub: 'a-user', scopes })
  const write = async (token: string) =>
    (
      await callService(LIST, {
        method: 'POST',
        body: '[]',
        headers: { ...bearer(token), 'Content-Type': 'application/json' },
      })
    ).status
  const [editor, viewer] = [await tokenWith(CLIENT_SCOPES), await tokenWith(SCOPES)]
  expect([await write(editor), await write(viewer)]).toEqual([200, 403])
  await addMember(workspaceId, 'viewer')
  expect([await write(editor), await statusFor(editor)]).toEqual([403, 200])
})

it('a member who is added again gets new tokens, and the old ones stay ended', async () => {
  const { path, tokenFor, workspaceId } = await CREDENTIALS.members!()
  const token = await tokenFor(workspaceId)
  await callOperator(path, undefined, 'DELETE')
  await addMember(workspaceId, 'admin')
  expect(await statusFor(token)).toBe(401)
})

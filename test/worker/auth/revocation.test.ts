import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { CLIENT_SCOPES, type Scope } from '#shared/access/caller'
import { issueAccessToken } from '#worker/auth/access-token'
import { signingKeysOf } from '#worker/auth/signing-keys'
import { callOperator, createWorkspace, newWorkspace, workspaceOfEachTest } from '../../support/credentials'
import { execute } from '../../support/databases'
import { addMember, EMAIL } from '../../support/members'
import { LIST, newPartner } from '../../support/partners'
import { bearer, callService, jsonBody } from '../../support/service'

type WithoutScopes<Grant> = Grant extends unknown ? Omit<Grant, 'scopes'> : never
type Grant = WithoutScopes<Parameters<typeof issueAccessToken>[2]>

const SCOPES: Scope[] = ['catalog:read']

async function tokenOf(grant: Grant, scopes: readonly Scope[] = SCOPES): Promise<string> {
  return issueAccessToken(await signingKeysOf(env), env.ISSUER, { ...grant, scopes }, new Date())
}

/** The row for which an access token is granted, and how the operator revokes it. */
interface Credential {
  grant: Grant
  path: string
}

async function newClient(pathOf: (made: Awaited<ReturnType<typeof newWorkspace>>) => string): Promise<Credential> {
  const made = await newWorkspace()
  const grant = { workspace_id: made.workspaceId, client_id: made.clientId, api_key_id: made.apiKeyId }
  return { grant, path: pathOf(made) }
}

async function newMembership(): Promise<Credential> {
  const workspace_id = await createWorkspace()
  const grant = { workspace_id, member_id: await addMember(workspace_id, 'admin'), sub: 'a-user' }
  return { grant, path: `/workspaces/${workspace_id}/members/${EMAIL}` }
}

/** How each kind of credential is created, by its table. */
const CREDENTIALS: [string, () => Promise<Credential>][] = [
  ['clients', () => newClient(({ clientId }) => `/clients/${clientId}`)],
  ['api_keys', () => newClient(({ workspaceId, apiKeyId }) => `/workspaces/${workspaceId}/api-keys/${apiKeyId}`)],
  ['members', newMembership],
  [
    'partner_credentials',
    async () => {
      const { workspaceId: workspace_id, kid } = await newPartner()
      const grant = { workspace_id, partner_kid: kid, sub: 'a-user' }
      return { grant, path: `/workspaces/${workspace_id}/partner-credentials/${kid}` }
    },
  ],
]

const workspace = workspaceOfEachTest()

const statusFor = async (token: string): Promise<number> => (await callService(LIST, { headers: bearer(token) })).status

describe.each(CREDENTIALS)('an access token for a row of %s', (table, make) => {
  it("grants access only to the row's workspace, until its revocation", async () => {
    const { path, grant } = await make()
    const token = await tokenOf(grant)
    expect(await statusFor(token)).toBe(200)
    expect(await statusFor(await tokenOf({ ...grant, workspace_id: workspace.workspaceId }))).toBe(401)
    await callOperator(path, undefined, 'DELETE')
    expect(await statusFor(token)).toBe(401)
    expect(await statusFor(workspace.token)).toBe(200)
  })

  it('grants nothing 60 seconds after a revocation by another isolate', async () => {
    const token = await tokenOf((await make()).grant)
    expect(await statusFor(token)).toBe(200)
    await execute(`update ${table} set revoked_at = 1`)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 59_000 })
    expect(await statusFor(token)).toBe(401)
  })
})

it('a member has at most the rights of the current role, and at most those of the token', async () => {
  const workspace_id = await createWorkspace()
  const grant = { workspace_id, member_id: await addMember(workspace_id, 'editor'), sub: 'a-user' }
  const write = async (token: string) =>
    (await callService(LIST, { method: 'POST', ...jsonBody([], bearer(token)) })).status
  const [editor, viewer] = [await tokenOf(grant, CLIENT_SCOPES), await tokenOf(grant)]
  expect([await write(editor), await write(viewer)]).toEqual([200, 403])
  await addMember(workspace_id, 'viewer')
  expect([await write(editor), await statusFor(editor)]).toEqual([403, 200])
})

it('a member who is added again gets new tokens, and the old ones stay invalid', async () => {
  const { path, grant } = await newMembership()
  const token = await tokenOf(grant)
  await callOperator(path, undefined, 'DELETE')
  await addMember(grant.workspace_id, 'admin')
  expect(await statusFor(token)).toBe(401)
})

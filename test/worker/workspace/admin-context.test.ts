import { env } from 'cloudflare:workers'
import { beforeEach, expect, it, vi } from 'vitest'
import { workspaceEndpoints } from '#worker/workspace/endpoints'
import { createApiKey, createClient, newWorkspace, tokenWith } from '../../support/credentials'
import { execute } from '../../support/databases'
import { addMember } from '../../support/members'
import { newPartner } from '../../support/partners'
import { type DatabaseCall, failing, lostAfter, serviceWith } from '../storage/faulty-database'
import { callAs, callingAs, newAdmin, stored, WORKSPACE } from './administrators'

type Admin = Awaited<ReturnType<typeof newAdmin>>
type Request = Parameters<Admin['call']>

let admin: Admin
let colleague: Admin
/** One for every kind of change, by its title. */
let requests: Record<string, Request>

beforeEach(async () => {
  admin = await newAdmin()
  const { workspaceId } = admin
  colleague = await newAdmin(workspaceId, 'colleague@clinic.example')
  await addMember(workspaceId, 'viewer', 'viewer@clinic.example')
  const { client_id } = await createClient()
  const { api_key_id } = await createApiKey(workspaceId, client_id)
  const partner = await newPartner({ workspaceId })
  const { kid } = await colleague.dataOf<{ kid: string }>('/encryption-keys', {})
  requests = {
    'add a member': ['/members', { email: 'new@clinic.example', role: 'admin' }],
    'give a member another role': ['/members', { email: 'viewer@clinic.example', role: 'admin' }],
    'make the own role what it was': ['/members', { email: admin.email, role: 'admin' }],
    'revoke a member': ['/members/viewer@clinic.example', undefined, 'DELETE'],
    'create an API key': ['/api-keys', { client_id }],
    'revoke an API key': [`/api-keys/${api_key_id}`, undefined, 'DELETE'],
    'create a partner credential': ['/partner-credentials', { issuer: 'https://partner.test' }],
    'change origins': [`/partner-credentials/${partner.kid}`, { allowed_origins: ['https://new.test'] }, 'PUT'],
    'revoke a partner credential': [`/partner-credentials/${partner.kid}`, undefined, 'DELETE'],
    'create an encryption key': ['/encryption-keys', {}],
    'revoke an encryption key': [`/encryption-keys/${kid}`, undefined, 'DELETE'],
  }
  // From here on, both are cached.
  for (const each of [admin, colleague]) expect((await each.call('/members')).status).toBe(200)
})

/** Changes of the admin that another isolate may just have made. */
const ENDS = [
  ['revoked', 'revoked_at = 1', 401],
  ['made an editor', "role = 'editor'", 403],
  ['revoked and taken back', "member_id = 'another'", 401],
] as const

const endElsewhere = (change: string): Promise<unknown> =>
  execute(`update members set ${change} where member_id = ?`, admin.memberId)

it('the changes of these tests cover every kind of change', () => {
  const kinds = Object.values(requests).map(([path, , method = 'POST']) => {
    const [, collection, item] = path.split('/')
    return `${method} ${WORKSPACE}/${collection}${item === undefined ? '' : '/{}'}`
  })
  const described = workspaceEndpoints
    .filter(({ method }) => method !== 'get')
    .map(({ method, path }) => `${method.toUpperCase()} ${path.replace(/\{\w+\}/, '{}')}`)
  expect(new Set(kinds)).toEqual(new Set(described))
})

it.each(ENDS)('an admin who is %s during the request changes nothing', async (_, end, status) => {
  const present = env.DB.prepare('select * from members where member_id = ?').bind(admin.memberId)
  const { revoked_at, role, member_id } = (await present.first<Record<string, unknown>>())!
  for (const [n, [title, request]] of Object.entries(requests).entries()) {
    // This isolate's cached data about the admin has expired.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + n * 31_000 })
    let before: unknown
    const endFirst = async ({ run }: DatabaseCall) => {
      await endElsewhere(end)
      before = await stored()
      return run()
    }
    const atLast = failing([endFirst], ({ writes }) => writes)
    const response = await callingAs(admin.token, serviceWith(atLast))(...request)
    expect(response.status, title).toBe(status)
    expect(response.headers.get('WWW-Authenticate')).toContain('Bearer')
    expect(await stored(), title).toEqual(before)
    // Known from this attempt on.
    expect((await admin.call('/members')).status).toBe(status)
    const takeBack = 'update members set revoked_at = ?, role = ?, member_id = ? where email = ?'
    await execute(takeBack, revoked_at, role, member_id, admin.email)
    vi.useRealTimers()
  }
})

it('every change is applied once while the membership exists', async () => {
  const rows = async () => ((await stored()) as unknown[][]).flat().length
  for (const [title, request] of Object.entries(requests)) {
    const before = await rows()
    const fault = failing([lostAfter()], ({ writes }) => writes)
    expect((await callingAs(admin.token, serviceWith(fault))(...request)).status, title).toBe(200)
    expect(fault.calls, title).toBe(2)
    expect((await rows()) - before, title).toBe(/^(add|create)/.test(title) ? 1 : 0)
  }
})

it('an admin of one workspace has no authority from a membership of another', async () => {
  const elsewhere = await newAdmin(undefined, admin.email)
  await execute('update members set revoked_at = 1 where member_id = ?', admin.memberId)
  expect((await callAs(admin.token, ...requests['create an API key']!)).status).toBe(401)
  expect((await elsewhere.call('/encryption-keys', {})).status).toBe(200)
})

it('a client makes no change, even with a token that permits it', async () => {
  const workspace = await newWorkspace()
  const token = await tokenWith(['workspace:admin'], workspace)
  const before = await stored()
  for (const [title, request] of Object.entries(requests))
    expect((await callAs(token, ...request)).status, title).toBe(403)
  expect(await stored()).toEqual(before)
})

import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import { controlDatabase } from '../../src/storage/database'
import { Meter } from '../../src/storage/meter'
import { addMember, listMembers, revokeMember } from '../../src/workspace/members'
import { callOperator } from '../support/credentials'
import { newAdmin, newOperator } from './administrators'

const ONLY_ADMIN = {
  success: false,
  message: 'This is the only admin of the workspace. Make somebody else an admin first.',
}

let admin: Awaited<ReturnType<typeof newAdmin>>

beforeEach(async () => {
  admin = await newAdmin()
})

const remove = (email = admin.email): Promise<Response> =>
  admin.call(`/members/${email}`, undefined, 'DELETE')

const give = (role: string, email = admin.email): Promise<Response> => admin.call('/members', { email, role })

const expectOnlyAdmin = async (response: Response): Promise<void> => {
  expect(response.status).toBe(409)
  expect(await response.json()).toEqual(ONLY_ADMIN)
  const { items } = await admin.dataOf<{ items: object[] }>('/members')
  expect(items).toContainEqual(expect.objectContaining({ email: admin.email, role: 'admin' }))
}

describe('the only admin of a workspace', () => {
  it('is not removed, in whatever case the address is written', async () => {
    await expectOnlyAdmin(await remove())
    await expectOnlyAdmin(await remove('ADMIN@clinic.example'))
  })

  it.each(['editor', 'viewer'])('is not made a member of the role %s', async (role) => {
    await expectOnlyAdmin(await give(role))
    await expectOnlyAdmin(await give(role, 'ADMIN@clinic.example'))
  })

  it('is so beside editors, viewers, former admins and the admins of other workspaces', async () => {
    await addMemberOf('editor@clinic.example', 'editor')
    await addMemberOf('former@clinic.example', 'admin')
    await remove('former@clinic.example')
    await newAdmin(undefined, 'elsewhere@clinic.example')
    await expectOnlyAdmin(await remove())
    await expectOnlyAdmin(await give('viewer'))
  })

  it('may be added again as what it is', async () => {
    expect((await give('admin')).status).toBe(200)
  })

  it('may step back once there is another, and is then as any member', async () => {
    await addMemberOf('second@clinic.example', 'admin')
    expect((await give('viewer')).status).toBe(200)
    expect((await admin.call('/members')).status).toBe(403)
    const second = await newAdmin(admin.workspaceId, 'second@clinic.example')
    expect((await second.call(`/members/${admin.email}`, undefined, 'DELETE')).status).toBe(200)
  })

  it('is removed by the operator, who may also give it another role', async () => {
    const operator = await newOperator(admin.workspaceId)
    await operator.dataOf('/members', { email: admin.email, role: 'viewer' })
    await operator.dataOf('/members', { email: admin.email, role: 'admin' })
    await operator.dataOf(`/members/${admin.email}`, undefined, 'DELETE')
    expect(await operator.dataOf('/members')).toEqual({ items: [] })
  })
})

describe('other members', () => {
  it('come and go under an only admin', async () => {
    for (const role of ['editor', 'viewer', 'admin', 'editor']) {
      expect((await give(role, 'asha@clinic.example')).status).toBe(200)
    }
    for (let time = 0; time < 2; time++) expect((await remove('asha@clinic.example')).status).toBe(200)
    expect((await give('viewer', 'asha@clinic.example')).status).toBe(200)
  })

  it('that never were are 404, and a former admin is revoked again without complaint', async () => {
    expect((await remove('nobody@clinic.example')).status).toBe(404)
    await addMemberOf('former@clinic.example', 'admin')
    for (let time = 0; time < 2; time++) expect((await remove('former@clinic.example')).status).toBe(200)
    expect((await give('viewer', 'former@clinic.example')).status).toBe(200)
  })
})

describe('two admins at the same moment', () => {
  const database = controlDatabase(env, new Meter())
  const rules = { keepsAdmin: true }
  const [FIRST, SECOND] = ['admin@clinic.example', 'second@clinic.example'] as const

  const revoke = (email: string) =>
    revokeMember(database, { workspaceId: admin.workspaceId, email }, rules, new Date())
  const demote = (email: string) =>
    addMember(database, { workspaceId: admin.workspaceId, email, role: 'viewer' }, rules, new Date())

  it.each([
    ['remove each other', revoke, revoke],
    ['make each other viewers', demote, demote],
    ['remove and make a viewer of each other', revoke, demote],
  ])('who %s: one of them stays an admin', async (_, one, other) => {
    await addMemberOf(SECOND, 'admin')
    const outcomes = await Promise.allSettled([one(FIRST), other(SECOND)])
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const [refused] = outcomes.filter((outcome) => outcome.status === 'rejected')
    expect(refused?.reason).toMatchObject({ code: 'conflict', message: ONLY_ADMIN.message })
    const admins = (await listMembers(database, admin.workspaceId)).filter(({ role }) => role === 'admin')
    expect(admins).toHaveLength(1)
  })

  it('who remove each other by requests do not both succeed', async () => {
    const second = await newAdmin(admin.workspaceId, SECOND)
    // From here on neither needs the database to be known.
    for (const each of [admin, second]) await each.call('/members')
    const responses = await Promise.all([
      remove(SECOND),
      second.call(`/members/${FIRST}`, undefined, 'DELETE'),
    ])
    const statuses = responses.map(({ status }) => status).sort()
    expect(statuses[0]).toBe(200)
    // Whoever comes late has been removed, or would remove the only admin.
    expect([401, 409]).toContain(statuses[1])
  })
})

/** As the operator adds one. */
async function addMemberOf(email: string, role: string): Promise<void> {
  const response = await callOperator(`/workspaces/${admin.workspaceId}/members`, { email, role })
  expect(response.status).toBe(200)
}

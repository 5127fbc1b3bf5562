import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import { callOperator, newWorkspace } from '../../support/credentials'
import { addMember } from '../../support/members'
import { bodyFrom } from '../../support/service'
import { serviceWith } from '../storage/faulty-database'
import { type Administrator, callingAs, newAdmin, newOperator } from './administrators'

const [FIRST, SECOND] = ['admin@clinic.example', 'second@clinic.example'] as const

type Request = Parameters<ReturnType<typeof callingAs>>

let admin: Awaited<ReturnType<typeof newAdmin>>

beforeEach(async () => {
  admin = await newAdmin(undefined, FIRST)
})

const add = (role: 'viewer' | 'editor' | 'admin', email: string) => addMember(admin.workspaceId, role, email)

const remove = (email: string): Request => [`/members/${email}`, undefined, 'DELETE']
const give = (role: string, email: string): Request => ['/members', { email, role }]

const members = async (administrator: Administrator = admin) =>
  (await administrator.dataOf<{ items: { email: string; role: string }[] }>('/members')).items

it('a member is added in lower case to the own workspace, and gets another role if added again', async () => {
  const other = await newAdmin(undefined, 'other@clinic.example')
  const member = await admin.dataOf('/members', { email: 'Asha@Clinic.Example', role: 'editor' })
  expect(member).toEqual({ email: 'asha@clinic.example', role: 'editor' })
  await admin.dataOf(...give('admin', 'ASHA@clinic.example'))
  expect(await members()).toMatchObject([{ email: FIRST }, { email: 'asha@clinic.example', role: 'admin' }])
  expect(await members(other)).toMatchObject([{ email: 'other@clinic.example' }])
})

it('the only admin of a workspace cannot be removed', async () => {
  await add('editor', 'editor@clinic.example')
  await add('admin', 'former@clinic.example')
  await admin.call(...remove('former@clinic.example'))
  await newAdmin(undefined, 'elsewhere@clinic.example')
  const message = 'This is the only admin of the workspace. Make another member an admin first.'
  for (const email of [FIRST, 'ADMIN@clinic.example']) {
    for (const request of [remove(email), give('editor', email), give('viewer', email)])
      expect(await bodyFrom(admin.call(...request), 409)).toEqual({ success: false, message })
  }
  expect(await members()).toContainEqual(expect.objectContaining({ email: FIRST, role: 'admin' }))
  expect((await admin.call(...give('admin', FIRST))).status).toBe(200)
})

it('an admin may get a lesser role once there is another one, and is then like any member', async () => {
  await add('admin', SECOND)
  expect((await admin.call(...give('viewer', FIRST))).status).toBe(200)
  expect((await admin.call('/members')).status).toBe(403)
  const second = await newAdmin(admin.workspaceId, SECOND)
  expect((await second.call(...remove(FIRST))).status).toBe(200)
})

it('the operator may remove the only admin, and give another role', async () => {
  const operator = await newOperator(admin.workspaceId)
  for (const request of [give('viewer', FIRST), give('admin', FIRST), remove(FIRST)]) await operator.dataOf(...request)
  expect(await operator.dataOf('/members')).toMatchObject({ items: [], total: 0 })
})

describe('two admins at the same moment', () => {
  const demote = (email: string): Request => give('viewer', email)

  /** Lets two requests of different admins write at the same moment, after both are authenticated. */
  async function together(one: Request, other: Request): Promise<number[]> {
    const second = await newAdmin(admin.workspaceId, SECOND)
    const { promise: bothHere, resolve } = Promise.withResolvers<void>()
    let here = 0
    const call = serviceWith(async ({ writes, run }) => {
      if (writes && ++here === 2) resolve()
      if (writes) await bothHere
      return run()
    })
    const responses = await Promise.all([callingAs(admin.token, call)(...one), callingAs(second.token, call)(...other)])
    expect(here).toBe(2)
    return responses.map(({ status }) => status)
  }

  it.each([
    ['remove each other', remove(SECOND), remove(FIRST), [401]],
    ['remove and make a viewer of each other', remove(SECOND), demote(FIRST), [401, 403]],
    ['leave', remove(FIRST), remove(SECOND), [409]],
  ])('who %s: one of them stays an admin, the other is rejected', async (_, one, other, refusals) => {
    const statuses = await together(one, other)
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    expect(refusals).toContain(statuses.find((status) => status !== 200))
    const live = "select count(*) as n from members where role = 'admin' and revoked_at is null"
    expect(await env.DB.prepare(live).first('n')).toBe(1)
  })
})

it('an admin sees nothing of another workspace, and cannot select one in the query or the body', async () => {
  const { workspaceId: other } = await newWorkspace()
  await callOperator(`/workspaces/${other}/partner-credentials`, { issuer: 'https://partner.test' })
  await callOperator(`/workspaces/${other}/encryption-keys`, {})
  await addMember(other, 'admin', 'root@clinic.example')
  for (const path of ['/api-keys', '/partner-credentials', '/encryption-keys'])
    expect(await admin.dataOf(path)).toMatchObject({ items: [] })
  expect((await admin.call(`/members?workspace_id=${other}`)).status).toBe(400)
  const named = { email: 'asha@clinic.example', role: 'admin', workspace_id: other, workspaceId: other }
  expect((await admin.call('/members', named)).status).toBe(200)
  expect(await members()).toMatchObject([{ email: FIRST }, { email: 'asha@clinic.example' }])
  expect(await members(await newOperator(other))).toMatchObject([{ email: 'root@clinic.example' }])
})

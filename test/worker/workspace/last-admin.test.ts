import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import { callOperator } from '../../support/credentials'
import { bodyFrom } from '../../support/service'
import { serviceWith } from '../storage/faulty-database'
import { callingAs, newAdmin, newOperator } from './administrators'

const [FIRST, SECOND] = ['admin@clinic.example', 'second@clinic.example'] as const

const ONLY_ADMIN = {
  success: false,
  message: 'This is the only admin of the workspace. Make another member an admin first.',
}

type Request = Parameters<ReturnType<typeof callingAs>>

let admin: Awaited<ReturnType<typeof newAdmin>>

beforeEach(async () => {
  admin = await newAdmin(undefined, FIRST)
})

const remove = (email = admin.email): Promise<Response> => admin.call(`/members/${email}`, undefined, 'DELETE')

const give = (role: string, email = admin.email): Promise<Response> => admin.call('/members', { email, role })

const expectOnlyAdmin = async (response: Response): Promise<void> => {
  expect(await bodyFrom(response, 409)).toEqual(ONLY_ADMIN)
  const { items } = await admin.dataOf<{ items: object[] }>('/members')
  expect(items).toContainEqual(expect.objectContaining({ email: admin.email, role: 'admin' }))
}

describe('the only admin of a workspace', () => {
  it('is neither removed nor made another member, despite editors, former admins and admins of other workspaces', async () => {
    await addMemberOf('editor@clinic.example', 'editor')
    await addMemberOf('former@clinic.example', 'admin')
    await remove('former@clinic.example')
    await newAdmin(undefined, 'elsewhere@clinic.example')
    for (const email of [FIRST, 'ADMIN@clinic.example']) {
      await expectOnlyAdmin(await remove(email))
      for (const role of ['editor', 'viewer']) await expectOnlyAdmin(await give(role, email))
    }
    expect((await give('admin')).status).toBe(200)
  })

  it('may get a lesser role once there is another admin, and is then like any member', async () => {
    await addMemberOf(SECOND, 'admin')
    expect((await give('viewer')).status).toBe(200)
    expect((await admin.call('/members')).status).toBe(403)
    const second = await newAdmin(admin.workspaceId, SECOND)
    expect((await second.call(`/members/${admin.email}`, undefined, 'DELETE')).status).toBe(200)
  })

  it('is removed by the operator, who may also give it another role', async () => {
    const operator = await newOperator(admin.workspaceId)
    await operator.dataOf('/members', { email: admin.email, role: 'viewer' })
    await operator.dataOf('/members', { email: admin.email, role: 'admin' })
    await operator.dataOf(`/members/${admin.email}`, undefined, 'DELETE')
    expect(await operator.dataOf('/members')).toMatchObject({ items: [], total: 0 })
  })
})

it('other members can be added and removed when there is only one admin, also again', async () => {
  for (const role of ['editor', 'viewer', 'admin']) expect((await give(role, 'asha@clinic.example')).status).toBe(200)
  for (let time = 0; time < 2; time++) expect((await remove('asha@clinic.example')).status).toBe(200)
  expect((await give('viewer', 'asha@clinic.example')).status).toBe(200)
  expect((await remove('nobody@clinic.example')).status).toBe(404)
})

describe('two admins at the same moment', () => {
  const remove = (email: string): Request => [`/members/${email}`, undefined, 'DELETE']
  const demote = (email: string): Request => ['/members', { email, role: 'viewer' }]

  /** Lets two requests of different admins write at the same moment, when both are past authentication. */
  async function together(one: Request, other: Request): Promise<number[]> {
    const second = await newAdmin(admin.workspaceId, SECOND)
    const { promise: bothHere, resolve } = Promise.withResolvers<void>()
    let here = 0
    const call = serviceWith(async ({ writes, run }) => {
      if (writes) {
        here += 1
        if (here === 2) resolve()
        await bothHere
      }
      return run()
    })
    const responses = await Promise.all([callingAs(admin.token, call)(...one), callingAs(second.token, call)(...other)])
    expect(here).toBe(2)
    return responses.map(({ status }) => status)
  }

  it.each([
    ['remove each other', remove(SECOND), remove(FIRST), [401]],
    ['make each other viewers', demote(SECOND), demote(FIRST), [403]],
    ['remove and make a viewer of each other', remove(SECOND), demote(FIRST), [401, 403]],
    ['leave', remove(FIRST), remove(SECOND), [409]],
    ['make themselves viewers', demote(FIRST), demote(SECOND), [409]],
    ['leave and become a viewer', remove(FIRST), demote(SECOND), [409]],
  ])('who %s: one of them stays an admin, the other is refused', async (_, one, other, refusals) => {
    const statuses = await together(one, other)
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    expect(refusals).toContain(statuses.find((status) => status !== 200))
    const { results } = await env.DB.prepare(
      "select email from members where workspace_id = ? and role = 'admin' and revoked_at is null",
    )
      .bind(admin.workspaceId)
      .all()
    expect(results).toHaveLength(1)
  })
})

/** Adds a member like the operator. */
async function addMemberOf(email: string, role: string): Promise<void> {
  expect((await callOperator(`/workspaces/${admin.workspaceId}/members`, { email, role })).status).toBe(200)
}

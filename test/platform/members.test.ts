import { describe, expect, it } from 'vitest'
import type { Member } from '../../src/workspace/schemas'
import { callOperator, createWorkspace } from '../support/credentials'
import { dataOf, expectFieldError } from './responses'

const pathOf = (workspaceId: string): string => `/workspaces/${workspaceId}/members`

const listed = async (workspaceId: string): Promise<[string, string][]> => {
  const { items } = await dataOf<{ items: Member[] }>(pathOf(workspaceId))
  return items.map(({ email, role }) => [email, role])
}

describe('POST /platform/v1/workspaces/{workspace_id}/members', () => {
  it('adds a member under the address in lower case', async () => {
    const workspaceId = await createWorkspace()
    const member = await dataOf(pathOf(workspaceId), { email: 'Asha@Clinic.Example', role: 'editor' })
    expect(member).toEqual({ email: 'asha@clinic.example', role: 'editor' })
    expect(await listed(workspaceId)).toEqual([['asha@clinic.example', 'editor']])
  })

  it('gives a member another role when it is added again, in whatever case', async () => {
    const workspaceId = await createWorkspace()
    await dataOf(pathOf(workspaceId), { email: 'asha@clinic.example', role: 'viewer' })
    await dataOf(pathOf(workspaceId), { email: 'ASHA@clinic.example', role: 'admin' })
    expect(await listed(workspaceId)).toEqual([['asha@clinic.example', 'admin']])
  })

  it('takes back a member who was revoked', async () => {
    const workspaceId = await createWorkspace()
    await dataOf(pathOf(workspaceId), { email: 'asha@clinic.example', role: 'admin' })
    await dataOf(`${pathOf(workspaceId)}/asha@clinic.example`, undefined, 'DELETE')
    await dataOf(pathOf(workspaceId), { email: 'asha@clinic.example', role: 'viewer' })
    expect(await listed(workspaceId)).toEqual([['asha@clinic.example', 'viewer']])
  })

  it.each([
    [undefined, 'is required'],
    ['', 'is required'],
    [7, 'must be a string'],
    ['asha', 'must be an email address'],
    ['@clinic.example', 'must be an email address'],
    ['a b@clinic.example', 'must be an email address'],
    ['a@b@clinic.example', 'must be an email address'],
    ['a\u0000@clinic.example', 'must be an email address'],
    [`${'a'.repeat(250)}@b.example`, 'must have at most 254 characters'],
  ])('answers 400 for the email %j', async (email, msg) => {
    const response = await callOperator(pathOf(await createWorkspace()), { email, role: 'viewer' })
    await expectFieldError(response, 'email', msg)
  })

  it.each([
    [undefined, 'is required'],
    ['owner', 'must be one of viewer, editor, admin'],
  ])('answers 400 for the role %j', async (role, msg) => {
    const response = await callOperator(pathOf(await createWorkspace()), { email: 'a@b.example', role })
    await expectFieldError(response, 'role', msg)
  })

  it('answers 404 for an unknown workspace', async () => {
    const response = await callOperator(pathOf('nowhere'), { email: 'a@b.example', role: 'viewer' })
    expect(response.status).toBe(404)
    expect((await callOperator(pathOf('nowhere'))).status).toBe(404)
  })
})

describe('DELETE /platform/v1/workspaces/{workspace_id}/members/{email}', () => {
  it('revokes a membership, and answers the same again', async () => {
    const workspaceId = await createWorkspace()
    await dataOf(pathOf(workspaceId), { email: 'asha+night@clinic.example', role: 'admin' })
    const path = `${pathOf(workspaceId)}/${encodeURIComponent('Asha+Night@clinic.example')}`
    expect(await dataOf(path, undefined, 'DELETE')).toEqual({ revoked: true })
    expect(await dataOf(path, undefined, 'DELETE')).toEqual({ revoked: true })
    expect(await listed(workspaceId)).toEqual([])
  })

  it('leaves the same person in another workspace alone', async () => {
    const [workspaceId, other] = [await createWorkspace(), await createWorkspace()]
    await dataOf(pathOf(other), { email: 'asha@clinic.example', role: 'viewer' })
    const path = `${pathOf(workspaceId)}/asha@clinic.example`
    expect((await callOperator(path, undefined, 'DELETE')).status).toBe(404)
    expect(await listed(other)).toEqual([['asha@clinic.example', 'viewer']])
  })
})

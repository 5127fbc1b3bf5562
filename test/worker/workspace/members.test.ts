import { describe, expect, it } from 'vitest'
import type { Member } from '#worker/workspace/schemas'
import { expectFieldError } from '../../support/responses'
import { ADMINISTRATORS, type Administrator } from './administrators'

const PATH = '/members'

/** The members without the administrator. */
const listed = async (administrator: Administrator): Promise<[string, string][]> => {
  const { items } = await administrator.dataOf<{ items: Member[] }>(PATH)
  return items.filter(({ email }) => email !== administrator.email).map(({ email, role }) => [email, role])
}

describe.each(ADMINISTRATORS)('%s: POST …/members', (_, open) => {
  it('adds a member under the address in lower case', async () => {
    const administrator = await open()
    const member = await administrator.dataOf(PATH, { email: 'Asha@Clinic.Example', role: 'editor' })
    expect(member).toEqual({ email: 'asha@clinic.example', role: 'editor' })
    expect(await listed(administrator)).toEqual([['asha@clinic.example', 'editor']])
  })

  it('gives a member another role when it is added again, with the address in any case', async () => {
    const administrator = await open()
    await administrator.dataOf(PATH, { email: 'asha@clinic.example', role: 'viewer' })
    await administrator.dataOf(PATH, { email: 'ASHA@clinic.example', role: 'admin' })
    expect(await listed(administrator)).toEqual([['asha@clinic.example', 'admin']])
  })

  it('adds a revoked member again', async () => {
    const administrator = await open()
    await administrator.dataOf(PATH, { email: 'asha@clinic.example', role: 'admin' })
    await administrator.dataOf(`${PATH}/asha@clinic.example`, undefined, 'DELETE')
    await administrator.dataOf(PATH, { email: 'asha@clinic.example', role: 'viewer' })
    expect(await listed(administrator)).toEqual([['asha@clinic.example', 'viewer']])
  })

  it.each([
    [undefined, 'is required'],
    ['', 'is required'],
    [7, 'must be a string'],
    ['asha', 'must be an email address, such as name@clinic.example'],
    ['@clinic.example', 'must be an email address, such as name@clinic.example'],
    ['a b@clinic.example', 'must be an email address, such as name@clinic.example'],
    ['a@b@clinic.example', 'must be an email address, such as name@clinic.example'],
    ['a\u0000@clinic.example', 'must be an email address, such as name@clinic.example'],
    [`${'a'.repeat(250)}@b.example`, 'must have at most 254 characters'],
  ])('answers 400 for the email %j', async (email, msg) => {
    const response = await (await open()).call(PATH, { email, role: 'viewer' })
    await expectFieldError(response, 'email', msg)
  })

  it.each([
    [undefined, 'is required'],
    ['owner', 'must be one of viewer, editor, admin'],
  ])('answers 400 for the role %j', async (role, msg) => {
    const response = await (await open()).call(PATH, { email: 'a@b.example', role })
    await expectFieldError(response, 'role', msg)
  })
})

describe.each(ADMINISTRATORS)('%s: DELETE …/members/{email}', (_, open) => {
  it('revokes a membership, and gives the same answer again', async () => {
    const administrator = await open()
    await administrator.dataOf(PATH, { email: 'asha+night@clinic.example', role: 'admin' })
    const path = `${PATH}/${encodeURIComponent('Asha+Night@clinic.example')}`
    expect(await administrator.dataOf(path, undefined, 'DELETE')).toEqual({ revoked: true })
    expect(await administrator.dataOf(path, undefined, 'DELETE')).toEqual({ revoked: true })
    expect(await listed(administrator)).toEqual([])
  })
})

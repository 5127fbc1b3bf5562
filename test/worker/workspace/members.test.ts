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

  it('answers 400 for a role that there is not', async () => {
    const response = await (await open()).call(PATH, { email: 'a@b.example', role: 'owner' })
    await expectFieldError(response, 'role', 'must be one of viewer, editor, admin')
  })
})

it.each(ADMINISTRATORS)('%s: revokes a membership, and gives the same answer again', async (_, open) => {
  const administrator = await open()
  await administrator.dataOf(PATH, { email: 'asha+night@clinic.example', role: 'admin' })
  const path = `${PATH}/${encodeURIComponent('Asha+Night@clinic.example')}`
  expect(await administrator.dataOf(path, undefined, 'DELETE')).toEqual({ revoked: true })
  expect(await administrator.dataOf(path, undefined, 'DELETE')).toEqual({ revoked: true })
  expect(await listed(administrator)).toEqual([])
})

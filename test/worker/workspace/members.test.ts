import { expect, it } from 'vitest'
import type { Member } from '#worker/workspace/members'
import { type Administrator, newAdmin } from './administrators'

const PATH = '/members'

/** The members without the administrator. */
const listed = async (administrator: Administrator): Promise<[string, string][]> => {
  const { items } = await administrator.dataOf<{ items: Member[] }>(PATH)
  return items.filter(({ email }) => email !== administrator.email).map(({ email, role }) => [email, role])
}

it('a member is added in lower case to the own workspace, and added again gets another role', async () => {
  const administrator = await newAdmin()
  const other = await newAdmin(undefined, 'other@clinic.example')
  const member = await administrator.dataOf(PATH, { email: 'Asha@Clinic.Example', role: 'editor' })
  expect(member).toEqual({ email: 'asha@clinic.example', role: 'editor' })
  await administrator.dataOf(PATH, { email: 'ASHA@clinic.example', role: 'admin' })
  expect(await listed(administrator)).toEqual([['asha@clinic.example', 'admin']])
  expect(await listed(other)).toEqual([])
})

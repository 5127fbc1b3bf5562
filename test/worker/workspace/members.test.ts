import { describe, expect, it } from 'vitest'
import type { Member } from '#worker/workspace/members'
import { type Administrator, newAdmin } from './administrators'

const PATH = '/members'

/** The members without the administrator. */
const listed = async (administrator: Administrator): Promise<[string, string][]> => {
  const { items } = await administrator.dataOf<{ items: Member[] }>(PATH)
  return items.filter(({ email }) => email !== administrator.email).map(({ email, role }) => [email, role])
}

describe('POST …/members', () => {
  it('adds a member under the address in lower case, to the own workspace', async () => {
    const administrator = await newAdmin()
    const other = await newAdmin(undefined, 'other@clinic.example')
    const member = await administrator.dataOf(PATH, { email: 'Asha@Clinic.Example', role: 'editor' })
    expect(member).toEqual({ email: 'asha@clinic.example', role: 'editor' })
    expect(await listed(administrator)).toEqual([['asha@clinic.example', 'editor']])
    expect(await listed(other)).toEqual([])
  })

  it('gives a member another role when it is added again, with the address in any case', async () => {
    const administrator = await newAdmin()
    await administrator.dataOf(PATH, { email: 'asha@clinic.example', role: 'viewer' })
    await administrator.dataOf(PATH, { email: 'ASHA@clinic.example', role: 'admin' })
    expect(await listed(administrator)).toEqual([['asha@clinic.example', 'admin']])
  })
})

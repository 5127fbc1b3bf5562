import { beforeEach, describe, expect, it } from 'vitest'
import { dcs, put, said, statusOf, warned, withWorkspace } from './workspace.mjs'

withWorkspace({ isEmpty: true })

const file = (name, ...rows) => put(name, `medication_id,name\n${rows.join('\n')}\n`)
const push = (name, ...more) => dcs(['push', 'medication', name, ...more])
const activeRecords = async () => (await statusOf('medication')).active_records

describe('an upload that contains inactive records', () => {
  it('asks whether they become active, unless the file or the mode states it', async () => {
    await put('state.csv', 'medication_id,name,is_active\nA1,Aspirin,yes\nB1,Banned drug,no\n')
    expect(await push('state.csv')).toMatchObject({ code: 0 })
    const active = await activeRecords()
    await file('both.csv', 'A1,Aspirin', 'B1,Banned drug')
    const asked = await push('both.csv')
    expect(asked).toMatchObject(
      warned(3, /1 inactive record would become active.*--inactive keep.*--inactive activate/),
    )
    expect(asked.stderr).toMatch(/row 3: .*B/)
    expect(await activeRecords()).toBe(active)
    expect(await push('both.csv', '--inactive', 'keep')).toMatchObject(said(0, '2 unchanged'))
    expect(await activeRecords()).toBe(active)
    expect(await push('state.csv')).toMatchObject({ code: 0 })
    expect(await push('both.csv', '--inactive', 'activate')).toMatchObject(said(0, '1 reactivated'))
    await push('state.csv')
    expect(await push('both.csv', '--reconcile')).toMatchObject(said(0, '1 reactivated'))
    expect(await push('both.csv', '--reconcile', '--inactive', 'keep')).toMatchObject(warned(2, 'without --reconcile'))
  })
})

describe('a file without a column for a field', () => {
  beforeEach(async () => {
    await put('strong.csv', 'medication_id,name,strength\nS1,Strong,5 mg\n')
    await push('strong.csv', '--inactive', 'activate')
  })

  it('keeps the values of that field, and is not blocked', async () => {
    expect(await push(await file('bare.csv', 'S1,Strong'))).toMatchObject(said(0, '1 unchanged'))
    expect((await dcs(['pull', 'medication'])).stdout).toContain('S1,Strong,Strong,,5 mg')
  })

  it('is blocked if the column exists and its cells are empty', async () => {
    await put('empty.csv', 'medication_id,name,strength\nS1,Strong,\n')
    expect(await push('empty.csv')).toMatchObject(said(4, '--allow-emptied strength'))
  })
})

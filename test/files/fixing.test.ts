import { describe, expect, it } from 'vitest'
import { applyPattern, type Pattern } from '#files/fix/patterns'
import { opened, sentBy } from './files'

const TEXT = ['id,name,otc,strength', '1,A,perhaps,5', '2,,yes,5', '3,C,perhaps,5', '4,D,maybe,5', ''].join('\n')

describe('the rows of a file with errors', () => {
  it('are grouped by field and code, with the affected values', async () => {
    const work = await opened(TEXT)
    const { errorCount, rowCount, groups } = work.check()
    expect([errorCount, rowCount]).toEqual([4, 4])
    expect(groups.map((group) => [group.field, group.code, group.errorCount])).toEqual([
      ['otc', 'wrong_type', 3],
      ['name', 'required', 1],
    ])
    expect([...work.failing({ group: groups[1]!.key })]).toEqual([2])
    expect([...work.failing({ text: 'MAY' })]).toEqual([4])
    expect(groups[0]!.values).toMatchObject([
      { value: 'perhaps', rowCount: 2, firstRow: 2 },
      { value: 'maybe', rowCount: 1, firstRow: 5 },
    ])
  })

  it('can all be set to one value, or only those with a certain value', async () => {
    const work = await opened(TEXT)
    const group = work.check().groups[0]!.key
    expect(work.setAll({ group, value: 'perhaps' }, 'otc', 'no')).toMatchObject({ errorCount: 2 })
    expect(work.setAll({ group }, 'otc', '').groups.map(({ field }) => field)).toEqual(['name'])
    work.edit([{ index: 2, column: 1, text: 'B' }])
    expect(await sentBy(work)).toEqual(['id,name,otc,strength\r\n1,A,no,5\r\n2,B,yes,5\r\n3,C,no,5\r\n4,D,,5\r\n'])
  })

  it('get their old values back if changes are undone, the last one first', async () => {
    const work = await opened(TEXT)
    const before = work.check()
    work.setAll({ group: before.groups[0]!.key }, 'otc', 'no')
    work.edit([{ index: 1, column: 2, text: 'yes' }])
    expect(work.leaveOut({}).changes).toEqual({ count: 3, leftOut: 1 })
    work.undo()
    work.undo()
    expect(work.rows([1])[0]!.cells[2]).toBe('no')
    expect(work.undo()).toEqual(before)
    expect(await sentBy(work)).toEqual([TEXT])
  })

  it('are sent blank if they are excluded, so that the others keep their numbers', async () => {
    const work = await opened(TEXT)
    work.check()
    expect(work.leaveOut({})).toEqual({ errorCount: 0, rowCount: 0, groups: [], changes: { count: 1, leftOut: 4 } })
    work.edit([{ index: 2, column: 3, text: '6' }])
    const onlyValid = await opened('id,name\n1,\n2,B\n')
    onlyValid.check()
    onlyValid.leaveOut({})
    expect(await sentBy(onlyValid)).toEqual(['id,name\r\n\r\n2,B\r\n'])
    const { name, content } = await work.errorsFile({ onlyFailing: true })
    expect(name).toBe('a-rows-to-fix.csv')
    const ids = (await content.text()).split('\r\n').map((line) => line.split(',')[0])
    expect(ids).toEqual(['id', '1', '2', '3', '4', ''])
  })

  it('are checked for duplicate IDs whenever a cell changes', async () => {
    const work = await opened('id,name\n1,A\n2,B\n')
    expect(work.check().errorCount).toBe(0)
    expect(work.edit([{ index: 2, column: 0, text: '1' }]).groups).toMatchObject([{ code: 'duplicate_id' }])
    expect(work.rows([2])).toMatchObject([
      {
        row: 3,
        isEdited: true,
        errors: new Map([[0, expect.stringMatching(/^is a duplicate of the record in row 2\b/)]]),
      },
    ])
    expect(work.edit([{ index: 2, column: 0, text: '3' }]).errorCount).toBe(0)
  })

  it('can get a column that the file does not have', async () => {
    const work = await opened('lab_test_id,name,kind,unit\n1,A,imaging,\n,,,\n2,B,panel,g\n', 'lab_test')
    const [missing] = work.check().groups
    expect(missing).toMatchObject({ ofFile: true, field: 'result_type', code: 'required' })
    const { groups } = work.setAll({ group: missing!.key }, 'result_type', 'na')
    expect(groups).toMatchObject([{ field: 'panel_members', code: 'conditional', errorCount: 1 }])
    expect(work.setAll({ group: groups[0]!.key }, 'panel_members', 'X|Y').errorCount).toBe(0)
    expect(await sentBy(work)).toEqual([
      'lab_test_id,name,kind,unit,result_type,panel_members\r\n1,A,imaging,,na,\r\n\r\n2,B,panel,g,na,X|Y\r\n',
    ])
  })

  it('keep their changes if a column is assigned to another field', async () => {
    const work = await opened('id,name,Colour\n1,,red\n')
    work.check()
    work.edit([{ index: 1, column: 1, text: 'A' }])
    work.read('medication', { mapping: new Map([[2, { field: 'custom_type' }]]) })
    expect(work.check().errorCount).toBe(0)
    expect(await sentBy(work)).toEqual(['id,name,custom_type\r\n1,A,red\r\n'])
  })

  it('may come from the service', async () => {
    const work = await opened('id,name\n1,A\n2,B\n')
    const refused = { index: 1, field: 'name', code: 'too_long', msg: 'is too long', value: 'B' } as const
    expect(work.takeErrors([refused], 1).groups[0]!.values).toEqual([{ value: 'B', rowCount: 1, firstRow: 3 }])
  })
})

it('a cell with text after its quotes is an error until it is rewritten', async () => {
  const work = await opened('id,name,strength\n1,A,"5" mg\n2,B,5\n')
  expect(work.check().groups).toMatchObject([{ field: 'strength', errorCount: 1 }])
  expect(work.edit([{ index: 1, column: 1, text: 'C' }]).errorCount).toBe(1)
  expect(work.edit([{ index: 1, column: 2, text: '5 mg' }]).errorCount).toBe(0)
  expect(await sentBy(work)).toEqual(['id,name,strength\r\n1,C,5 mg\r\n2,B,5\r\n'])
})

it('changes that were not checked yet are sent, and are counted', async () => {
  const work = await opened('id,name\n1,\n2,B\n')
  expect(await sentBy(work, [{ index: 1, column: 1, text: 'A' }])).toEqual(['id,name\r\n1,A\r\n2,B\r\n'])
  expect(work.check()).toMatchObject({ errorCount: 0, changes: { count: 1 } })
})

it('values that are too long are kept in the name, with a preview of the result', async () => {
  const long = 'each tablet contains ibuprofen bp 200 mg and more'
  const work = await opened(`id,name,strength\n1,Brufen,${long}\n2,Nurofen,5 mg\n`)
  const choice = { group: work.check().groups[0]!.key }
  const after = `Brufen, ${long}`
  const examples = [{ before: 'Brufen', after, isValid: true }]
  expect(work.effectOfMoving(choice, 'strength')).toEqual({ rows: 1, valid: 1, examples })
  expect(work.moveToName(choice, 'strength')).toMatchObject({ errorCount: 0, changes: { count: 1 } })
  expect(await sentBy(work)).toEqual([`id,name,strength\r\n1,"${after}",\r\n2,Nurofen,5 mg\r\n`])
  expect(work.undo()).toMatchObject({ errorCount: 1 })
})

it.each<[Pattern, string, string]>([
  [{ is: 'trim' }, ' Aspirin\u200b\u00a0 100\tmg ', 'Aspirin 100 mg'],
  [{ is: 'replace', from: 'mg.', to: '$& mg' }, '5 mg. / 6 mg.', '5 $& mg / 6 $& mg'],
  [{ is: 'shorten', to: 16 }, 'each tablet contains 5 mg', 'each tablet…'],
])('a pattern %j turns %j into %j', (pattern, before, after) => {
  expect(applyPattern(pattern, before)).toBe(after)
})

it('rows show a preview of a pattern, and are changed by it in one step', async () => {
  const long = `${'x'.repeat(30)} 5 mg`
  const work = await opened(`id,name,strength\n1,A,${long}\n2,B,${long}\n3,C,${'x'.repeat(30)} ${'z'.repeat(40)}\n`)
  const group = work.check().groups[0]!.key
  const pattern: Pattern = { is: 'replace', from: `${'x'.repeat(30)} `, to: '' }
  const examples = [
    { before: long, after: '5 mg', isValid: true },
    { before: expect.any(String), after: 'z'.repeat(40), isValid: false },
  ]
  expect(work.effectOf({ group }, 'strength', pattern)).toEqual({ rows: 3, valid: 2, examples })
  expect(work.change({ group }, 'strength', pattern)).toMatchObject({ errorCount: 1, changes: { count: 1 } })
  expect((await sentBy(work))[0]).toContain('\r\n1,A,5 mg\r\n2,B,5 mg\r\n')
  expect(work.undo()).toMatchObject({ errorCount: 3 })
})

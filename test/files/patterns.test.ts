import { describe, expect, it } from 'vitest'
import { applyPattern, type Pattern } from '#files/fix/patterns'
import { opened, sentBy } from './files'

it.each<[Pattern, string, string]>([
  [{ is: 'trim' }, ' Aspirin\u200b\u00a0 100\tmg ', 'Aspirin 100 mg'],
  [{ is: 'replace', from: 'mg.', to: '$& mg' }, '5 mg. / 6 mg.', '5 $& mg / 6 $& mg'],
  [{ is: 'replace', from: '', to: 'x' }, 'a', 'a'],
  [{ is: 'split', at: ' - ', keep: 'before' }, 'Aspirin - 100 mg', 'Aspirin'],
  [{ is: 'split', at: ' - ', keep: 'after' }, 'Aspirin - 100 mg', '100 mg'],
  [{ is: 'split', at: '|', keep: 'after' }, 'Aspirin', 'Aspirin'],
])('a pattern %j makes of %j %j', (pattern, before, after) => {
  expect(applyPattern(pattern, before)).toBe(after)
})

describe('the rows of a file with errors', () => {
  const long = `${'x'.repeat(30)}; 5 mg`
  const TEXT = `id,name,strength\n1,A,${long}\n2,B,${long}\n3,C,${'y'.repeat(40)};${'z'.repeat(40)}\n4,D,5 mg\n`

  it('show what a pattern would do to them, and are changed by it in one step', async () => {
    const work = await opened(TEXT)
    const group = work.check().groups[0]!.key
    const pattern: Pattern = { is: 'split', at: ';', keep: 'after' }
    expect(work.effectOf({ group }, 'strength', pattern)).toEqual({
      rows: 3,
      valid: 2,
      examples: [
        { before: long, after: '5 mg', isValid: true },
        { before: expect.any(String), after: 'z'.repeat(40), isValid: false },
      ],
    })
    expect(work.change({ group }, 'strength', pattern)).toMatchObject({ errorCount: 1, changes: { count: 1 } })
    expect((await sentBy(work))[0]).toContain('\r\n1,A,5 mg\r\n2,B,5 mg\r\n')
    expect(work.undo()).toMatchObject({ errorCount: 3 })
  })
})

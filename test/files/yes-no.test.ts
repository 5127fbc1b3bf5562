import { describe, expect, it } from 'vitest'
import { yesAndNoIn } from '#files/columns/yes-no'
import { opened, sentBy } from './files'

describe('words for yes and no', () => {
  it.each([
    [['Ja', 'Nein', 'JA'], { yes: ['Ja', 'JA'], no: ['Nein'] }],
    [['oui', 'non'], { yes: ['oui'], no: ['non'] }],
    [['✓', '✗'], { yes: ['✓'], no: ['✗'] }],
    [['Sí', 'perhaps'], { yes: ['Sí'], no: [] }],
    [['perhaps', 'x'], undefined],
  ])('are known in pairs, %j', (texts, found) => {
    expect(yesAndNoIn(texts)).toEqual(found)
  })

  it('are set together, in any case', async () => {
    const work = await opened('id,name,otc\n1,A,Ja\n2,B,NEIN\n3,C,ja\n4,D,vielleicht\n')
    const [group] = work.check().groups
    const { yes, no } = yesAndNoIn(group!.values.map(({ value }) => value))!
    const texts = new Map([...yes.map((word) => [word, 'yes'] as const), ...no.map((word) => [word, 'no'] as const)])
    expect(work.setEach(group!.key, 'otc', texts)).toMatchObject({ errorCount: 1, changes: { count: 1 } })
    expect(await sentBy(work)).toEqual(['id,name,otc\r\n1,A,yes\r\n2,B,no\r\n3,C,yes\r\n4,D,vielleicht\r\n'])
  })
})

import { describe, expect, it } from 'vitest'
import { readCsvFile } from '#files/text/csv-file'
import { recordTypes } from '#shared/records/record-types'
import { LATER_LISTS } from './later-lists'
import { MEASURED_LISTS } from './measured-lists'
import { FIRST_LISTS, type PublicList } from './public-lists'

/** The fields of a list's columns, as read or suggested. */
function proposed({ type, header, row }: PublicList): string[] {
  const text = `${header}\n${row}\n`.replaceAll('|', '\t')
  const { fileColumns } = readCsvFile(new TextEncoder().encode(text), recordTypes[type])
  return fileColumns.map(({ field }) => field?.name ?? '-')
}

/** The suggestions for columns that mean a field, and for columns that mean none. */
function measured(lists: readonly PublicList[]) {
  const columns = lists.flatMap((list) => {
    const [found, headers] = [proposed(list), list.header.split('|')]
    return list.fields.split('|').map((fields, at) => {
      const [expected, field = '-'] = [fields.split('/'), found[at]]
      const isRight = expected.includes(field)
      const text = `${list.name}: ${headers[at]} is ${field}, not ${fields}`
      return { text, isRight, isMeant: !expected.includes('-'), isWrong: !isRight && field !== '-' }
    })
  })
  const meant = columns.filter(({ isMeant }) => isMeant)
  const textsOf = (ones: typeof columns) => ones.map(({ text }) => text)
  return {
    meant: meant.length,
    missed: textsOf(meant.filter(({ isRight, isWrong }) => !isRight && !isWrong)),
    wrong: textsOf(columns.filter(({ isWrong }) => isWrong)),
  }
}

describe('the headers of public lists', () => {
  it.each([
    ['with which the words were collected', FIRST_LISTS],
    ['with which the rules were made', LATER_LISTS],
    ['with which nothing was made', MEASURED_LISTS],
  ])('never cause a wrong suggestion, and a right one in nine of ten cases, in lists %s', (_, lists) => {
    const { meant, missed, wrong } = measured(lists)
    expect(meant).toBeGreaterThan(60)
    expect(wrong).toEqual([])
    expect(missed.length, missed.join('\n')).toBeLessThanOrEqual(meant / 10)
  })

  it.each([
    ['void', 'medication'],
    ['Retired?', 'lab_test'],
    ['Discontinued', 'diagnosis'],
  ] as const)('cause a reversed suggestion if they say that something has ended: %s', (header, type) => {
    const text = `id,name,${header}\n1,A,TRUE\n`
    const { fileColumns } = readCsvFile(new TextEncoder().encode(text), recordTypes[type])
    expect(fileColumns[2]).toMatchObject({ field: { name: 'is_active' }, reversed: true, by: 'guess' })
  })

  it('are as short as headers are, so a long text above the rows costs no time', () => {
    const long = 'form'.repeat(20_000)
    const { fileColumns } = readCsvFile(new TextEncoder().encode(`id,name,${long}\n1,A,B\n`), recordTypes.medication)
    expect(fileColumns[2]?.field).toBeUndefined()
  })
})

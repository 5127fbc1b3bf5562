import { describe, expect, it } from 'vitest'
import { catalogOfEachTest, newCatalog, type TestCatalog } from '../../../support/catalog'

const catalog = catalogOfEachTest()

/** All records have one name, unless a test gives them others. */
const record: TestCatalog['record'] = (id, fields) => catalog.record(id, { name: 'Name', ...fields })

async function similar(records: unknown, query = {}) {
  const { warnings } = await catalog.write(records, { dry_run: true, ...query })
  const found = warnings.find(({ code }) => code === 'similar_id')
  return { count: found?.count ?? 0, examples: found?.examples ?? [], msg: found?.msg }
}

/** The examples of a dry run, each as a list. */
const examples = async (records: unknown, query = {}) =>
  (await similar(records, query)).examples.map(({ index, value, similar_to }) => [index, value, similar_to])

describe('an id of a dry run resembles', () => {
  it('an id of the catalog, active or not', async () => {
    await catalog.write([record('00123'), record('AB-7', { is_active: false })])
    expect(await examples([record('new'), record('123'), record('ab7')])).toEqual([
      [1, '123', '00123'],
      [2, 'ab7', 'AB-7'],
    ])
  })

  it('an id that a reconcile leaves out', async () => {
    await catalog.write([record('001'), record('002'), record('003')])
    expect(await examples([record('1'), record('2'), record('3')], { mode: 'reconcile' })).toEqual([
      [0, '1', '001'],
      [1, '2', '002'],
      [2, '3', '003'],
    ])
  })

  it('an earlier new id of the request', async () => {
    expect(await examples([record('A-1'), record('b'), record('a1')])).toEqual([[2, 'a1', 'A-1']])
  })

  it('a stored id that comes later in the request', async () => {
    await catalog.write([record('007')])
    expect(await examples([record('7'), record('007')])).toEqual([[0, '7', '007']])
  })

  it('no other one if the catalog has it already', async () => {
    await catalog.write([record('007'), record('7')])
    expect(await examples([record('007'), record('7')])).toEqual([])
    expect(await examples([record('7', { sku: '1' }), record('8')])).toEqual([])
  })

  it('none of another type or workspace', async () => {
    const other = await newCatalog()
    await other.write([other.record('007', { name: 'Name' })])
    expect(await examples([record('7')])).toEqual([])
  })

  it('another one of the same file, told by its row', async () => {
    const { warnings } = await catalog.upload('id,name\n\nA-1,Name\na1,Name\n', { dry_run: true })
    expect(warnings).toMatchObject([{ code: 'similar_id', examples: [{ index: 3, similar_to: 'A-1' }] }])
  })
})

it('a write does not look for similar ids', async () => {
  await catalog.write([record('AB-7')])
  expect((await catalog.write([record('ab7')])).warnings).toEqual([])
})

const areAlike = async (a: string, b: string): Promise<boolean> => (await similar([record(a), record(b)])).count === 1

const ALIKE = [
  ['00123', '123', 'zeros in front'],
  ['A-001', 'A-1', 'zeros in front of a number within'],
  ['000', '0', 'nothing but zeros'],
  ['ab1', 'AB1', 'case'],
  ['Ä1', 'ä1', 'case of other letters'],
  ['A 1', 'A1', 'white space'],
  ['A\u00a01', 'A 1', 'other white space'],
  ['A1\u200b', 'A1', 'a character that cannot be seen'],
  ['\ufeffA1', 'A1', 'a byte order mark'],
  ['A\ufe0f1', 'A1', 'a mark of a variant'],
  ['A-1', 'A_1', 'a separator'],
  ['A–1', 'A-1', 'a dash'],
  ['A\u22121', 'A-1', 'a minus sign'],
  ['1.5/2', '1-5_2', 'separators between digits'],
  ['12-05', '1205', 'a separator that is missing'],
  ['12-05', '12-5', 'a zero behind a separator'],
  ['0002-1433-80', '2143380', 'separators and zeros that a spreadsheet program drops'],
  ['MED-001', 'med 1', 'all at once'],
] as const

it('ids are alike that differ by case, white space, separators, zeros or characters that cannot be seen', async () => {
  for (const [a, b, by] of ALIKE) expect(await areAlike(a, b), `${a} and ${b}: ${by}`).toBe(true)
})

const DIFFERENT = [
  ['10', '1'],
  ['101', '11'],
  ['12-5', '1205'],
  ['B01.02', 'B12'],
  ['A0', 'A'],
  ['N021532-810', 'N215328-010'],
  ['A:1', 'A1'],
  ['A1', 'B1'],
] as const

it('ids are not alike that differ by a digit or a letter', async () => {
  for (const [a, b] of DIFFERENT) expect(await areAlike(a, b), `${a} and ${b}`).toBe(false)
})

describe('ids that differ by nothing but zeros', () => {
  it('are alike if the names are the same without case and diacritics', async () => {
    await catalog.write([record('DOID:0050001', { name: 'Café' }), record('DOID:0050002', { name: 'Other' })])
    const sent = [record('DOID:50001', { name: 'CAFE' }), record('DOID:50002', { name: 'Another' })]
    expect(await examples(sent)).toEqual([[0, 'DOID:50001', 'DOID:0050001']])
  })

  it('are alike within a request if the names are the same', async () => {
    const sent = [record('0500'), record('500', { name: 'Another' }), record('00500')]
    expect(await examples(sent)).toEqual([[2, '00500', '0500']])
  })

  it('are told from those that differ by more, whatever the names are', async () => {
    const sent = [record('A-01', { name: 'One' }), record('A-1', { name: 'Two' }), record('a1', { name: 'Three' })]
    expect(await examples(sent)).toEqual([[2, 'a1', 'A-01']])
  })
})

it('all similar ids are counted, and the first ten are shown, or as many as the caller wants', async () => {
  await catalog.write(Array.from({ length: 30 }, (_, n) => record(`A-${100 + n}`)))
  const sent = Array.from({ length: 30 }, (_, n) => record(`a${100 + n}`))
  expect(await similar(sent)).toMatchObject({ count: 30, examples: { length: 10 } })
  expect(await similar(sent, { examples: 20 })).toMatchObject({ count: 30, examples: { length: 20 } })
  await catalog.refused(400, catalog.post(sent, { examples: 1001 }))
})

/** Ids of nine letters that all resemble each other: hyphens stand between some of the letters. */
const alikeIds = (count: number): string[] =>
  Array.from({ length: count }, (_, n) => {
    const letters = [...'abcdefghijklmn']
    return letters.map((letter, at) => ((n >> at) & 1 ? `${letter}-` : letter)).join('')
  })

it('thousands of ids that all resemble each other take no longer than others', async () => {
  const ids = alikeIds(8000)
  const started = Date.now()
  expect(await similar(ids.map((id) => record(id)))).toMatchObject({ count: 7999, examples: { length: 10 } })
  // It took twenty seconds when each was compared with every other one.
  expect(Date.now() - started).toBeLessThan(5000)
})

it('ids of a catalog are found that have rare characters, beyond the first page that is read', async () => {
  const stored = Array.from({ length: 6000 }, (_, n) => record(`X\u2011${n}\u00ad/y`))
  await catalog.write(stored)
  expect(await examples([record('x5999y'), record('z')])).toEqual([[0, 'x5999y', 'X\u20115999\u00ad/y']])
})

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

describe('a dry run reports a similar ID', () => {
  it('in the catalog, unless the catalog also contains the sent one', async () => {
    await catalog.write([record('00123'), record('AB-7', { is_active: false }), record('007')])
    expect(await examples([record('new'), record('123'), record('ab7')])).toEqual([
      [1, '123', '00123'],
      [2, 'ab7', 'AB-7'],
    ])
    expect(await examples([record('123'), record('7')], { mode: 'reconcile' })).toEqual([
      [0, '123', '00123'],
      [1, '7', '007'],
    ])
    expect(await examples([record('7'), record('007')])).toEqual([[0, '7', '007']])
    expect((await catalog.write([record('7')])).warnings).toEqual([])
    expect(await examples([record('007'), record('7', { sku: '1' }), record('8')])).toEqual([])
  })

  it('without the leading apostrophe with which a spreadsheet stores it as text', async () => {
    await catalog.write([record('0017')])
    expect(await examples([record("'0017"), record("O'17")])).toEqual([[0, "'0017", '0017']])
  })

  it('earlier in the request or file, and none of another workspace', async () => {
    const other = await newCatalog()
    await other.write([other.record('007', { name: 'Name' })])
    expect(await examples([record('A-1'), record('7'), record('a1')])).toEqual([[2, 'a1', 'A-1']])
    const { warnings } = await catalog.upload('id,name,sku,strength\n\nA-1,Name,,1\na1,Name,,2\n', { dry_run: true })
    expect(warnings).toMatchObject([{ code: 'similar_id', examples: [{ index: 3, similar_to: 'A-1' }] }])
  })
})

const areAlike = async (a: string, b: string): Promise<boolean> => (await similar([record(a), record(b)])).count === 1

it('IDs are similar if people would confuse them', async () => {
  for (const [a, b] of [
    ['00123', '123'],
    ['A-001', 'A-1'],
    ['\ufeffA1\u200b', 'A\ufe0f1'],
    ['A\u22121', 'A-1'],
    ['1001', '1001.0'],
    ['É1', 'E\u03011'],
    ['1001', '１００１'],
    ['12-05', '12-5'],
    ['0002-1433-80', '2143380'],
  ] as const) {
    expect(await areAlike(a, b), `${a} and ${b}`).toBe(true)
  }
  for (const [a, b] of [
    ['10', '1'],
    ['12-5', '1205'],
    ['N021532-810', 'N215328-010'],
    ['A:1', 'A1'],
  ] as const) {
    expect(await areAlike(a, b), `${a} and ${b}`).toBe(false)
  }
})

it('IDs that differ only by zeros are similar only if their names match without case and diacritics', async () => {
  await catalog.write([record('DOID:0050001', { name: 'Café' }), record('DOID:0050002', { name: 'Other' })])
  const sent = [record('DOID:50001', { name: 'CAFE' }), record('DOID:50002', { name: 'Another' })]
  expect(await examples(sent)).toEqual([[0, 'DOID:50001', 'DOID:0050001']])
  const inRequest = [record('0500'), record('500', { name: 'Another' }), record('00500')]
  expect(await examples(inRequest)).toEqual([[2, '00500', '0500']])
  const byMore = [record('A-01', { name: 'One' }), record('A-1', { name: 'Two' }), record('a1', { name: 'Three' })]
  expect(await examples(byMore)).toEqual([[2, 'a1', 'A-01']])
})

/** Similar IDs of nine letters, with hyphens between some of the letters. */
const alikeIds = (count: number): string[] =>
  Array.from({ length: count }, (_, n) => {
    const letters = [...'abcdefghijklmn']
    return letters.map((letter, at) => ((n >> at) & 1 ? `${letter}-` : letter)).join('')
  })

it('thousands of similar IDs take no longer than others', async () => {
  const sent = alikeIds(4000).map((id) => record(id))
  const started = Date.now()
  expect(await similar(sent, { examples: 20 })).toMatchObject({ count: 3999, examples: { length: 20 } })
  // It took many seconds when each was compared with every other one.
  expect(Date.now() - started).toBeLessThan(3000)
})

it('IDs of a catalog with rare characters are found, beyond the first page that is read', async () => {
  const stored = Array.from({ length: 6000 }, (_, n) => record(`X\u2011${n}\u00ad/y`))
  await catalog.write(stored)
  expect(await examples([record('x5999y'), record('z')])).toEqual([[0, 'x5999y', 'X\u20115999\u00ad/y']])
})

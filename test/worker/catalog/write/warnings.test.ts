import { beforeEach, describe, expect, it } from 'vitest'
import { IGNORED_IN_IDS } from '#shared/records/id-likeness'
import { newCatalog, type TestCatalog, type WriteResult } from '../../../support/catalog'

let catalog: TestCatalog

beforeEach(async () => {
  catalog = await newCatalog()
})

const record: TestCatalog['record'] = (id, fields) => catalog.record(id, fields)
const coded = ({ warnings }: WriteResult) => warnings.filter(({ code }) => code !== undefined)

/** The warnings with a code of a dry run and of the same write, which must be the same. */
async function warned(records: unknown, query = {}) {
  const [plain, diff] = [
    await catalog.write(records, { dry_run: true, ...query }),
    await catalog.write(records, { dry_run: true, include: 'diff', ...query }),
  ]
  const written = await catalog.write(records, query)
  expect(coded(plain)).toEqual(coded(written))
  expect(coded(diff)).toEqual(coded(written))
  return coded(written)
}

describe('similar ids', () => {
  const similar = async (records: unknown, query = {}) => {
    const warnings = await warned(records, query)
    return warnings.map(({ field, code, count, examples }) => ({ field, code, count, examples }))
  }
  const warning = (...examples: [index: number, value: string, similar_to: string][]) => [
    {
      field: 'medication_id',
      code: 'similar_id',
      count: examples.length,
      examples: examples.map(([index, value, similar_to]) => ({ index, value, similar_to })),
    },
  ]

  it('are those of a request that resemble an id of the catalog, active or not', async () => {
    await catalog.write([record('00123'), record('AB-7', { is_active: false })])
    expect(await similar([record('new'), record('123'), record('ab7')])).toEqual(
      warning([1, '123', '00123'], [2, 'ab7', 'AB-7']),
    )
  })

  it('are also those of a reconcile that sends other ids for all records', async () => {
    await catalog.write([record('001'), record('002'), record('003')])
    expect(
      await similar([record('1'), record('2'), record('3')], { mode: 'reconcile', confirm_shrink: true }),
    ).toEqual(warning([0, '1', '001'], [1, '2', '002'], [2, '3', '003']))
  })

  it('are also those that resemble an earlier id of the request', async () => {
    expect(await similar([record('A-1'), record('b'), record('a1')])).toEqual(warning([2, 'a1', 'A-1']))
  })

  it('are new ids that resemble one which is stored and comes later in the request', async () => {
    await catalog.write([record('007')])
    expect(await similar([record('7'), record('007')])).toEqual(warning([0, '7', '007']))
  })

  it('are not those that the catalog has already', async () => {
    await catalog.write([record('007'), record('7')])
    expect(await similar([record('007'), record('7')])).toEqual([])
    expect(await similar([record('7', { sku: '1' }), record('8')])).toEqual([])
  })

  it('are not those of another type or workspace', async () => {
    const other = await newCatalog()
    await other.write([other.record('007')])
    expect(await similar([record('7')])).toEqual([])
  })

  it('are counted, and the first ten are shown', async () => {
    await catalog.write(Array.from({ length: 30 }, (_, n) => record(`A-${100 + n}`)))
    const [found] = await similar(Array.from({ length: 30 }, (_, n) => record(`a${100 + n}`)))
    expect(found).toMatchObject({ count: 30, examples: { length: 10 } })
  })

  it('are found in a catalog of thousands with few look-ups', async () => {
    await catalog.write(Array.from({ length: 3000 }, (_, n) => record(`A${100_000 + n}-001`)))
    expect(await similar([record('a100010\u20111'), record('a 100 011/001'), record('B100012-001')])).toEqual(
      warning([0, 'a100010\u20111', 'A100010-001'], [1, 'a 100 011/001', 'A100011-001']),
    )
  })

  it.each([
    ['in a small catalog', 0],
    ['in a large one', 3000],
  ])('are found whatever the character is that is ignored, %s', async (_, others) => {
    const stored = IGNORED_IN_IDS.map((character, n) => record(`x${n}a${character}b`))
    await catalog.write([...stored, ...Array.from({ length: others }, (_, n) => record(`y${n}`))])
    for (const part of [0, 2]) {
      const sent = IGNORED_IN_IDS.map((_, n) => record(`X${n}ab`)).filter((_, n) => n % 4 === part)
      const [found] = coded(await catalog.write(sent, { dry_run: true }))
      expect(found?.count).toBe(sent.length)
    }
  })

  it('have the same name, if many ids have zeros in front and many have none', async () => {
    const padded = Array.from({ length: 120 }, (_, n) => record(`0${500 + n}`))
    const plain = Array.from({ length: 120 }, (_, n) => record(`${1000 + n}`))
    const request = [...padded, ...plain, record('500'), record('501', { name: 'Name of 0501' })]
    expect(await similar(request)).toEqual(warning([241, '501', '0501']))
  })

  it('have the same name as that of the catalog then', async () => {
    await catalog.write([record('0500'), record('0501')])
    const padded = Array.from({ length: 120 }, (_, n) => record(`0${600 + n}`))
    const plain = Array.from({ length: 120 }, (_, n) => record(`${1000 + n}`))
    const request = [...padded, ...plain, record('500'), record('501', { name: 'NAME OF 0501' })]
    expect(await similar(request)).toEqual(warning([241, '501', '0501']))
  })
})

describe('damaged values', () => {
  it('are codes with a wrong check digit, in JSON and in CSV', async () => {
    const tests = await newCatalog('lab_test')
    const loinc = (id: string, code: string) => tests.record(id, { loinc: code })
    const result = await tests.write([loinc('a', '718-7'), loinc('b', '718-8'), loinc('c', 'none')])
    const expected = [
      { field: 'loinc', code: 'check_digit', count: 1, examples: [{ index: 1, value: '718-8' }] },
    ]
    expect(coded(result)).toMatchObject(expected)
    const diagnoses = await newCatalog('diagnosis')
    const csv = 'id,name,snomed\na,A,22298006\nb,B,22298060\nc,C,\n'
    expect(coded(await diagnoses.upload(csv, { dry_run: true }))).toMatchObject([
      { field: 'snomed_id', code: 'check_digit', count: 1, examples: [{ index: 2, value: '22298060' }] },
    ])
  })

  it('are ids and codes in scientific notation', async () => {
    expect(
      await warned([
        record('1.23457E+11'),
        record('5E3'),
        record('a', { sku: '8,9E+12', strength: '1E+6', refid: '1E+6' }),
        record('b', { generic_list_ids: ['7', '1e+20'] }),
      ]),
    ).toMatchObject([
      {
        field: 'medication_id',
        code: 'spreadsheet_damage',
        count: 1,
        examples: [{ index: 0, value: '1.23457E+11' }],
      },
      { field: 'sku', code: 'spreadsheet_damage', count: 1, examples: [{ index: 2, value: '8,9E+12' }] },
      {
        field: 'generic_list_ids',
        code: 'spreadsheet_damage',
        count: 1,
        examples: [{ index: 3, value: '1e+20' }],
      },
    ])
  })

  it('are the errors of a spreadsheet in cells of a CSV file, but not in JSON and not in a refid', async () => {
    const cells = ['#N/A', '#REF!', '#VALUE!', '#NAME?', '#DIV/0!']
    const csv = `id,name,aliases,refid\n${cells.map((cell, n) => `r${n},${cell},${cell},${cell}`).join('\n')}\nx,#N/A in a text,,`
    const result = await catalog.upload(csv)
    expect(coded(result).map(({ field, code, count }) => [field, code, count])).toEqual([
      ['name', 'spreadsheet_damage', 5],
      ['aliases', 'spreadsheet_damage', 5],
    ])
    expect(coded(await catalog.write([record('j', { name: '#N/A' })]))).toEqual([])
  })

  it('say in the message how many they are, and which the first ones are', async () => {
    const csv = `id,name\n${[1, 2, 3, 4].map((n) => `${n}E+11,Name`).join('\n')}\n`
    const [warning] = coded(await catalog.upload(csv, { dry_run: true }))
    expect(warning?.msg).toBe(
      '4 values that a spreadsheet program has probably damaged: "1E+11", "2E+11", "3E+11", …',
    )
  })
})

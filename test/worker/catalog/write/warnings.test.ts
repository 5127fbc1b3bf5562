import { describe, expect, it } from 'vitest'
import { catalogOfEachTest, newCatalog, type WriteResult } from '../../../support/catalog'

const catalog = catalogOfEachTest()
const { record } = catalog

const coded = ({ warnings }: WriteResult) => warnings.filter(({ code }) => code !== undefined)

/** The warnings with a code of a dry run, which are the same with a diff, and in the same write but for similar ids. */
async function warned(records: unknown, query = {}) {
  const plain = coded(await catalog.write(records, { dry_run: true, ...query }))
  expect(coded(await catalog.write(records, { dry_run: true, include: 'diff', ...query }))).toEqual(plain)
  const written = coded(await catalog.write(records, query))
  expect(written).toEqual(plain.filter(({ code }) => code !== 'similar_id'))
  return plain
}

describe('damaged values', () => {
  it('are codes with a wrong check digit, in JSON and in CSV', async () => {
    const tests = await newCatalog('lab_test')
    const loinc = (id: string, code: string) => tests.record(id, { loinc: code })
    const result = await tests.write([loinc('a', '718-7'), loinc('b', '718-8'), loinc('c', 'other')])
    const expected = [{ field: 'loinc', code: 'check_digit', count: 1, examples: [{ index: 1, value: '718-8' }] }]
    expect(coded(result)).toMatchObject(expected)
    const diagnoses = await newCatalog('diagnosis')
    const csv = 'id,name,snomed\na,A,22298006\nb,B,22298060\nc,C,\n'
    expect(coded(await diagnoses.upload(csv, { dry_run: true }))).toMatchObject([
      { field: 'snomed_id', code: 'check_digit', count: 1, examples: [{ index: 2, value: '22298060' }] },
    ])
  })

  it('are ids and codes in scientific notation', async () => {
    const sent = [
      record('1.23457E+11'),
      record('5E3'),
      record('a', { sku: '8,9E+12', strength: '1E+6', refid: '1E+6' }),
      record('b', { generic_list_ids: ['7', '1e+20'] }),
      record('1.23E11'),
    ]
    const damage = { code: 'spreadsheet_damage', count: 1 }
    expect(await warned(sent)).toMatchObject([
      { ...damage, field: 'medication_id', examples: [{ index: 0, value: '1.23457E+11' }] },
      { ...damage, field: 'sku', examples: [{ index: 2, value: '8,9E+12' }] },
      { ...damage, field: 'generic_list_ids', examples: [{ index: 3, value: '1e+20' }] },
    ])
    // `+` separates the items of this list: such a number is two of them.
    const result = await catalog.upload('id,name,generic_list_ids\nc,C,1.2E+10\nd,D,7+8\n')
    expect(coded(result)).toMatchObject([{ field: 'generic_list_ids', examples: [{ index: 1, value: '1.2E+10' }] }])
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
    expect(warning?.msg).toBe('4 values that a spreadsheet program has probably damaged: "1E+11", "2E+11", "3E+11", …')
  })
})

import { describe, expect, it } from 'vitest'
import type { Warning } from '#shared/records/warnings'
import { catalogOfEachTest, type Fields } from '../../../support/catalog'

const catalog = catalogOfEachTest()
const { record } = catalog

const ASPIRIN = { name: 'Aspirin 81 mg', strength: '81 mg', form_name: 'Tablet' }

const dryRun = async (records: Fields[], mode: 'upsert' | 'reconcile' = 'upsert') =>
  (await catalog.write(records, { mode, dry_run: true, confirm_shrink: true })).warnings.filter(
    ({ code }) => code === 'same_item',
  )

describe('a dry run warns about the same item under another ID', () => {
  it('in the request', async () => {
    const records = [
      record('a', ASPIRIN),
      record('b', { ...ASPIRIN, name: 'ASPIRIN, 81mg', sku: '7', aliases: ['ASA'] }),
    ]
    expect(await dryRun(records)).toEqual([
      {
        field: 'name',
        code: 'same_item',
        count: 1,
        msg: expect.stringContaining('1 record with another record'),
        examples: [{ index: 1, value: 'ASPIRIN, 81mg', similar_to: 'a' }],
      },
    ])
  })

  it('in the catalog', async () => {
    await catalog.write([record('a', ASPIRIN)])
    expect(await dryRun([record('b', ASPIRIN)])).toMatchObject([{ examples: [{ index: 0, similar_to: 'a' }] }])
  })

  it('by the stored values of fields that a file has no column for', async () => {
    await catalog.write([record('a', ASPIRIN), record('b', { ...ASPIRIN, form_name: 'Capsule' })])
    const upload = 'id,name\na,Aspirin\nb,Aspirin\n'
    const { warnings } = await catalog.upload(upload, { dry_run: true })
    expect(warnings.filter(({ code }) => code === 'same_item')).toEqual([])
  })

  it('except for a record that is inactive, is missing from a reconcile, or gets another name', async () => {
    await catalog.write([record('a', ASPIRIN), record('off', { ...ASPIRIN, form_name: 'Syrup', is_active: false })])
    expect(await dryRun([record('b', ASPIRIN)], 'reconcile')).toEqual([])
    expect(await dryRun([record('b', ASPIRIN), record('a', { ...ASPIRIN, name: 'Other' })])).toEqual([])
    expect(await dryRun([record('b', { ...ASPIRIN, form_name: 'Syrup' })])).toEqual([])
  })
})

describe('a dry run reports that it has not compared everything', () => {
  const csvOf = (rows: number) =>
    `id,name,form_name\n${Array.from({ length: rows }, (_, n) => `${n},Aspirin,${n}\n`).join('')}`
  const notCompared = (warnings: readonly Warning[]) => warnings.filter(({ code }) => code === 'not_compared')

  it('if the request has more than 50,000 records', async () => {
    const records = Array.from({ length: 50_001 }, (_, n) => record(String(n)))
    const { warnings } = await catalog.write(records, { dry_run: true })
    expect(notCompared(warnings)).toEqual([
      { field: 'name', code: 'not_compared', msg: expect.stringContaining('more than 50000 records') },
    ])
  })

  it('if more than 20,000 stored records share names with the request', async () => {
    await catalog.upload(csvOf(20_000))
    const newRow = 'id,name,form_name\nnew,Aspirin,new\n'
    expect(notCompared((await catalog.upload(newRow, { dry_run: true })).warnings)).toEqual([])
    await catalog.upload('id,name,form_name\nlast,Aspirin,last\n')
    expect(notCompared((await catalog.upload(newRow, { dry_run: true })).warnings)).toEqual([
      { field: 'name', code: 'not_compared', msg: expect.stringContaining('more than 20000 stored records') },
    ])
  })
})

import { describe, expect, it } from 'vitest'
import { catalogOfEachTest, newCatalog } from '../../../support/catalog'

const catalog = catalogOfEachTest()

const KEEP = { keep_missing: true }

const FULL = { strength: '5 mg', aliases: ['a', 'b'], otc: true, refid: { n: [1.5, '2'] }, display_name: 'Shown' }

/** Some rows of a file with these columns. */
const file = (...rows: string[]) => `${rows.join('\n')}\n`

describe('a CSV file without keep_missing', () => {
  it.each(['upsert', 'reconcile'])('keeps fields without a column, and makes records active: %s', async (mode) => {
    await catalog.write([catalog.record('1', FULL), catalog.record('2', { ...FULL, is_active: false })])
    const before = await catalog.contents()
    const text = file('id,name,strength', '1,Name of 1,10 mg', '2,Name of 2,', '3,Name of 3,1 mg')
    const counts = { inserted: 1, updated: 1, reactivated: 1, emptied: { strength: 1 } }
    expect(await catalog.upload(text, { mode, dry_run: true })).toMatchObject(counts)
    await catalog.refused(409, catalog.postCsv(text, { mode, max_emptied: 0 }))
    expect(await catalog.upload(text, { mode })).toMatchObject(counts)
    const contents = await catalog.contents()
    expect(contents.get('1')).toEqual({ ...before.get('1'), strength: '10 mg' })
    expect(contents.get('2')).toEqual({ ...before.get('2'), strength: null, is_active: true })
    expect(contents.get('3')).toMatchObject({ strength: '1 mg', otc: null, aliases: [] })
    expect(await catalog.upload(text, { mode, keep_missing: false })).toMatchObject({
      emptied: { aliases: 2, otc: 2, display_name: 2, refid: 2 },
    })
  })

  it('needs all required columns, and checks records together with their stored fields', async () => {
    const labTests = await newCatalog('lab_test')
    await labTests.write([labTests.record('1', { unit: 'mg' }), labTests.record('2')])
    const { errors } = await catalog.refused(400, catalog.postCsv(file('id,strength', '1,5')))
    expect(errors).toMatchObject([{ index: null, field: 'name', code: 'required' }])
    const rows = ['1', '2', '3'].map((id) => `${id},A,functional,numerical`)
    const refused = await labTests.refused(400, labTests.postCsv(file('id,name,kind,result_type', ...rows)))
    expect(refused.errors).toMatchObject([2, 3].map((index) => ({ index, field: 'unit', code: 'conditional' })))
    expect((await labTests.upload(file('id,name,kind,result_type', rows[0]!))).updated).toBe(1)
  })
})

describe('an upsert that activates inactive records', () => {
  const inactive = { is_active: false }
  const sent = (warnings: { code?: string | undefined }[]) => warnings.filter(({ code }) => code === 'reactivated')

  it('causes a warning unless the file states it', async () => {
    await catalog.write(['1', '2', '3', '4'].map((id) => catalog.record(id, inactive)))
    const text = file('id,name,is_active', '4,D,', '', '2,B,yes', '3,C,', '1,A,no')
    for (const dry_run of [true, false]) {
      const { reactivated, warnings } = await catalog.upload(text, { dry_run, examples: 1 })
      expect(reactivated).toBe(3)
      const examples = [{ index: 1, value: '4' }]
      expect(sent(warnings)).toMatchObject([{ field: 'is_active', count: 2, examples }])
    }
    await catalog.write(['1', '2'].map((id) => catalog.record(id, inactive)))
    const { warnings } = await catalog.write([catalog.record('2'), catalog.record('1', { is_active: true })])
    expect(sent(warnings)).toMatchObject([{ count: 1, examples: [{ index: 0, value: '2' }] }])
    await catalog.write([catalog.record('1', inactive)])
    expect(sent((await catalog.reconcile(['1', '2', '3', '4'].map((id) => catalog.record(id)))).warnings)).toEqual([])
  })

  it('does not activate them with keep_missing=true unless the file states it, and a reconcile does', async () => {
    await catalog.write([catalog.record('1', inactive), catalog.record('2', inactive)])
    const records = [catalog.record('1'), catalog.record('2', { is_active: true })]
    expect(await catalog.write(records, KEEP)).toMatchObject({ reactivated: 1, warnings: [] })
    expect(await catalog.upload(file('id', '1', '2'), KEEP)).toMatchObject({ unchanged: 2 })
    expect(await catalog.get('1')).toMatchObject(inactive)
    const reconcile = { ...KEEP, mode: 'reconcile' }
    expect(await catalog.upload(file('id', '1', '2'), reconcile)).toMatchObject({ reactivated: 1 })
    expect(await catalog.get('1')).toMatchObject({ is_active: true })
  })
})

describe('keep_missing=true', () => {
  it("keeps fields without a column, and clears blank cells of the file's columns", async () => {
    await catalog.write([catalog.record('1', FULL), catalog.record('2', FULL), catalog.record('3', FULL)])
    const before = await catalog.contents()
    const text = file('id,strength', '1,10 mg', '2,', '3,5 mg')
    const counts = { updated: 3, unchanged: 1, emptied: { strength: 1 } }
    expect(await catalog.upload(text, { dry_run: true, ...KEEP })).toMatchObject(counts)
    await catalog.refused(409, catalog.postCsv(text, { ...KEEP, expected_revision: 0 }))
    await catalog.upload(text, { ...KEEP, expected_revision: 1 })
    expect(await catalog.contents()).toEqual(
      new Map([
        ['1', { ...before.get('1'), strength: '10 mg' }],
        ['2', { ...before.get('2'), strength: null }],
        ['3', before.get('3')],
      ]),
    )
  })

  it('keeps missing fields of a JSON record, and clears those that are null', async () => {
    await catalog.write([catalog.record('1', FULL), catalog.record('2', { is_active: false })])
    const before = await catalog.get('1')
    await catalog.write([{ medication_id: '1', name: 'New', otc: null, sku: 'S' }], KEEP)
    const updated_at = expect.any(String)
    expect(await catalog.get('1')).toEqual({ ...before, name: 'New', otc: null, sku: 'S', updated_at })
    await catalog.upload(file('id,name', '2,New'), KEEP)
    expect(await catalog.get('2')).toMatchObject({ name: 'New', display_name: 'New', is_active: false })
  })

  it('reports every new record that lacks a required field, even after thousands that do not', async () => {
    await catalog.write(catalog.records(1100))
    const rows = [...catalog.records(1100), catalog.record('new'), catalog.record('last')]
    const text = file('id,strength', ...rows.map(({ medication_id }) => `${medication_id},5`))
    const { errors } = await catalog.refused(400, catalog.postCsv(text, KEEP))
    expect(errors).toMatchObject([1101, 1102].map((index) => ({ index, field: 'name', code: 'required' })))
  })

  it('needs a column for the ID, and keeps nothing of other workspaces', async () => {
    const other = await newCatalog()
    await other.write([other.record('1', FULL)])
    await catalog.write([catalog.record('2')])
    const { errors } = await catalog.refused(400, catalog.postCsv(file('name', 'A'), KEEP))
    expect(errors[0]).toMatchObject({ index: null, field: 'medication_id', code: 'required' })
    const refused = await catalog.refused(400, catalog.postCsv(file('id', '1'), KEEP))
    expect(refused.errors).toMatchObject([{ index: 1, field: 'name', code: 'required' }])
  })
})

import { describe, expect, it } from 'vitest'
import { catalogOfEachTest, newCatalog, type Query } from '../../../support/catalog'
import { held, TestUploads } from '../../../support/uploads'

const catalog = catalogOfEachTest()

const KEEP = { keep_missing: true }

const FULL = {
  strength: '5 mg',
  aliases: ['a', 'b'],
  otc: true,
  refid: { n: [1.5, '2'] },
  display_name: 'Shown',
}

/** Some rows of a file with these columns. */
const file = (...rows: string[]) => `${rows.join('\n')}\n`

const csv = (text: string, query: Query = {}) => catalog.postCsv(text, query)

describe('keep_missing=true', () => {
  it('keeps what a file has no column for, and empties blank cells of its columns', async () => {
    await catalog.write([catalog.record('1', FULL), catalog.record('2', FULL), catalog.record('3', FULL)])
    const before = await catalog.contents()
    const text = file('id,strength', '1,10 mg', '2,', '3,5 mg')
    expect(await catalog.upload(text, { dry_run: true, ...KEEP })).toMatchObject({
      updated: 3,
      unchanged: 1,
      emptied: { strength: 1 },
    })
    await catalog.upload(text, KEEP)
    expect(await catalog.contents()).toEqual(
      new Map([
        ['1', { ...before.get('1'), strength: '10 mg' }],
        ['2', { ...before.get('2'), strength: null }],
        ['3', before.get('3')],
      ]),
    )
  })

  it('keeps what a JSON record does not have, and empties what it has as null', async () => {
    await catalog.write([catalog.record('1', FULL)])
    const before = await catalog.get('1')
    await catalog.write([{ medication_id: '1', otc: null, sku: 'S' }], KEEP)
    expect(await catalog.get('1')).toEqual({
      ...before,
      otc: null,
      sku: 'S',
      updated_at: expect.any(String),
    })
  })

  it('keeps a display name, and lets one follow the name if there is none', async () => {
    await catalog.write([catalog.record('1', { display_name: 'Own' }), catalog.record('2')])
    await catalog.upload(file('id,name', '1,New', '2,New'), KEEP)
    expect(await catalog.get('1')).toMatchObject({ name: 'New', display_name: 'Own' })
    expect(await catalog.get('2')).toMatchObject({ name: 'New', display_name: 'New' })
  })

  it('makes a record that is sent active, as every write does', async () => {
    await catalog.write([catalog.record('1', { is_active: false, ...FULL })])
    expect(await catalog.upload(file('id', '1'), KEEP)).toMatchObject({ reactivated: 1 })
    expect(await catalog.get('1')).toMatchObject({ is_active: true, strength: '5 mg' })
  })

  it('tells every new record that lacks a required field, also behind thousands that do not', async () => {
    await catalog.write(catalog.records(1500))
    const ids = [
      ...Array.from({ length: 1500 }, (_, n) => `r${n}`),
      'new',
      ...Array.from({ length: 1500 }, (_, n) => `new${n}`),
    ]
    const { errors } = await catalog.refused(400, csv(file('id,strength', ...ids.map((id) => `${id},5`)), KEEP))
    expect(errors).toHaveLength(1501)
    expect(errors[0]).toMatchObject({ index: 1501, field: 'name', code: 'required' })
    expect(errors.at(-1)).toMatchObject({ index: 3001, field: 'name', code: 'required' })
  })

  it('needs a column for the id, and keeps nothing of other workspaces', async () => {
    const other = await newCatalog()
    await other.write([other.record('1', FULL)])
    await catalog.write([catalog.record('2')])
    const { errors } = await catalog.refused(400, csv(file('name', 'A'), KEEP))
    expect(errors[0]).toMatchObject({ index: null, field: 'medication_id', code: 'required' })
    const refused = await catalog.refused(400, csv(file('id', '1'), KEEP))
    expect(refused.errors).toMatchObject([{ index: 1, field: 'name', code: 'required' }])
  })

  it('holds for the diff, as JSON and as a file, and for a file that waits', async () => {
    await catalog.write([catalog.record('1', FULL), catalog.record('2', FULL)])
    const text = file('id,strength', '1,10 mg', '2,5 mg')
    const query = { dry_run: true, include: 'diff', ...KEEP }
    const { diff } = await catalog.upload(text, query)
    expect(diff?.updated).toEqual([{ id: '1', name: 'Name of 1', fields: { strength: ['5 mg', '10 mg'] } }])
    const lines = (await csv(text, { ...query, format: 'csv' })).text.trim().split('\r\n')
    expect(lines.slice(1)).toEqual(['updated,1,Name of 1,strength,5 mg,10 mg'])
    const { uploadId } = await held(catalog, [{ medication_id: '2', name: 'B' }])
    await new TestUploads(catalog).write(uploadId, KEEP)
    expect(await catalog.get('2')).toMatchObject({ name: 'B', strength: '5 mg' })
  })

  it('is refused if the catalog is in another state than is expected', async () => {
    await catalog.write([catalog.record('1', FULL)])
    await catalog.refused(409, csv(file('id', '1'), { ...KEEP, expected_revision: 0 }))
    expect(await catalog.upload(file('id', '1'), { ...KEEP, expected_revision: 1 })).toMatchObject({
      unchanged: 1,
      revision: 1,
    })
  })
})

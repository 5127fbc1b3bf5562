import { describe, expect, it } from 'vitest'
import { catalogOfEachTest, newCatalog } from '../../../support/catalog'

const catalog = catalogOfEachTest()

const KEEP = { keep_missing: true }

const FULL = { strength: '5 mg', aliases: ['a', 'b'], otc: true, refid: { n: [1.5, '2'] }, display_name: 'Shown' }

/** Some rows of a file with these columns. */
const file = (...rows: string[]) => `${rows.join('\n')}\n`

describe('keep_missing=true', () => {
  it('keeps what a file has no column for, and empties blank cells of its columns', async () => {
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

  it('keeps what a JSON record does not have, empties what it has as null, and lets a display name follow the name', async () => {
    await catalog.write([catalog.record('1', FULL), catalog.record('2', { is_active: false })])
    const before = await catalog.get('1')
    await catalog.write([{ medication_id: '1', name: 'New', otc: null, sku: 'S' }], KEEP)
    const updated_at = expect.any(String)
    expect(await catalog.get('1')).toEqual({ ...before, name: 'New', otc: null, sku: 'S', updated_at })
    // A record that is sent is active, as in every write.
    expect(await catalog.upload(file('id,name', '2,New'), KEEP)).toMatchObject({ reactivated: 1 })
    expect(await catalog.get('2')).toMatchObject({ name: 'New', display_name: 'New', is_active: true })
  })

  it('tells every new record that lacks a required field, also behind thousands that do not', async () => {
    await catalog.write(catalog.records(1100))
    const rows = [...catalog.records(1100), catalog.record('new'), catalog.record('last')]
    const text = file('id,strength', ...rows.map(({ medication_id }) => `${medication_id},5`))
    const { errors } = await catalog.refused(400, catalog.postCsv(text, KEEP))
    expect(errors).toMatchObject([1101, 1102].map((index) => ({ index, field: 'name', code: 'required' })))
  })

  it('needs a column for the id, and keeps nothing of other workspaces', async () => {
    const other = await newCatalog()
    await other.write([other.record('1', FULL)])
    await catalog.write([catalog.record('2')])
    const { errors } = await catalog.refused(400, catalog.postCsv(file('name', 'A'), KEEP))
    expect(errors[0]).toMatchObject({ index: null, field: 'medication_id', code: 'required' })
    const refused = await catalog.refused(400, catalog.postCsv(file('id', '1'), KEEP))
    expect(refused.errors).toMatchObject([{ index: 1, field: 'name', code: 'required' }])
  })
})

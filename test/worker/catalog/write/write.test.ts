import { describe, expect, it } from 'vitest'
import { catalogOfEachTest } from '../../../support/catalog'

const catalog = catalogOfEachTest()
const { record } = catalog

describe('an upsert', () => {
  it('replaces the whole record', async () => {
    const lists = { aliases: ['x'], generic_list: ['y'] }
    const readOnly = { updated_at: '1999-01-01T00:00:00.000Z', form_id: 'syrup' }
    const texts = { display_name: 'Shown', strength: '5 mg', refid: { n: 1 }, form_name: 'TABLET', ...readOnly }
    await catalog.write([record('a', { ...lists, ...texts, otc: true, is_active: false })])
    const { form_id, updated_at } = await catalog.get('a')
    expect([form_id, Date.parse(updated_at as string) > Date.now() - 60_000]).toEqual(['tablet', true])
    await catalog.write([{ medication_id: 'a', name: 'Other name' }])
    expect(await catalog.get('a')).toMatchObject({
      ...{ name: 'Other name', display_name: 'Other name', is_active: true, aliases: [], generic_list: [] },
      ...{ strength: null, otc: null, refid: null, form_name: null, form_id: null },
    })
  })

  it('keeps updated_at of an unchanged record, and updates that of a changed one', async () => {
    await catalog.write([record('a'), record('b', { display_name: 'B', aliases: ['x', 'y'] })])
    const before = [await catalog.get('a'), await catalog.get('b')]
    const result = await catalog.write([
      record('a', { strength: '1 g' }),
      record('b', { aliases: ['x', 'y'], display_name: 'B', is_active: null, otc: null, generic_list: [] }),
    ])
    expect(result).toMatchObject({ updated: 2, unchanged: 1, revision: 2 })
    const after = [await catalog.get('a'), await catalog.get('b')]
    expect(after[1]).toEqual(before[1])
    const { body } = await catalog.post([record('a'), record('c', { name: 'Two' })])
    expect(body).toMatchObject({ message: '2 records written: 1 inserted, 1 updated' })
    const { body: dry } = await catalog.post([record('a'), record('d')], { dry_run: true })
    const message = '2 records would be written: 1 inserted, 1 updated (1 of them unchanged)'
    expect(dry).toMatchObject({ message })
    expect(Date.parse(after[0]!.updated_at as string)).toBeGreaterThan(Date.parse(before[0]!.updated_at as string))
  })
})

it('a write accepts CSV under each of its content types, and a file in a form with any', async () => {
  for (const type of ['text/csv', 'application/csv', 'application/vnd.ms-excel', 'Text/CSV; charset=utf-8'])
    expect((await catalog.postCsv('id,name\na,Café', {}, { 'Content-Type': type })).status).toBe(200)
  expect(await catalog.get('a')).toMatchObject({ name: 'Café' })
  const body = new FormData()
  body.append('file', new File(['id,name\na,A'], 'list.csv', { type: 'application/json' }))
  expect(await catalog.data(catalog.send('POST', '/', {}, { body }))).toMatchObject({ updated: 1 })
})

// test/shared/records covers errors and warnings.
describe('the records of a write', () => {
  it('are not written if one of them is wrong, and each error is listed', async () => {
    await catalog.write([record('kept')])
    const sent = [record('new'), ...Array.from({ length: 1500 }, () => ({}))]
    const expected = sent.slice(1).flatMap((_, n) => [`${n + 1} medication_id`, `${n + 1} name`])
    for (const query of [{}, { mode: 'reconcile', confirm_shrink: true }, { dry_run: true }]) {
      const { errors } = await catalog.refused(400, catalog.post(sent, query))
      expect(errors.map(({ index, field }) => `${index} ${field}`)).toEqual(expected)
    }
    expect(await catalog.ids({ show_inactive: 1 })).toEqual(['kept'])
  })

  it('have the same warnings in a dry run and in the write', async () => {
    const csv = 'id,name,sku,colour\n="1",NULL,1E+11,red\n'
    const told = [
      { field: 'colour', msg: 'unknown column, ignored' },
      ...['sku', 'name'].map((field) => expect.objectContaining({ field, count: 1 })),
      expect.objectContaining({ field: 'file', code: 'formula_text', examples: [{ index: 1, value: '="1"' }] }),
    ]
    for (const query of [{ dry_run: true }, { dry_run: true, include: 'diff' }, {}]) {
      const { warnings } = await catalog.upload(csv, query)
      expect(warnings).toHaveLength(told.length)
      expect(warnings).toEqual(expect.arrayContaining(told))
    }
    expect(await catalog.get('1')).toMatchObject({ name: 'NULL', sku: '1E+11' })
  })

  it('are rejected if they use too much memory on their way to the database', async () => {
    const aliases = Array.from({ length: 260 }, (_, n) => 100 + n + '\u0001'.repeat(195)).join('|')
    const rows = Array.from({ length: 76 }, (_, n) => `r${n},n,${aliases}\n`)
    const { message, errors } = await catalog.refused(400, catalog.postCsv(`id,name,aliases\n${rows.join('')}`))
    expect(errors).toMatchObject([{ index: null, field: null, code: 'too_large' }])
    expect(message).toContain('send fewer records at a time')
    expect((await catalog.list()).total).toBe(0)
  })

  it('that look like a part of the catalog are rejected in a reconcile, and accepted in an upsert', async () => {
    await catalog.write(catalog.records(4))
    const page = await catalog.list({ limit: 2 })
    const cut = 'medication_id,name,strength\na,A,1\nb,B,2\nc,C'
    const reconcile = { mode: 'reconcile' }
    const ofPage = await catalog.refused(400, catalog.post(page, reconcile))
    expect(ofPage.errors).toMatchObject([{ field: 'has_more' }])
    const ofFile = await catalog.refused(400, catalog.postCsv(cut, reconcile))
    expect(ofFile.errors).toMatchObject([{ index: 3, code: 'cut_off' }])
    expect((await catalog.list()).total).toBe(4)
    expect(await catalog.write(page)).toMatchObject({ unchanged: 2 })
    const msg = expect.stringContaining('row 3')
    expect(await catalog.upload(cut)).toMatchObject({ inserted: 3, warnings: [{ code: 'cut_off', msg }] })
  })
})

describe('expected_revision', () => {
  it('allows a write while the catalog has that revision, and rejects it afterwards', async () => {
    await catalog.refused(409, catalog.post([record('a')], { expected_revision: 3 }))
    expect(await catalog.list({ show_inactive: 1 })).toMatchObject({ total: 0 })
    expect(await catalog.write([record('a')], { expected_revision: 0 })).toMatchObject({ revision: 1 })
    for (const query of [{}, { dry_run: true }, { mode: 'reconcile', confirm_shrink: true }]) {
      const refused = await catalog.refused(409, catalog.post([record('b')], { ...query, expected_revision: 0 }))
      expect(refused.message).toContain('revision is 1')
      expect(refused.errors).toEqual([])
    }
    expect(await catalog.ids()).toEqual(['a'])
  })
})

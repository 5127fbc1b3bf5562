import { describe, expect, it } from 'vitest'
import { catalogOfEachTest } from '../../../support/catalog'

const catalog = catalogOfEachTest()
const { record } = catalog

describe('an upsert', () => {
  // test/worker/catalog/write-model.test.ts counts for any writes.
  it('counts every record once: inserted, updated or reactivated, and how many needed no write', async () => {
    await catalog.write([
      record('same'),
      record('changed'),
      record('asleep', { is_active: false }),
      record('stays asleep', { is_active: false }),
      record('falls asleep'),
    ])
    const sent = [
      record('same'),
      record('changed', { strength: '5 mg' }),
      record('asleep', { strength: '5 mg' }),
      record('stays asleep', { is_active: false }),
      record('falls asleep', { is_active: false }),
      record('new'),
    ]
    expect(await catalog.write(sent)).toEqual({
      ...{ type: 'medication', mode: 'upsert', dry_run: false, emptied: {}, warnings: [] },
      ...{ total: 6, inserted: 1, updated: 3, reactivated: 1, unchanged: 2, deactivated: 1 },
      ...{ active_before: 3, active_after: 4, revision: 2, epoch: expect.any(String), batch_id: expect.any(String) },
    })
  })

  it('replaces the whole record: what is not sent becomes absent, the defaults return', async () => {
    const lists = { aliases: ['x'], generic_list: ['y'] }
    const texts = { display_name: 'Shown', strength: '5 mg', refid: { n: 1 }, form_name: 'TABLET' }
    await catalog.write([record('a', { ...lists, ...texts, otc: true, is_active: false })])
    await catalog.write([{ medication_id: 'a', name: 'Other name' }])
    expect(await catalog.get('a')).toMatchObject({
      ...{ name: 'Other name', display_name: 'Other name', is_active: true, aliases: [], generic_list: [] },
      ...{ strength: null, otc: null, refid: null, form_name: null, form_id: null },
    })
  })

  it('keeps updated_at of an unchanged record and moves that of a changed one', async () => {
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

describe('a write of either form', () => {
  it('takes CSV under each of its content types, with a charset too', async () => {
    for (const contentType of ['text/csv', 'application/csv', 'application/vnd.ms-excel', 'Text/CSV; charset=utf-8']) {
      expect((await catalog.postCsv('id,name\na,Café', {}, { 'Content-Type': contentType })).status).toBe(200)
    }
    expect(await catalog.get('a')).toMatchObject({ name: 'Café' })
  })

  it('takes a file in the form field `file` with any content type', async () => {
    for (const type of ['', 'application/json', 'image/png']) {
      const form = new FormData()
      form.append('comment', 'ignored')
      form.append('file', new File(['id,name\na,A'], 'list.csv', { type }))
      expect((await catalog.send('POST', '/', {}, { body: form })).status).toBe(200)
    }
    expect(await catalog.ids()).toEqual(['a'])
  })
})

describe('expected_revision', () => {
  it('lets a write through while the catalog has that revision and refuses it afterwards', async () => {
    await catalog.refused(409, catalog.post([record('a')], { expected_revision: 3 }))
    expect(await catalog.list({ show_inactive: 1 })).toMatchObject({ total: 0 })
    expect(await catalog.write([record('a')], { expected_revision: 0 })).toMatchObject({ revision: 1 })
    expect(await catalog.write([record('a')], { expected_revision: 1 })).toMatchObject({ revision: 1 })
    for (const query of [{}, { mode: 'reconcile' }, { dry_run: true }, { mode: 'reconcile', confirm_shrink: true }]) {
      const refused = await catalog.refused(409, catalog.post([record('b')], { ...query, expected_revision: 0 }))
      expect(refused.message).toContain('revision is 1')
      expect(refused.errors).toEqual([])
    }
    expect(await catalog.ids()).toEqual(['a'])
  })
})

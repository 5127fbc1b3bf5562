import { describe, expect, it } from 'vitest'
import { catalogOfEachTest } from '../../../support/catalog'

const catalog = catalogOfEachTest('diagnosis')
const { record } = catalog

describe('the order of a list', () => {
  it('is newest first, and within one write the last record first', async () => {
    await catalog.write([record('a'), record('b'), record('c')])
    expect(await catalog.ids()).toEqual(['c', 'b', 'a'])
    await catalog.write([record('d'), record('a', { icd10: 'A' }), record('b')])
    expect(await catalog.ids()).toEqual(['a', 'd', 'c', 'b'])
    await catalog.write([record('c', { is_active: false })])
    expect(await catalog.ids({ show_inactive: 1 })).toEqual(['c', 'a', 'd', 'b'])
  })
})

describe('a page', () => {
  it('of a catalog without records, or after the last one, is empty', async () => {
    const empty = { items: [], count: 0, total: 0, limit: 100, offset: 0, has_more: false }
    expect(await catalog.list()).toEqual(empty)
    expect(await catalog.list({ q: 'anything' })).toEqual(empty)
    expect(await catalog.list({ show_inactive: 1, updated_since: '2020-01-01' })).toEqual(empty)
    await catalog.write([record('a')])
    for (const query of [{ offset: 1, q: 'name' }, { offset: 1000 }, { offset: 999_999_999_999_999 }])
      expect(await catalog.list(query)).toEqual({ ...empty, total: 1, offset: query.offset })
  })

  it('has 100 records by default, and at most 1000', async () => {
    await catalog.write(catalog.records(1001))
    expect(await catalog.list()).toMatchObject({ count: 100, limit: 100, total: 1001, has_more: true })
    expect(await catalog.list({ limit: 1000 })).toMatchObject({ count: 1000, has_more: true })
    expect(await catalog.list({ limit: 1, offset: 1000 })).toMatchObject({ count: 1, has_more: false })
  })
})

describe('updated_since', () => {
  it('keeps only records that were changed later, not at exactly that time', async () => {
    await catalog.write([record('a'), record('b')])
    await catalog.write([record('c')])
    await catalog.write([record('a', { is_active: false }), record('b')])
    const { items } = await catalog.list({ show_inactive: 1 })
    const at = (id: string) => items.find((item) => item.diagnosis_id === id)!.updated_at as string
    for (const [id, query, ids] of [
      ['b', {}, ['c']],
      ['b', { show_inactive: 1 }, ['a', 'c']],
      ['a', { show_inactive: 1 }, []],
      ['b', { q: 'name of c' }, ['c']],
    ] as const) {
      expect((await catalog.ids({ updated_since: at(id), ...query })).sort(), JSON.stringify(query)).toEqual(ids)
    }
  })

  it('takes dates, times without an offset as UTC, offsets, and times in the far past and future', async () => {
    await catalog.write([record('a')])
    const ago = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString()
    const dates = ['0001-01-01', '1700-05-05T00:00:00Z', '2020-01-01T00:00', ago(1).slice(0, -1)]
    const offsets = [ago(1).replace('Z', '+00:30'), ago(1).replace('Z', ' 00:30'), ago(-1).replace('Z', '+12:00')]
    for (const time of [...dates, ...offsets]) expect((await catalog.list({ updated_since: time })).total, time).toBe(1)
    for (const time of ['9999-12-31', ago(-1), ago(1).replace('Z', '-12:00')])
      expect((await catalog.list({ updated_since: time })).total, time).toBe(0)
  })
})

describe('get', () => {
  it('finds active and inactive records with every field of their type', async () => {
    await catalog.write([record('a', { is_active: false })])
    const { updated_at, ...fields } = await catalog.get('a')
    expect(fields).toEqual({
      ...{ diagnosis_id: 'a', name: 'Name of a', display_name: 'Name of a', aliases: [], is_active: false },
      ...{ snomed_id: null, icd10: null, icd10_term: null, gender: null, refid: null },
    })
    expect(updated_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  })

  it('names the type and the id of a record that does not exist', async () => {
    await catalog.write([record('a')])
    for (const id of ['A', 'a ', '%']) {
      const { message } = await catalog.refused(404, catalog.send('GET', `/${encodeURIComponent(id)}/`))
      expect(message).toContain('diagnosis')
      expect(message).toContain(`"${id}"`)
    }
    const other = catalog.send('GET', '/a/', { type: 'symptom' })
    expect((await catalog.refused(404, other)).message).toContain('symptom')
  })
})

describe('odd ids', () => {
  const ids = [
    ...'a/b / a/ //x 100% %2F a%20b %zz ..%2F.. ?type=medication a#b a&b=c+d batches/ Batches ... caf\u00e9 cafe\u0301'.split(
      ' ',
    ),
    ...'语 007 7 1.0 Case case CASE back\\slash \u200b null __proto__ constructor \u0001 \uffff'.split(' '),
    ...[' leading and trailing ', 'two  spaces', '"double" and \'single\'', '😀👩‍⚕️', 'naïve ÅÉ', 'tab\tnew\nline\r'],
    ...["'; drop table records; --", 'x'.repeat(200), '😀'.repeat(200)],
  ]

  it('survive a write, a read by path, a search, a change and a reconcile', async () => {
    const named = (strength: string) => ids.map((id, n) => record(id, { name: `word${n}x`, icd10: strength }))
    expect(await catalog.write(named('1'))).toMatchObject({ inserted: ids.length })
    for (const [n, id] of ids.entries()) {
      expect((await catalog.get(id)).diagnosis_id).toBe(id)
      expect(await catalog.ids({ q: `word${n}x` })).toEqual([id])
      const path = `/${encodeURIComponent(id)}`
      expect((await catalog.send('GET', path)).status, path).toBe(200)
    }
    expect(await catalog.write(named('2'))).toMatchObject({ inserted: 0, updated: ids.length, unchanged: 0 })
    const result = await catalog.reconcile(named('2').slice(1))
    expect(result).toMatchObject({ unchanged: ids.length - 1, deactivated: 1 })
    expect(await catalog.get(ids[0]!)).toMatchObject({ is_active: false })
  })
})

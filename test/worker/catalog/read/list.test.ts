import { describe, expect, it } from 'vitest'
import { catalogOfEachTest } from '../../../support/catalog'

const catalog = catalogOfEachTest('diagnosis')
const { record } = catalog

it('lists begin with the newest write, and within one write with the last record', async () => {
  await catalog.write([record('a'), record('b'), record('c')])
  expect(await catalog.ids()).toEqual(['c', 'b', 'a'])
  await catalog.write([record('d'), record('a', { icd10: 'A' }), record('b')])
  expect(await catalog.ids()).toEqual(['a', 'd', 'c', 'b'])
})

describe('a page', () => {
  it('of a catalog without records, or after the last one, is empty', async () => {
    const empty = { items: [], count: 0, total: 0, limit: 100, offset: 0, has_more: false }
    for (const query of [{}, { q: 'anything' }]) expect(await catalog.list(query)).toEqual(empty)
    await catalog.write([record('a')])
    for (const query of [{ offset: 1, q: 'name' }, { offset: 1000 }])
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

  it('accepts every form of a time', async () => {
    await catalog.write([record('a')])
    const ago = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString()
    for (const [time, total] of [
      ...['0001-01-01', '2020-01-01T00:00', ago(1).slice(0, -1), ago(-1).replace('Z', '+12:00')].map(
        (t) => [t, 1] as const,
      ),
      ...['9999-12-31', ago(-1), ago(1).replace('Z', '-12:00')].map((t) => [t, 0] as const),
    ]) {
      expect((await catalog.list({ updated_since: time })).total, time).toBe(total)
    }
  })
})

it('a missing record returns 404 with its type and ID', async () => {
  await catalog.write([record('a')])
  for (const id of ['A', 'a ', '%']) {
    const { message } = await catalog.refused(404, catalog.send('GET', `/${encodeURIComponent(id)}/`))
    expect(message).toBe(`There is no diagnosis with the ID "${id}".`)
  }
  await catalog.refused(404, catalog.send('GET', '/a/', { type: 'symptom' }))
})

it('unusual IDs survive each way of writing and reading', async () => {
  const ids = [
    ...'a/b / a/ //x 100% %2F a%20b %zz ..%2F.. ?type=medication a#b a&b=c+d batches/ Batches ... caf\u00e9 cafe\u0301'.split(
      ' ',
    ),
    ...'语 007 7 1.0 Case case CASE back\\slash \u200b null __proto__ constructor \u0001 \uffff'.split(' '),
    ...[' leading and trailing ', '"double" and \'single\'', '😀👩‍⚕️', 'tab\tnew\nline\r'],
    ...["'; drop table records; --", 'x'.repeat(200), '😀'.repeat(200)],
  ]
  const named = (icd10: string) => ids.map((id, n) => record(id, { name: `word${n}x`, icd10 }))
  expect(await catalog.write(named('1'))).toMatchObject({ inserted: ids.length })
  for (const [n, id] of ids.entries()) {
    expect((await catalog.get(id)).diagnosis_id).toBe(id)
    expect(await catalog.ids({ q: `word${n}x` })).toEqual([id])
  }
  expect(await catalog.write(named('2'))).toMatchObject({ inserted: 0, updated: ids.length, unchanged: 0 })
  const result = await catalog.reconcile(named('2').slice(1))
  expect(result).toMatchObject({ unchanged: ids.length - 1, deactivated: 1 })
  expect(await catalog.get(ids[0]!)).toMatchObject({ is_active: false })
})

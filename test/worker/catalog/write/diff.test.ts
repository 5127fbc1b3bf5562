import { describe, expect, it } from 'vitest'
import { DIFF_LIST_RECORDS } from '#shared/limits'
import type { Diff } from '#worker/catalog/schemas'
import {
  catalogOfEachTest,
  dataOf,
  type Fields,
  newCatalog,
  type Query,
  type WriteResult,
} from '../../../support/catalog'
import { TestHistory } from '../../../support/history'

const catalog = catalogOfEachTest()
const { record } = catalog

const PREVIEW = { dry_run: true, include: 'diff' }

const diffOf = async (records: Fields[], query: Query = {}): Promise<Diff> =>
  (await catalog.write(records, { ...PREVIEW, ...query })).diff!

const named = (...ids: string[]) => ids.map((id) => ({ id, name: `Name of ${id}` }))

/** New records. Their diff shows all their values. */
const added = (...ids: string[]) => named(...ids).map(({ id, name }) => ({ id, name, fields: { name: [null, name] } }))

// test/worker/catalog/model.test.ts covers the changes of any write.
describe('a diff', () => {
  it('works for a catalog that does not exist yet, and shows no record of another workspace', async () => {
    const theirs = await newCatalog()
    await theirs.write([theirs.record('shared', { strength: 'secret' }), theirs.record('theirs')])
    const nothing = { inserted: [], updated: [], reactivated: [], deactivated: [] }
    const sent = [record('shared')]
    expect(await diffOf([], { mode: 'reconcile' })).toEqual(nothing)
    expect(await diffOf(sent, { mode: 'reconcile' })).toEqual({ ...nothing, inserted: added('shared') })
    const { text } = await catalog.post(sent, { ...PREVIEW, mode: 'reconcile', format: 'csv' })
    expect(text).not.toMatch(/secret|theirs/)
  })

  it(`lists the first ${DIFF_LIST_RECORDS} of each kind in order, while the counts continue`, async () => {
    const many = DIFF_LIST_RECORDS + 10
    const group = (name: string, fields: (n: number) => Fields = () => ({})) =>
      Array.from({ length: many }, (_, n) => record(`${name} ${String(n).padStart(3, '0')}`, fields(n)))
    await catalog.write([...group('left out'), ...group('asleep', () => ({ is_active: false })), ...group('changed')])
    const sent = [...group('changed', () => ({ otc: true })), ...group('asleep'), ...group('new').toReversed()]
    const { diff, ...counts } = await catalog.write(sent, { ...PREVIEW, mode: 'reconcile' })
    expect(counts).toMatchObject({ inserted: many, updated: many, reactivated: many, deactivated: many })
    const ids = (list: { id: string }[]) => list.map(({ id }) => id)
    const first = (name: string, at: (n: number) => number) =>
      Array.from({ length: DIFF_LIST_RECORDS }, (_, n) => `${name} ${String(at(n)).padStart(3, '0')}`)
    expect(ids(diff!.updated)).toEqual(first('changed', (n) => n))
    expect(ids(diff!.reactivated)).toEqual(first('asleep', (n) => n))
    expect(ids(diff!.deactivated)).toEqual(first('left out', (n) => n))
    expect(ids(diff!.inserted)).toEqual(first('new', (n) => many - 1 - n))
  })
})

describe('the fields of an updated record', () => {
  const fieldsOf = async (before: Fields, after: Fields): Promise<Fields | undefined> => {
    await catalog.write([record('a', before)])
    return (await diffOf([record('a', after)])).updated[0]?.fields
  }

  it('are in the order of the definition, without those that the service adds', async () => {
    const fields = await fieldsOf(
      { strength: '5mg', otc: true, generic_list: ['p'], form_name: 'Tablet' },
      { otc: false },
    )
    expect(Object.entries(fields!)).toEqual([
      ['strength', ['5mg', null]],
      ['generic_list', [['p'], []]],
      ['form_name', ['Tablet', null]],
      ['otc', [true, false]],
    ])
  })

  it.each([
    ['follows the name on both sides', {}, { name: 'New' }, undefined],
    ['gets one of its own', {}, { name: 'New', display_name: 'Own' }, ['Old', 'Own']],
    ['loses its own', { display_name: 'Own' }, { name: 'New' }, ['Own', 'New']],
    ['becomes the name', { display_name: 'New' }, { name: 'New' }, undefined],
  ])('include a display name if it changes and one record has its own: %s', async (_, before, after, shown) => {
    const fields = await fieldsOf({ name: 'Old', ...before }, after)
    expect(fields!.display_name).toEqual(shown)
    expect(fields!.name).toEqual(['Old', 'New'])
  })
})

it('the fields of a new record are those with a value, and null before', async () => {
  const values = { display_name: 'Own', aliases: ['x'], otc: false, form_name: 'Tablet', refid: [] }
  const sent = { ...values, strength: null, generic_list: [], is_active: false }
  expect(Object.entries((await diffOf([record('a', sent)])).inserted[0]!.fields!)).toEqual([
    ['name', [null, 'Name of a']],
    ['display_name', [null, 'Own']],
    ['aliases', [null, ['x']]],
    ['form_name', [null, 'Tablet']],
    ['otc', [null, false]],
    ['is_active', [null, false]],
    ['refid', [null, []]],
  ])
  expect((await diffOf([record('a', { display_name: 'Name of a' })])).inserted).toEqual(added('a'))
})

describe('the values that a write clears', () => {
  const full = { display_name: 'Own', aliases: ['x'], strength: '5mg', otc: false, refid: 0, sku: 's' }

  it('are counted by field over all records, for fields that are missing or null', async () => {
    await catalog.write([record('a', full), record('b', full), record('c'), record('left out', full)])
    const sent = [
      record('a', { strength: null, otc: null, refid: 0, sku: 's' }),
      record('b', { ...full, aliases: [], refid: null, is_active: false }),
      record('c', { sku: 'new' }),
      record('new'),
    ]
    const expected = { display_name: 1, aliases: 2, strength: 1, otc: 1, refid: 1 }
    for (const query of [{ dry_run: true }, { dry_run: true, include: 'diff' }, {}]) {
      const { emptied, warnings } = await catalog.write(sent, query)
      expect(emptied).toEqual(expected)
      expect(warnings.map(({ field }) => field)).toEqual(Object.keys(expected))
      const msg = 'is cleared in 2 records; keep_missing=true keeps the values of fields that are not sent'
      expect(warnings[1]).toEqual({ field: 'aliases', msg, code: 'emptied', count: 2 })
    }
  })

  it('are reported again if a write is repeated with its key, and by a restore', async () => {
    await catalog.write([record('a')])
    await catalog.write([record('a', { sku: 'new' })])
    const history = new TestHistory(catalog)
    const msg = 'is cleared in 1 record'
    const told = { emptied: { sku: 1 }, warnings: [{ field: 'sku', msg, code: 'emptied', count: 1 }] }
    expect(await history.restore(1, { dry_run: true })).toMatchObject(told)
    expect(await history.restore(1)).toMatchObject(told)
    await catalog.write([record('a', { sku: 'new' })])
    const key = { 'Idempotency-Key': crypto.randomUUID() }
    const first = dataOf<WriteResult>(await catalog.post([record('a')], {}, key))
    expect(first).toMatchObject({ emptied: { sku: 1 } })
    expect(dataOf(await catalog.post([record('a')], {}, key))).toEqual(first)
  })
})

it('a diff requires a dry run, and a query that requests it', async () => {
  await catalog.write([record('a')])
  for (const [field, query] of [
    ['include', { include: 'diff' }],
    ['include', { include: 'counts', dry_run: true }],
    ['format', { format: 'csv' }],
    ['change', { change: 'inserted', format: 'json', ...PREVIEW }],
  ] as const) {
    const { errors } = await catalog.refused(400, catalog.post([record('new')], query))
    expect(errors, JSON.stringify(query)).toMatchObject([{ field }])
  }
  expect(await catalog.ids()).toEqual(['a'])
})

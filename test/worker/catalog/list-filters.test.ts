import { describe, expect, it } from 'vitest'
import { catalogOfEachTest, idsIn, newCatalog, type Query, TestCatalog } from '../../support/catalog'

const catalog = catalogOfEachTest()
const { record } = catalog

describe('match=all', () => {
  const found = (q: string, query: Query = {}) => catalog.ids({ q, match: 'all', sort: 'id', ...query })

  it('finds codes, generics, strengths and forms in addition to names', async () => {
    await catalog.write([
      record('MED-0007', { name: 'Aspirin', aliases: ['Acetyl'], manufacturer: 'Bayer AG' }),
      record('b', { name: 'Plain', sku: 'SKU-99', generic_id: 'G55', generic_list: ['Acetylsalicylic acid'] }),
      record('c', { name: 'Other', strength: '500 mg', form_name: 'Tablet', refid: 'REF-1' }),
      record('d', { sku: '0' }),
      record('e', { name: 'Off', sku: 'SKU-99', is_active: false }),
    ])
    for (const [q, ids] of [
      ['med-0007', ['MED-0007']],
      ['acetyl', ['MED-0007', 'b']],
      ['sku-99', ['b']],
      ['g55', ['b']],
      ['tab 0.5 g other', ['c']],
      ['bayer', []],
      ['0', ['d']],
      ['++', []],
    ] as const) {
      expect(await found(q), q).toEqual(ids)
    }
    expect(await found('sku-99', { show_inactive: 1 })).toEqual(['b', 'e'])
    expect(await found('sku-99', { active: false })).toEqual(['e'])
    for (const q of ['0007', 'acid', '500']) expect(await catalog.ids({ q }), q).toEqual([])
  })

  it('returns the best match first on request', async () => {
    await catalog.write([
      record('a', { name: 'Paracetamol forte', strength: '500 MG' }),
      record('b', { name: 'Dolo', strength: '650MG', generic_name: 'Paracétamol' }),
      record('c', { name: 'Duo', generic_list: ['Ibuprofen', 'Paracetamol'], sku: 'paracetamol' }),
      record('d', { name: 'Paracetamol' }),
      record('e', { name: 'Ibuprofen' }),
    ])
    const best = (q: string) => found(q, { sort: 'match' })
    expect(await best('paracetamol')).toEqual(['c', 'd', 'a', 'b'])
    expect(await best('B')).toEqual(['b', 'e'])
    const file = await catalog.export({ q: 'paracetamol', match: 'all', sort: 'match' })
    expect(idsIn(file)).toEqual(['c', 'd', 'a', 'b'])
  })
})

describe('a filter', () => {
  const FORMS = ['Tablet', 'TABS', 'Capsule', 'Unheard-of form', null, 'TABLET, FILM COATED']

  it('by dosage form accepts every spelling that is linked to it, and linked distinguishes the others', async () => {
    await catalog.write(FORMS.map((form_name, n) => record(`r${n}`, form_name === null ? {} : { form_name })))
    const { items } = await catalog.list({ sort: 'id' })
    const idsWhere = (condition: (form: unknown) => boolean) =>
      items.filter(({ form_id }) => condition(form_id)).map(({ medication_id }) => medication_id)
    for (const form_id of ['tablet', 'capsule', 'film_coated_tablet', 'pastille']) {
      const expected = idsWhere((form) => form === form_id)
      expect(await catalog.list({ form_id, sort: 'id' })).toMatchObject({ total: expected.length })
      expect(await catalog.ids({ form_id, sort: 'id' })).toEqual(expected)
    }
    expect(await catalog.ids({ linked: true, sort: 'id' })).toEqual(idsWhere((form) => form !== null))
    expect(await catalog.ids({ linked: false, sort: 'id' })).toEqual(['r3', 'r4'])
    expect(await catalog.ids({ linked: false, form_id: 'tablet' })).toEqual([])
  })

  it('by kind finds lab tests of that kind, also by their codes', async () => {
    const tests = new TestCatalog(catalog.workspace, 'lab_test')
    await tests.write([
      tests.record('a', { kind: 'imaging', loinc: '4548-4' }),
      tests.record('b', { kind: 'functional' }),
      tests.record('c', { kind: 'imaging', is_active: false }),
    ])
    expect(await tests.ids({ kind: 'imaging' })).toEqual(['a'])
    expect(await tests.ids({ kind: 'imaging', show_inactive: 1 })).toEqual(['c', 'a'])
    expect(await tests.ids({ q: '4548', match: 'all' })).toEqual(['a'])
  })

  it('by active state finds active records, inactive ones, or both', async () => {
    await catalog.write([record('a'), record('b', { is_active: false }), record('c', { is_active: false })])
    expect(await catalog.ids({ active: true })).toEqual(['a'])
    expect(await catalog.list({ active: false })).toMatchObject({ total: 2 })
    expect(await catalog.ids({ active: false, q: 'of b' })).toEqual(['b'])
    expect(await catalog.ids({ active: false, q: 'name', sort: 'name' })).toEqual(['b', 'c'])
    const form = { form_name: 'Tablet', generic_name: 'Bayer' }
    const since = (await catalog.get('a')).updated_at as string
    await catalog.write([record('d', form), record('c', { ...form, is_active: false })])
    const all = { form_id: 'tablet', q: 'bayer', match: 'all', sort: '-id', updated_since: since }
    expect(await catalog.ids({ ...all, show_inactive: 1 })).toEqual(['d', 'c'])
    expect(await catalog.ids({ ...all, active: false })).toEqual(['c'])
  })

  it('shows nothing of other workspaces', async () => {
    const other = await newCatalog()
    await other.write([other.record('x', { form_name: 'Tablet', generic_name: 'Bäyer' })])
    await catalog.write([record('a', { form_name: 'Tablet' })])
    for (const query of [{ form_id: 'tablet' }, { linked: true }, { sort: 'name', show_inactive: 1 }])
      expect(await catalog.ids(query)).toEqual(['a'])
    expect(await catalog.ids({ q: 'bayer', match: 'all' })).toEqual([])
    expect(await catalog.export({ sort: 'name' })).not.toContain('Bäyer')
  })
})

describe('sort', () => {
  it('orders by name, by ID, or by the time of the change', async () => {
    await catalog.write([
      record('10', { name: 'Éclair' }),
      record('9', { name: 'apple' }),
      record('B', { name: 'Apple pie' }),
      record('a', { name: 'zinc', display_name: 'Aaa' }),
    ])
    await catalog.write([record('9', { name: 'apple', sku: '1' })])
    expect(idsIn(await catalog.export())).toEqual(['10', '9', 'B', 'a'])
    for (const [sort, ids] of [
      ['name', ['9', 'B', '10', 'a']],
      ['-name', ['a', '10', 'B', '9']],
      ['id', ['10', '9', 'B', 'a']],
      ['-id', ['a', 'B', '9', '10']],
      ['updated_at', ['10', 'B', 'a', '9']],
      ['-updated_at', ['9', 'a', 'B', '10']],
    ] as const) {
      expect(await catalog.ids({ sort }), sort).toEqual(ids)
      expect(idsIn(await catalog.export({ sort, limit: 2 })), sort).toEqual(ids)
    }
  })

  it('is the same across pages as on one page, even with equal names', async () => {
    const fields = (n: number) => ({ name: `Name ${n % 3}`, is_active: n % 4 > 0, form_name: 'Tablet' })
    await catalog.write(catalog.records(20, fields))
    for (const query of [
      { q: 'na', show_inactive: 1 },
      { sort: '-name' },
      { sort: 'updated_at', q: 'name 1', show_inactive: 1 },
      { form_id: 'tablet', sort: 'updated_at', active: false },
    ]) {
      const whole = await catalog.ids(query)
      const ids: string[] = []
      for (const offset of [0, 7, 14]) {
        const { total, has_more } = await catalog.list({ ...query, limit: 7, offset })
        expect([total, has_more]).toEqual([whole.length, offset + 7 < whole.length])
        ids.push(...(await catalog.ids({ ...query, limit: 7, offset })))
      }
      expect(ids, JSON.stringify(query)).toEqual(whole)
    }
  })
})

it('a list query is rejected with the name of a parameter that is wrong or incompatible with others', async () => {
  for (const [query, field, code] of [
    [{ sort: 'price' }, 'sort', 'not_allowed'],
    [{ show_inactive: '0' }, 'show_inactive', 'not_allowed'],
    [{ form_id: 'Tablet' }, 'form_id', 'not_allowed'],
    [{ kind: 'imaging' }, 'kind', 'conditional'],
    [{ active: true, show_inactive: 1 }, 'active', 'conditional'],
  ] as const) {
    const { errors } = await catalog.refused(400, catalog.send('GET', '/', query))
    expect(errors, field).toMatchObject([{ index: null, field, code }])
  }
})

it('a list by dosage form is rejected if the catalog has too many different form names', async () => {
  await catalog.write(catalog.records(5001, (n) => ({ form_name: `Form ${n}` })))
  for (const query of [{ form_id: 'tablet' }, { linked: false }, { linked: false, format: 'csv' }]) {
    const { errors } = await catalog.refused(400, catalog.send('GET', '/', query))
    expect(errors).toMatchObject([{ field: Object.keys(query)[0], code: 'not_allowed' }])
  }
})

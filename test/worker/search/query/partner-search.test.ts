import { describe, expect, it } from 'vitest'
import { type Fields, newCatalog, TestCatalog } from '../../../support/catalog'
import { TestHistory } from '../../../support/history'
import { search, searchedCatalog } from '../../../support/searches'

const found = (catalog: TestCatalog, q: string, limit = 50, offset = 0) => search(catalog, q, { limit, offset })

const namesFor = async (catalog: TestCatalog, q: string, limit?: number) =>
  (await found(catalog, q, limit)).items.map(({ name }) => name)

const named = (...names: string[]) => names.map((name, i) => ({ symptom_id: String(i), name }))

describe('the search setting', () => {
  it('decides which catalog is searched', async () => {
    const catalog = await newCatalog('symptom')
    await catalog.write(named('Fever of the workspace'))
    // The operator has not filled the provider's catalog.
    const none = { items: [], count: 0, approximate: 0, groups: [], has_more: false }
    expect(await found(catalog, 'feverish')).toEqual({ type: 'symptom', source: 'provider', ...none })
    const provider = await newCatalog('symptom', 'provider')
    await provider.write(named('Fever of the provider'))
    const expectFrom = async (source: string, query = {}) =>
      expect(await search(catalog, 'fever', query)).toMatchObject({
        source,
        items: [{ name: `Fever of the ${source}` }],
      })
    for (const [enabled, switched] of [
      [false, 'provider'],
      [true, 'workspace'],
      [false, 'provider'],
    ] as const) {
      await catalog.setSearch(enabled)
      await expectFrom(switched)
      for (const source of ['provider', 'workspace']) await expectFrom(source, { source })
    }
  })
})

describe('the order', () => {
  it('puts the best match first, and names before aliases', async () => {
    const catalog = await searchedCatalog([
      { symptom_id: '9', name: 'Bad', aliases: ['ache of the head'] },
      { symptom_id: '8', name: 'Ache, bad, of the head' },
      { symptom_id: '7', name: 'P', aliases: ['A bad head ache'] },
      { symptom_id: '6b', name: 'A big head ache' },
      { symptom_id: '6a', name: 'A head ache' },
      { symptom_id: '5', name: 'M', aliases: ['Head aches of one side'] },
      { symptom_id: '4', name: 'Cephalgia', aliases: ['Pain', 'HEAD ACHE'] },
      { symptom_id: '2b', name: 'A', display_name: 'Head ache, chronic', aliases: ['Head ache'] },
      { symptom_id: '2a', name: 'Head aches' },
      { symptom_id: '1b', name: 'Migraine', display_name: 'Head-ache' },
      { symptom_id: '1a', name: 'head ache' },
    ])
    const { items } = await found(catalog, 'head ache')
    expect(items.map((item) => item.symptom_id)).toEqual(['1b', '1a', '2b', '2a', '4', '5', '6a', '6b', '7', '8', '9'])
  })

  it('puts the best match first, however many records contain the words', async () => {
    const many = Array.from({ length: 1510 }, (_, i) => ({ symptom_id: `${i}`, name: `Acute pain ${i}` }))
    const catalog = await searchedCatalog([
      ...many,
      { symptom_id: 'x', name: 'Zz', display_name: 'Pain' },
      { symptom_id: 'y', name: 'Painful' },
    ])
    expect(await namesFor(catalog, 'pain', 2)).toEqual(['Zz', 'Painful'])
  })
})

describe('a search', () => {
  it('finds only active records of its own workspace and type, after each kind of change', async () => {
    const catalog = await searchedCatalog([
      { symptom_id: '1', name: 'Fever', is_active: false },
      { symptom_id: '2', name: 'Fever, mild' },
    ])
    await searchedCatalog(named('Fever of another workspace'))
    const diagnoses = new TestCatalog(catalog.workspace, 'diagnosis')
    await diagnoses.write([diagnoses.record('1', { name: 'Fever' })])
    expect(await namesFor(catalog, 'fever')).toEqual(['Fever, mild'])
    expect(await namesFor(catalog, 'f')).toEqual(['Fever, mild'])
    await catalog.write([{ symptom_id: '1', name: 'Fever' }])
    expect(await namesFor(catalog, 'fever')).toEqual(['Fever', 'Fever, mild'])
    await catalog.reconcile([{ symptom_id: '1', name: 'Fever' }])
    expect(await namesFor(catalog, 'fever')).toEqual(['Fever'])
    await new TestHistory(catalog).restore(1, { confirm_shrink: true })
    expect(await namesFor(catalog, 'fever')).toEqual(['Fever, mild'])
  })

  it('needs every word, however it is written', async () => {
    const names = ['Dépression mineure', 'Depression', "Crohn's disease", 'a*b "qu" [zz] \\e', 'axb']
    const catalog = await searchedCatalog(named(...names))
    expect(await namesFor(catalog, 'mineure DEPRES', 1)).toEqual(['Dépression mineure'])
    expect(await namesFor(catalog, 'depres')).toEqual(['Depression', 'Dépression mineure'])
    expect(await namesFor(catalog, 'Crohn’s')).toEqual(["Crohn's disease"])
    expect(await namesFor(catalog, '"qu" * [zz] \\')).toEqual(['a*b "qu" [zz] \\e'])
    for (const q of ['', '   ', '++', '.']) expect(await namesFor(catalog, q)).toEqual([])
  })

  it('finds no word inside another, except in scripts without spaces', async () => {
    const catalog = await searchedCatalog(named('Percocet', '阿司匹林肠溶片', 'ยาแก้ปวดหัว'))
    for (const q of ['er', 'cocet']) expect(await namesFor(catalog, q), q).toEqual([])
    for (const q of ['肠溶', '司匹林肠溶片']) expect(await namesFor(catalog, q), q).toEqual(['阿司匹林肠溶片'])
    expect(await namesFor(catalog, 'ปวดหัว')).toEqual(['ยาแก้ปวดหัว'])
  })

  it('accepts more words than the database accepts values', async () => {
    const letters = [...'abcdefghijklmnopqrstuvwxyzαβγδεζηθικλμνξοπρστυφχψωбвгджзийклмнптфцчшщъыьэюя'].slice(0, 70)
    const names = [letters, letters.slice(1), letters.slice(0, -1)].map((some) => some.join('-'))
    const long = ['9'.repeat(200), 'x'.repeat(200)]
    const catalog = await searchedCatalog(named(...names, ...long))
    expect((await namesFor(catalog, letters.join(' ')))[0]).toEqual(letters.join('-'))
    for (const q of long) expect(await namesFor(catalog, q), q).toEqual([q])
  })
})

/** Names with a number, and queries that find it. */
const QUANTITIES = {
  'Digoxin 0·25 mg': 'digoxin 0.25 mg, digoxin 0,25, digoxin 250 mcg',
  'Glucose 0٫9 %': 'glucose 0.9 %',
  'ديجوكسين ٠٫٢٥ ملغ': 'ديجوكسين 0.25 ملغ, ديجوكسين 250 mcg',
  'Colistin 1,00,000 IU': 'colistin 100000 IU, colistin 100,000 units',
  'Paracetamol 1 000 mg': 'paracetamol 1000 mg, paracetamol 1g, paracetamol 1 000 mg',
  'Metformina 1.000 mg': 'metformina 1.000 mg, metformina 1.000',
  'Heparin 5.000 I.E./ml': 'heparin 5.000 ie',
  'Warfarin 1½ mg': 'warfarin 1.5 mg',
  'BCG 2×10⁸ CFU': 'bcg 200000000 cfu',
  'Polymyxin 1 MIU': 'polymyxin 1000000 units, polymyxin 1 million ui, polymyxin 1 MIU',
  'Benzylpenicillin 1.2 million IU': 'benzylpenicillin 1200000 iu, benzylpenicillin 1 200 000 IE',
  'Iodide 5 mCi': 'iodide 5 mci',
  "Levotiroxina 0'05 mg": 'levotiroxina 0.05 mg, levotiroxina 50 mcg',
  'Adrenaline 1:1000': 'adrenaline 1:1000',
}

async function quantities(): Promise<TestCatalog> {
  const catalog = await newCatalog('medication')
  const records = Object.keys(QUANTITIES).map((name, n) =>
    catalog.record(`q${n}`, { name, strength: name.replace(/^\S+ /, '') }),
  )
  await catalog.write(records)
  await catalog.setSearch(true)
  return catalog
}

/** The names of ordinary matches. */
async function exactNames(catalog: TestCatalog, q: string) {
  const { items, groups } = await found(catalog, q)
  return items.slice(0, groups.find(({ match }) => match === 'exact')?.count ?? 0).map(({ name }) => name)
}

describe('a search for medications', () => {
  const drugs = async () => {
    const catalog = await newCatalog('medication')
    const drug = (id: string, name: string, fields: Fields = {}) => catalog.record(id, { name, ...fields })
    const tablet = (strength: string) => ({ strength, form_name: 'Tablet' })
    await catalog.write([
      drug('met500', 'Metformin', { ...tablet('500 mg'), generic_name: 'Metformin hydrochloride' }),
      drug('met500xr', 'Metformin', { strength: '500 mg', form_name: 'TABLET, EXTENDED RELEASE' }),
      drug('met1g', 'Metformin', { strength: '1 g', form_name: 'Tab' }),
      drug('percocet', 'Percocet', { ...tablet('5 mg;325 mg'), generic_list: ['Oxycodone', 'Acetaminophen'] }),
      drug('levo50', 'Levothyroxine', tablet('50 mcg')),
      drug('augmentin', 'Augmentin', {
        strength: '500 mg;125 mg',
        generic_list: ['Amoxicillin', 'Clavulanate potassium'],
      }),
      drug('8', 'Medrol', tablet('8 mg')),
      drug('80', 'Depo-Medrol', { strength: '80 mg/ml', form_name: 'Injectable' }),
      drug('omeprazole', 'Omeprazole 20', { form_name: 'Capsule, delayed release' }),
      drug('heparin', 'Heparin', { strength: '100,000 units' }),
    ])
    await catalog.setSearch(true)
    return catalog
  }

  it('finds other units, abbreviations and names as ordinary matches', async () => {
    const catalog = await drugs()
    const exact = async (q: string) => {
      const { items, groups } = await found(catalog, q)
      const count = groups.find(({ match }) => match === 'exact')?.count ?? 0
      return items.slice(0, count).map(({ medication_id }) => medication_id)
    }
    for (const [q, ids] of [
      ['metformin 500 tab', ['met500', 'met500xr']],
      ['Tab. metformin 500mg', ['met500', 'met500xr']],
      ['metformin er', ['met500xr']],
      ['metformin hcl', ['met500']],
      ['metformin 1000', ['met1g']],
      ['metformin 1g', ['met1g']],
      ['paracetamol', ['percocet']],
      ['acetaminophen', ['percocet']],
      ['amoxicillin/clavulanate', ['augmentin']],
      ['augmentin 625', ['augmentin']],
      ['levothyroxine 0.05 mg', ['levo50']],
      ['levothyroxine 50', ['levo50']],
      ['omeprazole dr caps', ['omeprazole']],
      ['omeprazole 20mg', ['omeprazole']],
      ['heparin 100000 iu', ['heparin']],
      ['medrol inj', ['80']],
      ...['metformin 50', 'metformin 500 mcg', 'levothyroxine 5 mcg', 'medrol 80 tab'].map((q) => [q, []] as const),
    ] as const) {
      expect(await exact(q), q).toEqual(ids)
    }
  })

  it('finds a number however it is written', async () => {
    const catalog = await quantities()
    for (const [name, queries] of Object.entries(QUANTITIES))
      for (const q of queries.split(', ')) expect(await exactNames(catalog, q), q).toEqual([name])
  })

  it('finds no other number as an ordinary match', async () => {
    const catalog = await quantities()
    for (const q of (
      'digoxin 25 mg,digoxin 25,glucose 9 %,ديجوكسين 25 ملغ,colistin 1 IU,paracetamol 0 mg,paracetamol 1 mg,' +
      'metformina 1 mg,metformina 1000 mg,metformina 1,heparin 5,heparin 5 ie,heparin 5000 ie,warfarin 11 mg,' +
      'warfarin 1 mg,warfarin 2 mg,bcg 108,bcg 2 cfu,polymyxin 1 unit,benzylpenicillin 1.2 iu,iodide 5 mg,' +
      'iodide 5 units,levotiroxina 5 mg,levotiroxina 05 mg,adrenaline 1 mg'
    ).split(',')) {
      expect(await exactNames(catalog, q), q).toEqual([])
    }
  })

  it('ignores a number if no record contains it', async () => {
    const { groups } = await found(await quantities(), 'heparin 5000 ie')
    expect(groups).toEqual([{ match: 'left_out', count: 1, query: 'heparin', left_out: ['5000 ie'] }])
  })

  it('shows matches that only begin with a number in a separate group', async () => {
    const { items, groups } = await found(await drugs(), 'medrol 8', 2)
    expect(items.map(({ medication_id }) => medication_id)).toEqual(['8', '80'])
    expect(groups).toEqual([
      { match: 'exact', count: 1, query: null, left_out: [] },
      { match: 'beginning', count: 1, query: 'medrol 8', left_out: [] },
    ])
  })

  it('never changes a number, accepts no ambiguous abbreviation, and reports what it ignored', async () => {
    const catalog = await drugs()
    await catalog.write([catalog.record('oxy', { name: 'Oxycodone and aspirin', strength: '5 mg;325 mg' })])
    for (const [q, query, count, left_out] of [
      ['medrol 12.5mg', 'medrol', 2, '12.5 mg'],
      ['levothyroxine er', 'levothyroxine', 1, 'er'],
    ] as const) {
      expect((await found(catalog, q)).groups).toEqual([{ match: 'left_out', count, query, left_out: [left_out] }])
    }
    // 5-ASA is not aspirin, and a release type alone is an ordinary word.
    for (const q of ['5-asa', 'er']) expect((await found(catalog, q)).items, q).toEqual([])
  })

  it('uses other names of medications only in their catalog', async () => {
    const catalog = await searchedCatalog(named('Acetaminophen poisoning', 'Sodium deficiency'))
    for (const q of ['paracetamol', 'na']) expect(await namesFor(catalog, q), q).toEqual([])
  })
})

describe('when fewer than five records match', () => {
  const drugs = () =>
    searchedCatalog([
      { symptom_id: '1', name: 'Ibuprofen' },
      { symptom_id: '2', name: 'Advil', aliases: ['Ibuprofen sodium'] },
      { symptom_id: '3', name: 'Paracetamol forte' },
      { symptom_id: '4', name: 'Ibis' },
      { symptom_id: '6', name: 'Hydrochlorothiazide' },
      { symptom_id: '7', name: 'Éphédrine', is_active: false },
    ])

  const near = async (catalog: TestCatalog, q: string, limit?: number) => {
    const { items, approximate, groups } = await found(catalog, q, limit)
    return { names: items.map(({ name }) => name), approximate, groups }
  }

  it('misspelled, joined and split words are understood', async () => {
    const catalog = await drugs()
    for (const [q, names] of [
      ['hidrochlorotiazide', ['Hydrochlorothiazide']],
      ['xydrochlorothiazide', ['Hydrochlorothiazide']],
      ['qdvil', ['Advil']],
      ['parecet', ['Paracetamol forte']],
      ['advill', ['Advil']],
      ['ibuprofensodium', ['Advil']],
      ['para cetamol', ['Paracetamol forte']],
    ] as const) {
      expect(await near(catalog, q), q).toMatchObject({ names, approximate: names.length })
    }
  })

  it('a word that a record contains is never changed', async () => {
    const catalog = await drugs()
    await catalog.write(named('Ephedrina', 'Vitamin b12').map((record) => ({ ...record, symptom_id: record.name })))
    expect(await near(catalog, 'ephedrine')).toMatchObject({ names: [] })
    expect(await near(catalog, 'b12x')).toMatchObject({ names: [] })
    expect(await near(catalog, 'vitamn b12')).toMatchObject({ names: ['Vitamin b12'] })
    expect(await near(catalog, 'vitamin b13')).toMatchObject({ groups: [{ match: 'left_out', left_out: ['b13'] }] })
  })

  it('a word is ignored only if no misspelled word matches', async () => {
    const catalog = await drugs()
    for (const [q, match, query, left_out] of [
      ['forte ibuprofn', 'left_out', 'forte', ['ibuprofn']],
      ['forte paracetmol', 'misspelt', 'forte paracetamol', []],
      ['sodium ibuprofn', 'misspelt', 'sodium ibuprofen', []],
      ['para cetamol', 'misspelt', 'paracetamol', []],
    ] as const) {
      expect((await near(catalog, q)).groups).toEqual([{ match, count: 1, query, left_out }])
    }
  })

  it('exact matches come first and are not repeated', async () => {
    const catalog = await searchedCatalog([
      ...named('Ibuprofin', 'Ibuprofne forte', 'Ibuprofan', 'Ibuprofne'),
      { symptom_id: 'x', name: 'Ibuprofun', is_active: false },
    ])
    const names = ['Ibuprofne', 'Ibuprofne forte', 'Ibuprofan', 'Ibuprofin']
    expect(await near(catalog, 'ibuprofn')).toMatchObject({ names, approximate: 2 })
    expect(await near(catalog, 'ibuprofn', 3)).toMatchObject({ approximate: 1 })
    expect(await near(catalog, 'ibuprofn', 2)).toMatchObject({ approximate: 0 })
    // All matches count, not only the requested ones.
    await catalog.write(named('Feverr a', 'Feverr b', 'Feverr c', 'Feverr d', 'Feverr e', 'Lever'))
    for (const limit of [3, 50]) expect(await near(catalog, 'fever', limit)).toMatchObject({ approximate: 0 })
  })
})

describe('cached results', () => {
  it('are never older than a write', async () => {
    const catalog = await searchedCatalog(named('Fever', 'Fever, mild'))
    const other = await searchedCatalog(named('Fever of another', 'Feverish'))
    for (let n = 0; n < 2; n++) expect(await namesFor(catalog, 'fever', 1)).toEqual(['Fever'])
    expect(await namesFor(catalog, 'fever', 2)).toEqual(['Fever', 'Fever, mild'])
    expect(await namesFor(catalog, 'fever mild', 1)).toEqual(['Fever, mild'])
    expect(await namesFor(other, 'fever', 2)).toEqual(['Feverish', 'Fever of another'])
    await catalog.write(named('Fever, high'))
    expect(await namesFor(catalog, 'fever', 1)).toEqual(['Fever, high'])
    await catalog.write([{ symptom_id: '0', name: 'Fever, high', is_active: false }])
    expect(await namesFor(catalog, 'fever', 1)).toEqual(['Fever, mild'])
  })
})

describe('the pages of a result', () => {
  const fevers = Array.from({ length: 230 }, (_, i) => ({
    symptom_id: String(i),
    name: i % 3 === 0 ? 'Fever' : 'Fever, mild',
    icd10: i % 10 === 0 ? 'MILD' : undefined,
  }))

  it.each([
    ['of a beginning of two letters', 'fe', 230],
    ['of codes and of a word further on', 'mild', 161],
  ])('%s contain each match once, in the order of the whole result', async (_, q, count) => {
    const catalog = await searchedCatalog(fevers)
    const ids: unknown[] = []
    for (let offset = 0; offset <= 250; offset += 50) {
      const { items } = await found(catalog, q, 50, offset)
      expect(items).toHaveLength(Math.max(0, Math.min(50, count - offset)))
      ids.push(...items.map(({ symptom_id }) => symptom_id))
    }
    expect(new Set(ids).size).toBe(count)
    const uneven = [...(await found(catalog, q, 33)).items, ...(await found(catalog, q, 47, 33)).items]
    expect(uneven.map(({ symptom_id }) => symptom_id)).toEqual(ids.slice(0, 80))
  })

  it('are complete according to has_more: 500 matches at most, and no offset beyond 450', async () => {
    const catalog = await searchedCatalog(
      Array.from({ length: 510 }, (_, i) => ({ symptom_id: `${i}`, name: 'Fever' })),
    )
    const ids = new Set<unknown>()
    let offset = 0
    for (let more = true; more; ) {
      const { items, has_more } = await found(catalog, 'fever', 33, offset)
      for (const { symptom_id } of items) ids.add(symptom_id)
      offset += items.length
      more = has_more
    }
    expect([ids.size, offset]).toEqual([14 * 33, 14 * 33])
  })

  it('continue through approximate matches', async () => {
    const catalog = await searchedCatalog(named('Feverq', 'Feverish', 'Fevre one', 'Fevre two'))
    for (const [limit, offset, items, approximate, has_more] of [
      [50, 0, 4, 2, false],
      [2, 0, 2, 0, true],
      [2, 1, 2, 1, true],
      [2, 2, 2, 2, false],
    ] as const) {
      const page = { items: { length: items }, approximate, has_more }
      expect(await found(catalog, 'fever', limit, offset)).toMatchObject(page)
    }
    expect(await found(catalog, 'fever', 50, 3)).toMatchObject({ items: [{ name: 'Fevre two' }], approximate: 1 })
  })
})

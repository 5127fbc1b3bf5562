import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { foldText } from '#shared/records/search-text'
import { type Fields, newCatalog, TestCatalog } from '../../../support/catalog'
import { search, searchedCatalog } from '../../../support/searches'

const found = (catalog: TestCatalog, q: string, limit = 50, offset = 0) => search(catalog, q, { limit, offset })

const namesFor = async (catalog: TestCatalog, q: string, limit?: number) =>
  (await found(catalog, q, limit)).items.map(({ name }) => name)

const named = (...names: string[]) => names.map((name, i) => ({ symptom_id: String(i), name }))

describe('the switch', () => {
  it('decides whose catalog is searched, and takes effect at once', async () => {
    const provider = await newCatalog('symptom', 'provider')
    await provider.write(named('Fever of the provider'))
    const catalog = await newCatalog('symptom')
    await catalog.write(named('Fever of the workspace'))
    expect(await found(catalog, 'fever')).toMatchObject({
      source: 'provider',
      items: [{ name: 'Fever of the provider' }],
    })
    await catalog.setSearch(true)
    expect(await found(catalog, 'fever')).toMatchObject({
      source: 'workspace',
      items: [{ name: 'Fever of the workspace' }],
    })
    await catalog.setSearch(false)
    expect((await found(catalog, 'fever')).source).toBe('provider')
  })

  it('finds nothing at the provider as long as the operator has not filled its catalog', async () => {
    const catalog = await newCatalog('symptom')
    for (const q of ['fever', 'feverish cough', 'f']) {
      expect(await found(catalog, q)).toEqual({
        type: 'symptom',
        source: 'provider',
        items: [],
        count: 0,
        approximate: 0,
        has_more: false,
      })
    }
  })
})

describe('the order', () => {
  it('puts names before aliases: equal, starting with q, a word starting with q, any other match', async () => {
    const catalog = await searchedCatalog([
      { symptom_id: '7', name: 'Postheadache', aliases: ['x'] },
      { symptom_id: '6', name: 'P', aliases: ['Bad headache'] },
      { symptom_id: '5b', name: 'Big headaches' },
      { symptom_id: '5a', name: 'A headache' },
      { symptom_id: '4', name: 'M', aliases: ['Headaches of one side'] },
      { symptom_id: '3', name: 'Cephalgia of the head', aliases: ['Pain', 'HEADACHE'] },
      { symptom_id: '2b', name: 'A', display_name: 'Headache, chronic', aliases: ['Headache'] },
      { symptom_id: '2a', name: 'Headaches' },
      { symptom_id: '1b', name: 'Migraine', display_name: 'Headache' },
      { symptom_id: '1a', name: 'headache' },
    ])
    const ids = async (q: string) => (await found(catalog, q)).items.map((item) => item.symptom_id)
    expect(await ids('headache')).toEqual(['1b', '1a', '2b', '2a', '3', '4', '5a', '5b', '6', '7'])
    expect(await ids('chronic headache')).toEqual(['2b'])
  })

  it('of words in another order puts records first whose names have words that begin with them', async () => {
    const catalog = await searchedCatalog([
      { symptom_id: '3', name: 'Xpain', aliases: ['backx'] },
      { symptom_id: '2', name: 'Pain', aliases: ['back'] },
      { symptom_id: '1', name: 'Pain of the lower back' },
      { symptom_id: '0', name: 'Back pain' },
    ])
    const { items } = await found(catalog, 'back pain')
    expect(items.map((item) => item.symptom_id)).toEqual(['0', '1', '2', '3'])
  })

  it('holds for words of one and two letters', async () => {
    const catalog = await searchedCatalog(named('bab', 'a', 'ab c', 'c ab', 'abc', 'cab'))
    expect(await namesFor(catalog, 'a')).toEqual(['a', 'abc', 'ab c', 'c ab', 'bab', 'cab'])
    expect(await namesFor(catalog, 'ab')).toEqual(['abc', 'ab c', 'c ab', 'bab', 'cab'])
  })

  it('of one letter puts a display name that equals it first, however many shorter names begin with it', async () => {
    const shorter = Array.from({ length: 60 }, (_, i) => ({ symptom_id: `${i}`, name: `A${i}` }))
    const catalog = await searchedCatalog([...shorter, { symptom_id: 'x', name: 'Zinc oxide', display_name: 'A' }])
    expect(await namesFor(catalog, 'a', 2)).toEqual(['Zinc oxide', 'A0'])
  })
})

describe('a search', () => {
  it('finds active records of the own workspace and of the type only', async () => {
    const catalog = await searchedCatalog([
      { symptom_id: '1', name: 'Fever', is_active: false },
      { symptom_id: '2', name: 'Fever, mild' },
    ])
    await searchedCatalog(named('Fever of another workspace'))
    const diagnoses = new TestCatalog(catalog.workspace, 'diagnosis')
    await diagnoses.write([diagnoses.record('1', { name: 'Fever' })])
    expect(await namesFor(catalog, 'fever')).toEqual(['Fever, mild'])
    expect(await namesFor(catalog, 'f')).toEqual(['Fever, mild'])
  })

  it('needs every word, in any case, with or without diacritics', async () => {
    const catalog = await searchedCatalog(named('Dépression mineure', 'Depression'))
    expect(await namesFor(catalog, 'mineure DEPRES')).toEqual(['Dépression mineure'])
    expect(await namesFor(catalog, 'depres')).toEqual(['Depression', 'Dépression mineure'])
    expect(await namesFor(catalog, '')).toEqual([])
    expect(await namesFor(catalog, '   ')).toEqual([])
  })

  it('finds any characters within a word, and takes none for a pattern', async () => {
    const long = '😀'.repeat(40)
    const names = ['a*b*c', 'a?b?c', 'a[b]c', 'a[!b]c', 'a"b\\c', `xx${long}y`, `xx${'x[x'.repeat(20)}y`, 'axxc']
    const catalog = await searchedCatalog(named(...names))
    for (const name of names) expect(await namesFor(catalog, name.slice(1))).toEqual([name])
    for (const q of ['*b', '?b', '[b', '!b]', '"b']) expect(await namesFor(catalog, q)).toHaveLength(1)
    for (const q of ['x?y', '[ac', 'b*x', '??', '**']) expect(await namesFor(catalog, q)).toEqual([])
  })

  it('takes more words than the database takes values', async () => {
    const letters = [...'abcdefghijklmnopqrstuvwxyzαβγδεζηθικλμνξοπρστυφχψωбвгджзийклмнптфцчшщъыьэюя'].slice(0, 70)
    const names = [letters, letters.slice(1), letters.slice(0, -1)].map((some) => some.join('-'))
    const catalog = await searchedCatalog(named(...names))
    expect(await namesFor(catalog, letters.join(' '))).toEqual([letters.join('-')])
  })

  it('takes many words of which several are long and misspelt', async () => {
    const name = 'hydrochlorothiazide, losartan-potassium and magnesiumstearate 50 mg a b c'
    const catalog = await searchedCatalog(named(name))
    const q = 'hydrochlorothiazde losartn-potassium magnesiumstaerate 50 mg a b c'
    expect(await found(catalog, q)).toMatchObject({ items: [{ name }], approximate: 1 })
  })

  it('agrees with a simple search over any catalog, with few candidates and with many', async () => {
    const word = fc.stringMatching(/^[abé]{1,4}$/)
    const text = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(' '))
    const sample = fc.record({
      name: text,
      display_name: fc.option(text),
      aliases: fc.array(text, { maxLength: 2 }),
    })
    const records = Array.from({ length: 1800 }, (_, i) => fc.sample(sample, { numRuns: 1, seed: i })[0]!)
    const catalog = await searchedCatalog(records.map((fields, i) => ({ symptom_id: String(i), ...fields })))
    const queries = fc.array(word, { minLength: 1, maxLength: 2 }).map((words) => words.join(' '))
    const offsets = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 450 }))
    await fc.assert(
      fc.asyncProperty(queries, fc.integer({ min: 1, max: 50 }), offsets, async (q, limit, offset) => {
        const { items } = await found(catalog, q, limit, offset)
        const actual = items.map(({ symptom_id }) => rankOf(records[Number(symptom_id)]!, q))
        expect(actual, q).toEqual(ranksOf(records, q).slice(offset, offset + limit))
        expect(new Set(items.map(({ symptom_id }) => symptom_id)).size).toBe(items.length)
      }),
      { numRuns: 40, seed: 7 },
    )
  })
})

interface Texts {
  name: string
  display_name: string | null
  aliases: string[]
}

/** Class of a match and length of the name; null when the record does not match. */
function rankOf({ name, display_name, aliases }: Texts, q: string): [rank: number, length: number] | null {
  const names = [name, ...(display_name === null ? [] : [display_name])].map(foldText)
  const others = aliases.map(foldText)
  const all = [...names, ...others]
  const query = foldText(q)
  const words = query.split(' ')
  const starts = (line: string) => line.startsWith(query)
  const hasWord = (line: string) => line.includes(` ${query}`)
  const classes = [
    names.includes(query),
    names.some(starts),
    others.includes(query),
    others.some(starts),
    names.some(hasWord),
    others.some(hasWord),
    words.length > 1 && words.every((word) => names.some((line) => ` ${line}`.includes(` ${word}`))),
    words.length > 1 && words.every((word) => all.some((line) => ` ${line}`.includes(` ${word}`))),
    words.every((word) => all.some((line) => line.includes(word))),
  ]
  const rank = classes.indexOf(true)
  return rank === -1 ? null : [rank, foldText(name).length]
}

const ranksOf = (records: readonly Texts[], q: string) =>
  records
    .map((record) => rankOf(record, q))
    .filter((rank) => rank !== null)
    .sort(([rankA, lengthA], [rankB, lengthB]) => rankA - rankB || lengthA - lengthB)

describe('when fewer than five records match', () => {
  const drugs = () =>
    searchedCatalog([
      { symptom_id: '1', name: 'Ibuprofen' },
      { symptom_id: '2', name: 'Advil', aliases: ['Ibuprofen sodium'] },
      { symptom_id: '3', name: 'Paracetamol forte' },
      { symptom_id: '4', name: 'Ibis' },
      { symptom_id: '5', name: 'Co-amoxiclav' },
      { symptom_id: '6', name: 'Hydrochlorothiazide' },
      { symptom_id: '7', name: 'Éphédrine', is_active: false },
    ])

  const near = async (catalog: TestCatalog, q: string, limit?: number) => {
    const { items, approximate } = await found(catalog, q, limit)
    return { names: items.map(({ name }) => name), approximate }
  }

  it.each([
    { name: 'X-linked', asked: 'linked', pairs: false },
    { name: 'non-steroid"al', asked: 'steroid"al', pairs: true },
  ])('records follow with a letter wrong in any place: $name', async ({ name, asked, pairs }) => {
    const catalog = await searchedCatalog([
      ...named(name),
      ...Array.from({ length: 90 }, (_, i) => ({ symptom_id: `${i + 10}`, name: `other${i}` })),
    ])
    const letters = [...asked.toLowerCase()]
    const without = (from: number, to: number, ...put: string[]) => letters.toSpliced(from, to - from, ...put)
    const once = letters.flatMap((letter, i) => [
      without(i, i + 1),
      without(i, i + 1, 'q'),
      without(i, i, 'q'),
      ...(i > 0 ? [without(i - 1, i + 1, letter, letters[i - 1]!)] : []),
    ])
    const twice = once.map((changed, i) => changed.toSpliced((i * 7) % changed.length, 1, 'w'))
    const queries = [...once, ...(pairs ? twice : [])].map((changed) => changed.join(''))
    const missed: string[] = []
    for (const q of queries) {
      const { names } = await near(catalog, q)
      if (!names.includes(name)) missed.push(q)
    }
    // Shorter than five letters, or nine, nothing or only one may be wrong; a beginning matches as it is.
    const least = pairs ? 9 : 5
    expect(missed.filter((q) => [...q].length >= least)).toEqual([])
  })

  it('two letters may be wrong in a word of nine, one in a word of five and none in a shorter one', async () => {
    const catalog = await drugs()
    expect(await near(catalog, 'hidrochlorotiazide')).toMatchObject({ names: ['Hydrochlorothiazide'] })
    expect(await near(catalog, 'parecetomol')).toMatchObject({ names: ['Paracetamol forte'] })
    expect(await near(catalog, 'parecet')).toMatchObject({ names: ['Paracetamol forte'] })
    expect(await near(catalog, 'parecot')).toEqual({ names: [], approximate: 0 })
    expect(await near(catalog, 'advill')).toMatchObject({ names: ['Advil'], approximate: 1 })
    expect(await near(catalog, 'advyl')).toMatchObject({ names: ['Advil'], approximate: 1 })
    expect(await near(catalog, 'ibys')).toEqual({ names: [], approximate: 0 })
  })

  it('the other words of the query must still match', async () => {
    const catalog = await drugs()
    expect(await near(catalog, 'sodium ibuprofn')).toEqual({ names: ['Advil'], approximate: 1 })
    expect(await near(catalog, 'forte ibuprofn')).toEqual({ names: [], approximate: 0 })
    expect(await near(catalog, 'forte paracetmol')).toEqual({
      names: ['Paracetamol forte'],
      approximate: 1,
    })
  })

  it('records whose names hold the corrected words come before those with one in an alias only', async () => {
    const catalog = await searchedCatalog([
      { symptom_id: '1', name: 'Nystop 100 units', aliases: ['Nystatin'] },
      { symptom_id: '2', name: 'Nystatin topical 100 units' },
    ])
    const names = ['Nystatin topical 100 units', 'Nystop 100 units']
    expect(await near(catalog, 'nystain units')).toEqual({ names, approximate: 2 })
  })

  it('exact matches come first and are not repeated; inactive records stay hidden', async () => {
    const catalog = await searchedCatalog([
      ...named('Ibuprofin', 'Ibuprofen', 'Ibuprofan', 'Ibuprofen forte'),
      { symptom_id: 'x', name: 'Ibuprofun', is_active: false },
    ])
    expect(await near(catalog, 'ibuprofen')).toEqual({
      names: ['Ibuprofen', 'Ibuprofen forte', 'Ibuprofin', 'Ibuprofan'],
      approximate: 2,
    })
    expect(await near(catalog, 'ibuprofen', 3)).toMatchObject({ approximate: 1 })
    expect(await near(catalog, 'ibuprofen', 2)).toMatchObject({ approximate: 0 })
  })

  it('and only then: all matches count, not only the requested ones', async () => {
    const exact = ['Fever a', 'Fever b', 'Fever c', 'Fever d', 'Fever e']
    const catalog = await searchedCatalog(named(...exact, 'Lever'))
    expect(await near(catalog, 'fever')).toEqual({ names: exact, approximate: 0 })
    expect(await near(catalog, 'fever', 3)).toEqual({ names: exact.slice(0, 3), approximate: 0 })
  })

  it('agree with a simple search for one word', async () => {
    const word = fc.stringMatching(/^[abc]{3,9}$/)
    const text = fc.array(word, { minLength: 1, maxLength: 2 }).map((words) => words.join(' '))
    const names = Array.from({ length: 12 }, (_, i) => fc.sample(text, { numRuns: 1, seed: i })[0]!)
    const catalog = await searchedCatalog(named(...names))
    await fc.assert(
      fc.asyncProperty(fc.stringMatching(/^[abc]{4,9}$/), async (q) => {
        const { items, approximate } = await found(catalog, q)
        const exact = names.filter((name) => name.includes(q))
        const most = q.length >= 9 ? 2 : q.length >= 5 ? 1 : 0
        const nearly = names.filter(
          (name) => !name.includes(q) && name.split(' ').some((own) => beginsNearly(q, own, most)),
        )
        const expected = exact.length < 5 && most > 0 ? nearly : []
        const namesIn = (part: Fields[]) => part.map(({ name }) => name).sort()
        expect(namesIn(items.slice(0, exact.length)), q).toEqual([...exact].sort())
        expect(namesIn(items.slice(exact.length)), q).toEqual([...expected].sort())
        expect(approximate).toBe(expected.length)
      }),
      { numRuns: 40, seed: 3 },
    )
  })
})

/** Whether this many changes make one text a beginning of another, tried one by one. */
function beginsNearly(q: string, word: string, most: number): boolean {
  if (q === '') return true
  if (q[0] === word[0] && beginsNearly(q.slice(1), word.slice(1), most)) return true
  if (most === 0) return false
  return (
    beginsNearly(q.slice(1), word, most - 1) ||
    (word !== '' && beginsNearly(q, word.slice(1), most - 1)) ||
    (word !== '' && beginsNearly(q.slice(1), word.slice(1), most - 1)) ||
    (q.length > 1 && q[0] === word[1] && q[1] === word[0] && beginsNearly(q.slice(2), word.slice(2), most - 1))
  )
}

describe('the parameter source', () => {
  it('searches either catalog and ignores the switch', async () => {
    await (await newCatalog('symptom', 'provider')).write(named('Fever of the provider'))
    const catalog = await newCatalog('symptom')
    await catalog.write(named('Fever of the workspace'))
    for (const enabled of [false, true]) {
      await catalog.setSearch(enabled)
      for (const source of ['provider', 'workspace']) {
        const { source: searched, items } = await search(catalog, 'fever', { source })
        expect([searched, items.map(({ name }) => name)]).toEqual([source, [`Fever of the ${source}`]])
      }
    }
  })
})

describe('results that are remembered', () => {
  it('are never older than a write', async () => {
    const catalog = await searchedCatalog(named('Fever'))
    expect(await namesFor(catalog, 'fev')).toEqual(['Fever'])
    expect(await namesFor(catalog, 'fev')).toEqual(['Fever'])
    await catalog.write(named('Fever, mild'))
    expect(await namesFor(catalog, 'fev')).toEqual(['Fever, mild'])
    await catalog.write([{ symptom_id: '0', name: 'Fever, mild', is_active: false }])
    expect(await namesFor(catalog, 'fev')).toEqual([])
  })

  it('are those of the same words, the same limit and the same workspace', async () => {
    const catalog = await searchedCatalog(named('Fever', 'Fever, mild'))
    const other = await searchedCatalog(named('Fever of another', 'Feverish'))
    expect(await namesFor(catalog, 'fever', 1)).toEqual(['Fever'])
    expect(await namesFor(catalog, 'fever', 2)).toEqual(['Fever', 'Fever, mild'])
    expect(await namesFor(catalog, 'fever mild', 2)).toEqual(['Fever, mild'])
    expect(await namesFor(other, 'fever', 2)).toEqual(['Feverish', 'Fever of another'])
  })
})

describe('the pages of a result', () => {
  const fevers = Array.from({ length: 230 }, (_, i) => ({
    symptom_id: String(i),
    name: i % 3 === 0 ? 'Fever' : 'Fever, mild',
    icd10: i % 10 === 0 ? 'MILD' : undefined,
  }))

  it.each([
    ['of a name', 'fever', 230],
    ['of a beginning of two letters', 'fe', 230],
    ['of codes and of a word further on', 'mild', 161],
  ])('%s hold each match once, in the order of the whole result', async (_, q, count) => {
    const catalog = await searchedCatalog(fevers)
    const pages: Fields[][] = []
    for (let offset = 0; offset <= 250; offset += 50) {
      pages.push((await found(catalog, q, 50, offset)).items)
    }
    const ids = pages.flat().map(({ symptom_id }) => symptom_id)
    expect(pages.map(({ length }) => length)).toEqual(
      [0, 50, 100, 150, 200, 250].map((offset) => Math.max(0, Math.min(50, count - offset))),
    )
    expect(new Set(ids).size).toBe(count)
    const uneven = [...(await found(catalog, q, 33)).items, ...(await found(catalog, q, 47, 33)).items]
    expect(uneven.map(({ symptom_id }) => symptom_id)).toEqual(ids.slice(0, 80))
  })

  it.each([
    [230, 23],
    [200, 50],
    [600, 33],
  ])('of %i matches are read to their end by has_more, %i at a time', async (count, limit) => {
    const catalog = await searchedCatalog(
      Array.from({ length: count }, (_, i) => ({ symptom_id: `${i}`, name: 'Fever' })),
    )
    const ids = new Set<unknown>()
    let offset = 0
    for (let more = true; more; ) {
      const { items, has_more } = await found(catalog, 'fever', limit, offset)
      for (const { symptom_id } of items) ids.add(symptom_id)
      offset += items.length
      more = has_more
    }
    expect(ids.size).toBe(offset)
    // At most 500 matches, and no offset beyond 450.
    expect(offset).toBe(Math.min(count, (Math.floor(450 / limit) + 1) * limit))
  })

  it('go on through what only nearly matches', async () => {
    const catalog = await searchedCatalog(named('Fever', 'Feverish', 'Fevre one', 'Fevre two'))
    for (const [limit, offset, items, approximate, has_more] of [
      [50, 0, 4, 2, false],
      [2, 0, 2, 0, true],
      [2, 1, 2, 1, true],
      [2, 2, 2, 2, false],
    ] as const) {
      expect(await found(catalog, 'fever', limit, offset)).toMatchObject({
        items: { length: items },
        approximate,
        has_more,
      })
    }
    expect(await found(catalog, 'fever', 50, 3)).toMatchObject({ items: [{ name: 'Fevre two' }], approximate: 1 })
    expect(await found(catalog, 'fever', 50, 4)).toMatchObject({ items: [], approximate: 0 })
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { foldedWords } from '#shared/text/fold'
import { catalogOfEachTest, newCatalog } from '../../support/catalog'

const catalog = catalogOfEachTest()
const { record } = catalog

/** Writes records with these names as names and ids, and returns a search among them. */
const among = async (...names: string[]) => {
  await catalog.write(names.map((name, n) => record(`${n}`, { name })))
  return async (q: string, query = {}): Promise<string[]> => {
    const { items, total } = await catalog.list({ q, ...query })
    expect(total, q).toBe(items.length)
    return items.map((item) => item.name as string).sort()
  }
}

describe('the words of q', () => {
  it('follow a change of name, display name or aliases, a deactivation and a reactivation', async () => {
    const expectTotals = async (totals: Record<string, number>, query = {}) => {
      for (const [q, total] of Object.entries(totals))
        expect((await catalog.list({ q, ...query })).total, q).toBe(total)
    }
    await catalog.write([record('a', { name: 'first', aliases: ['gone'] }), record('b', { name: 'other' })])
    await catalog.write([record('a', { name: 'second', display_name: 'shown' })])
    await expectTotals({ first: 0, gone: 0, second: 1, shown: 1, ir: 0, ow: 1 })
    await catalog.write([record('a', { name: 'third', is_active: false })])
    await expectTotals({ third: 0 })
    await expectTotals({ third: 1, second: 0 }, { show_inactive: 1 })
    await catalog.write([record('a', { name: 'third' })])
    await expectTotals({ third: 1 })
  })

  it('are the words between signs, and none of them means something in a query language', async () => {
    const names = [
      ...['5% "solution"', 'under_score', 'back\\slash', 'aster*isk', "l'eau", 'a AND b', 'NEAR(x)', 'col:umn'],
      ...['(paren', '[brack]', '-minus', '^caret', '😀😁😂 smile', 'naïve', 'ibuprofène', '1.5 mg/ml; 2,5'],
      ...['パラセタモール', 'парацетамол', 'पैरासिटामोल', 'باراسيتامول', '対乙酰氨基酚'],
    ]
    const search = await among(...names)
    for (const name of names) {
      expect(await search(name), name).toContain(name)
      for (const word of foldedWords(name)) {
        const holding = names.filter((other) => foldedWords(other).some((each) => each.includes(word)))
        expect(await search(word), word).toEqual(holding.sort())
      }
    }
    expect(await search('%')).toEqual(['5% "solution"'])
    expect(await search('OR 1')).toEqual([])
  })

  it('match nothing when no text can hold them', async () => {
    const search = await among('abc')
    for (const q of ['\ufffd\ufffd\ufffd', '\u0001', '_ *', '😀']) expect(await search(q)).toEqual([])
    for (const q of ['\0', 'a\0', 'abc\0def']) {
      const { errors } = await catalog.refused(400, catalog.send('GET', '/', { q }))
      expect(errors).toMatchObject([{ field: 'q', msg: 'must not contain the character U+0000' }])
    }
  })

  it('may be many, and 200 characters long but not 201', async () => {
    const letters = Array.from({ length: 100 }, (_, n) => String.fromCodePoint(0x4e00 + n))
    const search = await among(letters.join(''), '𐐨'.repeat(200))
    expect(await search(letters.join(' '))).toEqual([letters.join('')])
    expect(await search(`${letters.slice(0, 99).join(' ')} x`)).toEqual([])
    const triples = Array.from({ length: 50 }, (_, n) => letters.slice(n, n + 3).join(''))
    expect(await search(triples.join(' '))).toEqual([letters.join('')])
    expect(await search('𐐨'.repeat(200))).toHaveLength(1)
    await catalog.refused(400, catalog.send('GET', '/', { q: '𐐨'.repeat(201) }))
  })
})

it('a word in more records than are looked up one by one gives the same pages and totals as others', async () => {
  // 1500 candidates are few, 1501 many; "common" is in all records and "rare" in some of each.
  const total = 1520
  const many = catalog.records(total, (n) => ({
    name: `common ${n < 1500 ? 'usual' : 'unusual'} ${n % 100 === 0 ? 'rare' : 'n'}${n}`,
    is_active: n % 10 !== 3,
  }))
  await catalog.write(many)
  const naive = (words: string[], inactive: boolean) =>
    many
      .filter((item) => words.every((word) => (item.name as string).includes(word)))
      .filter((item) => inactive || item.is_active)
      .map((item) => item.medication_id)
      .reverse()
  for (const q of [...'common usual unusual co'.split(' '), 'common rare', 'us ar', 'mon 99']) {
    for (const inactive of [false, true]) {
      const expected = naive(q.split(' '), inactive)
      const query = { q, limit: 1000, ...(inactive ? { show_inactive: 1 } : {}) }
      const first = await catalog.list(query)
      expect(first.total, q).toBe(expected.length)
      expect(first.items.map((item) => item.medication_id)).toEqual(expected.slice(0, 1000))
      const rest = await catalog.list({ ...query, limit: 7, offset: Math.max(0, expected.length - 5) })
      expect(rest.items.map((item) => item.medication_id)).toEqual(expected.slice(-5))
    }
  }
})

it('a search finds the same records as a simple filter', async () => {
  const text = fc.string({
    unit: fc.constantFrom('a', 'B', 'é', 'ß', ' ', '語', '😀', '"', '%', '*', "'"),
    minLength: 1,
    maxLength: 8,
  })
  const names = fc.uniqueArray(
    fc.record({ name: text, display_name: fc.option(text), aliases: fc.array(text, { maxLength: 2 }) }),
    { minLength: 5, maxLength: 25, selector: ({ name }) => name },
  )
  const fold = (value: string) => foldedWords(value).join(' ')
  await fc.assert(
    fc.asyncProperty(names, fc.array(text, { minLength: 4, maxLength: 8 }), async (records, queries) => {
      const fresh = await newCatalog('symptom')
      const valid = records.filter(({ name }) => name.trim() !== '')
      await fresh.write(valid.map((fields, n) => fresh.record(`${n}`, fields)))
      for (const q of queries) {
        const words = foldedWords(q)
        if (words.length === 0 && q.trim() !== '') {
          expect(await fresh.ids({ q }), q).toEqual([])
          continue
        }
        const expected = valid.flatMap(({ name, display_name, aliases }, n) => {
          const places = [name, ...(display_name === null ? [] : [display_name]), ...aliases].map(fold)
          return words.every((word) => places.some((place) => place.includes(word))) ? [`${n}`] : []
        })
        expect(new Set(await fresh.ids({ q })), q).toEqual(new Set(expected))
      }
    }),
    { numRuns: 6 },
  )
}, 30_000)

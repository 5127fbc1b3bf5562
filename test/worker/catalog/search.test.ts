import fc from 'fast-check'
import { expect, it } from 'vitest'
import { foldedWords } from '#shared/text/fold'
import { catalogOfEachTest, newCatalog } from '../../support/catalog'

const catalog = catalogOfEachTest()
const { record } = catalog

/** Writes records with these names, and returns a search among them. */
const among = async (...names: string[]) => {
  await catalog.write(names.map((name, n) => record(`${n}`, { name })))
  return async (q: string): Promise<string[]> => {
    const { items, total } = await catalog.list({ q })
    expect(total, q).toBe(items.length)
    return items.map((item) => item.name as string).sort()
  }
}

it('a search follows every change of a record', async () => {
  const expectTotals = async (totals: Record<string, number>, query = {}) => {
    for (const [q, total] of Object.entries(totals)) expect((await catalog.list({ q, ...query })).total, q).toBe(total)
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

it('no word of a search is query syntax, and characters that no text can contain match nothing', async () => {
  const names = ['5% "solution"', 'under_score', 'aster*isk', "l'eau", 'a AND b', 'NEAR(x)', 'col:umn', '^caret']
  const search = await among(...names)
  for (const name of names) expect(await search(name), name).toContain(name)
  expect(await search('%')).toEqual(['5% "solution"'])
  for (const q of ['OR 1', '\ufffd\ufffd\ufffd', '\u0001', '_ *', '😀']) expect(await search(q), q).toEqual([])
  const { errors } = await catalog.refused(400, catalog.send('GET', '/', { q: 'abc\0def' }))
  expect(errors).toMatchObject([{ field: 'q', msg: 'must not contain the character U+0000' }])
})

it('a search may have many words, and 200 characters but not 201', async () => {
  const letters = Array.from({ length: 100 }, (_, n) => String.fromCodePoint(0x4e00 + n))
  const search = await among(letters.join(''), '𐐨'.repeat(200))
  expect(await search(`${letters.slice(0, 99).join(' ')} x`)).toEqual([])
  const triples = Array.from({ length: 50 }, (_, n) => letters.slice(n, n + 3).join(''))
  expect(await search(triples.join(' '))).toEqual([letters.join('')])
  expect(await search('𐐨'.repeat(200))).toHaveLength(1)
  await catalog.refused(400, catalog.send('GET', '/', { q: '𐐨'.repeat(201) }))
})

it('a word in too many records for individual lookups returns the same pages and totals as others', async () => {
  // Up to 1500 are looked up; "common" is in 1530 active records of 1700, and "rare" in a few.
  const many = catalog.records(1700, (n) => ({
    name: `common ${n < 1500 ? 'usual' : 'unusual'} ${n % 100 === 0 ? 'rare' : 'n'}${n}`,
    is_active: n % 10 !== 3,
  }))
  await catalog.write(many.slice(0, 900))
  await catalog.write(many.slice(900))
  const since = '2000-01-01T00:00:00Z'
  const lists = [{}, { show_inactive: 1 }, { sort: 'updated_at' }, { show_inactive: 1, updated_since: since }]
  for (const q of ['usual', 'common', 'common rare', 'o', 'a b c d']) {
    for (const query of lists) {
      const words = q.split(' ')
      const expected = many
        .filter(({ is_active }) => is_active || query.show_inactive === 1)
        .filter(({ name }) => words.every((word) => (name as string).includes(word)))
        .map(({ medication_id }) => medication_id)
      if (query.sort === undefined) expected.reverse()
      const first = await catalog.list({ q, limit: 1000, ...query })
      expect(first.total, q).toBe(expected.length)
      expect(first.items.map((item) => item.medication_id)).toEqual(expected.slice(0, 1000))
      const rest = await catalog.list({ q, limit: 7, offset: Math.max(0, expected.length - 5), ...query })
      expect(rest.items.map((item) => item.medication_id)).toEqual(expected.slice(-5))
    }
  }
})

it('a search finds the same records as a simple filter', async () => {
  const unit = fc.constantFrom('a', 'B', 'é', 'ß', ' ', '語', '😀', '"', '%', '*', "'")
  const text = fc.string({ unit, minLength: 1, maxLength: 8 })
  const names = fc.uniqueArray(
    fc.record({ name: text, display_name: fc.option(text), aliases: fc.array(text, { maxLength: 2 }) }),
    { minLength: 5, maxLength: 25, selector: ({ name }) => name },
  )
  const fold = (value: string) => foldedWords(value).join(' ')
  const property = fc.asyncProperty(names, fc.array(text, { minLength: 4, maxLength: 8 }), async (records, queries) => {
    const fresh = await newCatalog('symptom')
    const valid = records.filter(({ name }) => name.trim() !== '')
    await fresh.write(valid.map((fields, n) => fresh.record(`${n}`, fields)))
    for (const q of queries) {
      const words = foldedWords(q)
      const isNothing = words.length === 0 && q.trim() !== ''
      const expected = valid.flatMap(({ name, display_name, aliases }, n) => {
        const places = [name, ...(display_name === null ? [] : [display_name]), ...aliases].map(fold)
        const isFound = words.every((word) => places.some((place) => place.includes(word)))
        return isFound && !isNothing ? [`${n}`] : []
      })
      expect(new Set(await fresh.ids({ q })), q).toEqual(new Set(expected))
    }
  })
  await fc.assert(property, { numRuns: 6 })
}, 30_000)

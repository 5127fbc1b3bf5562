import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { mergeSearchIndex, purgeWords } from '#worker/search/index/upkeep'
import { catalogDatabase } from '#worker/storage/database'
import { Meter } from '#worker/storage/meter'
import { catalogOfEachTest } from '../../../support/catalog'
import { execute, openControl } from '../../../support/databases'
import { idsFound, wordsIn } from '../../../support/searches'

const catalog = catalogOfEachTest('symptom')

const DAY_MS = 24 * 3600 * 1000

/** The scheduled run's part, some days after now. @returns number of steps */
const sweep = (days: number) => purgeWords(openControl(), Date.now() + days * DAY_MS)

const found = (q: string) => idsFound(catalog, q)

const named = (id: string, name: string) => catalog.record(id, { name })

it('words that no record holds are purged once a day; those of other records, active or not, stay', async () => {
  await catalog.write([
    named('1', 'Hedache'),
    named('2', 'Fever "high"'),
    catalog.record('3', { name: 'Cough', aliases: ['Bad cold'], is_active: false }),
  ])
  await catalog.write([named('1', 'Headache')])
  expect(await wordsIn()).toContain('hedache')
  expect(await sweep(1)).toBe(1)
  expect(await wordsIn()).toEqual(['"high"', 'bad', 'cold', 'cough', 'fever', 'headache'])
  expect(await found('eadach')).toEqual(['1'])
})

it('a catalog is looked at once a day, and only if it has changed', async () => {
  await catalog.write([named('1', 'Hedache')])
  expect(await sweep(1)).toBe(1)
  await catalog.write([named('1', 'Headache')])
  // The clock of the test stands still: the write came later than the sweep.
  await execute('update catalogs set changed_at = ?', Date.now() + 1.2 * DAY_MS)
  expect(await sweep(1.5)).toBe(0)
  expect(await wordsIn()).toEqual(['headache', 'hedache'])
  expect(await sweep(2.5)).toBe(1)
  expect(await wordsIn()).toEqual(['headache'])
  expect(await sweep(4)).toBe(0)
})

it('a word is found again, by letters within it and misspelt, when a write brings it back', async () => {
  await catalog.write([named('1', 'Migraine')])
  await catalog.write([named('1', 'Headache')])
  await sweep(1)
  expect(await found('igrain')).toEqual([])
  await catalog.write([named('2', 'Migraine')])
  expect(await found('igrain')).toEqual(['2'])
  expect(await found('mgiraine')).toEqual(['2'])
  expect(await wordsIn()).toEqual(['headache', 'migraine'])
})

it('the words of many records are purged too, and no other word is lost', async () => {
  const names = (letter: string) => Array.from({ length: 2000 }, (_, n) => named(`${n}`, `${letter}${n}`))
  await catalog.write(names('x'))
  const some = names('y').slice(0, 900)
  await catalog.write([...some, ...names('x').slice(900)])
  expect(await wordsIn()).toHaveLength(2900)
  expect(await sweep(1)).toBe(1)
  expect(await wordsIn()).toEqual(Array.from({ length: 2000 }, (_, n) => `${n < 900 ? 'y' : 'x'}${n}`).sort())
})

it('the merge joins the segments that many writes left in the word index, and every record is still found', async () => {
  for (let i = 0; i < 7; i++) await catalog.write([named(`${i}`, `Fever ${'abcdefg'[i]}`)])
  const segments = async () =>
    (await env.DB.prepare('select count(distinct segid) as n from records_search_idx').first<number>('n')) ?? 0
  expect(await segments()).toBeGreaterThan(1)
  const database = catalogDatabase(env, 'DB', new Meter())
  expect(await mergeSearchIndex(database)).toBeGreaterThan(0)
  expect(await segments()).toBe(1)
  expect(await mergeSearchIndex(database)).toBe(0)
  expect(await catalog.list({ q: 'fever' })).toMatchObject({ total: 7 })
})

it('the words of a catalog are kept, each once and without codes, for few records as for many', async () => {
  const fields = { name: 'Bad "head" ache', display_name: 'a\\b\u0001', aliases: ['Cephalgia -x', 'bad'] }
  await catalog.write([catalog.record('1', fields)])
  const sorted = ['"head"', '-x', 'a\\b\u0001', 'ache', 'bad', 'cephalgia']
  expect(await wordsIn()).toEqual(sorted)
  await execute('delete from search_words')
  await catalog.write(catalog.records(1001, () => ({ name: 'bad' })))
  expect(await wordsIn()).toEqual(sorted)
})

import { env } from 'cloudflare:workers'
import { beforeEach, expect, it } from 'vitest'
import { mergeSearchIndex, purgeWords } from '#worker/search/index/upkeep'
import { catalogDatabase, controlDatabase } from '#worker/storage/database'
import { Meter } from '#worker/storage/meter'
import { newCatalog, type TestCatalog } from '../../../support/catalog'
import { newWorkspace } from '../../../support/credentials'
import { searched } from '../../../support/searches'
import { callService, jsonBody } from '../../../support/service'

let catalog: TestCatalog

beforeEach(async () => {
  catalog = await newCatalog('symptom')
})

const DAY_MS = 24 * 3600 * 1000

/** The scheduled run's part, some days after now. @returns number of steps */
const sweep = (days: number) => purgeWords(controlDatabase(env, new Meter()), Date.now() + days * DAY_MS)

async function words(): Promise<string[]> {
  const { results } = await env.DB.prepare('select value as word from search_words, json_each(words) order by 1').all<{
    word: string
  }>()
  return results.map(({ word }) => word)
}

const found = async (q: string) => (await searched(catalog, q)).ids

const named = (id: string, name: string) => catalog.record(id, { name })

it('words that no record holds are purged once a day; those of other records, active or not, stay', async () => {
  await catalog.write([
    named('1', 'Hedache'),
    named('2', 'Fever "high"'),
    catalog.record('3', { name: 'Cough', aliases: ['Bad cold'], is_active: false }),
  ])
  await catalog.write([named('1', 'Headache')])
  expect(await words()).toContain('hedache')
  expect(await sweep(1)).toBe(1)
  expect(await words()).toEqual(['"high"', 'bad', 'cold', 'cough', 'fever', 'headache'])
  expect(await found('eadach')).toEqual(['1'])
})

it('a catalog is looked at once a day, and only if it has changed', async () => {
  await catalog.write([named('1', 'Hedache')])
  expect(await sweep(1)).toBe(1)
  await catalog.write([named('1', 'Headache')])
  // The clock of the test stands still: the write came later than the sweep.
  await env.DB.prepare('update catalogs set changed_at = ?')
    .bind(Date.now() + 1.2 * DAY_MS)
    .run()
  expect(await sweep(1.5)).toBe(0)
  expect(await words()).toEqual(['headache', 'hedache'])
  expect(await sweep(2.5)).toBe(1)
  expect(await words()).toEqual(['headache'])
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
  expect(await words()).toEqual(['headache', 'migraine'])
})

it('the words of many records are purged too, and no other word is lost', async () => {
  const names = (letter: string) => Array.from({ length: 2000 }, (_, n) => named(`${n}`, `${letter}${n}`))
  await catalog.write(names('x'))
  const some = names('y').slice(0, 900)
  await catalog.write([...some, ...names('x').slice(900)])
  expect(await words()).toHaveLength(2900)
  expect(await sweep(1)).toBe(1)
  expect(await words()).toEqual(Array.from({ length: 2000 }, (_, n) => `${n < 900 ? 'y' : 'x'}${n}`).sort())
})

it('the merge joins the segments that many writes left in the word index, and every record is still found', async () => {
  const { token } = await newWorkspace()
  const headers = { Authorization: `Bearer ${token}` }
  for (let i = 0; i < 7; i++) {
    const record = { symptom_id: String(i), name: `Fever ${'abcdefg'[i]}` }
    const response = await callService('/admin/datasets/v1/?type=symptom', {
      method: 'POST',
      ...jsonBody([record], headers),
    })
    expect(response.status).toBe(200)
  }
  const segments = async () =>
    (await env.DB.prepare('select count(distinct segid) as n from records_search_idx').first<number>('n')) ?? 0
  expect(await segments()).toBeGreaterThan(1)
  const database = catalogDatabase(env, 'DB', new Meter())
  expect(await mergeSearchIndex(database)).toBeGreaterThan(0)
  expect(await segments()).toBe(1)
  expect(await mergeSearchIndex(database)).toBe(0)
  const found = await callService('/admin/datasets/v1/?type=symptom&q=fever', { headers })
  expect(await found.json()).toMatchObject({ total: 7 })
})

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

/** The scheduled run's part, some days later. @returns number of steps */
const sweep = (days: number) => purgeWords(openControl(), Date.now() + days * DAY_MS)

const found = (q: string) => idsFound(catalog, q)

const named = (id: string, name: string) => catalog.record(id, { name })

it('words that no record contains are purged once a day, and found again after they are written', async () => {
  await catalog.write([
    named('1', 'Hedache'),
    named('2', 'Fever "high"'),
    catalog.record('3', { name: 'Cough', aliases: ['Bad cold'], is_active: false }),
  ])
  await catalog.write([named('1', 'Headache')])
  expect(await wordsIn()).toContain('hedache')
  expect(await sweep(1)).toBe(1)
  expect(await wordsIn()).toEqual(['bad', 'cold', 'cough', 'fever', 'headache', 'high'])
  expect(await found('headach')).toEqual(['1'])
  expect(await found('hedahce')).toEqual(['1'])
  await catalog.write([named('4', 'Hedache')])
  expect(await wordsIn()).toContain('hedache')
  expect(await found('hedache')).toContain('4')
})

const segments = async () =>
  (await env.DB.prepare('select count(distinct segid) as n from records_search_idx').first<number>('n')) ?? 0

it('the merge joins the segments of a few writes', async () => {
  for (let i = 0; i < 3; i++) await catalog.write([named(`${i}`, `Fever ${'abc'[i]}`)])
  expect(await segments()).toBe(3)
  const meter = new Meter()
  const database = catalogDatabase(env, 'DB', meter)
  expect(await mergeSearchIndex(database)).toBeGreaterThan(0)
  expect(await segments()).toBe(1)
  const rows = () => meter.rowsRead + meter.rowsWritten
  const before = rows()
  for (let run = 0; run < 10; run++) expect(await mergeSearchIndex(database)).toBe(0)
  expect(rows() - before).toBeLessThanOrEqual(200)
  expect(await catalog.list({ q: 'fever' })).toMatchObject({ total: 3 })
})

it('the words of a catalog are stored once each', async () => {
  const names = { name: 'Bad "head" ache', display_name: 'a\\b\u0001', aliases: ['Cephalgia -x', 'bad'] }
  await catalog.write([catalog.record('1', { ...names, is_active: false })])
  const sorted = ['a', 'ache', 'b', 'bad', 'cephalgia', 'head', 'x']
  expect(await wordsIn()).toEqual(sorted)
  await execute('delete from search_words')
  await catalog.write(catalog.records(1001, () => ({ name: 'bad' })))
  expect(await wordsIn()).toEqual(sorted)
})

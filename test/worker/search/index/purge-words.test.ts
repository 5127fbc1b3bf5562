import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import { purgeWords } from '#worker/search/index/purge-words'
import { controlDatabase } from '#worker/storage/database'
import { Meter } from '#worker/storage/meter'
import { newCatalog, type TestCatalog } from '../../../support/catalog'
import { callService } from '../../../support/service'

let catalog: TestCatalog

beforeEach(async () => {
  catalog = await newCatalog('symptom')
})

const DAY_MS = 24 * 3600 * 1000

/** The scheduled run's part, some days after now. */
const sweep = (days: number) => purgeWords(controlDatabase(env, new Meter()), Date.now() + days * DAY_MS)

const rows = async <T>(sql: string) => (await env.DB.prepare(sql).all<T>()).results

const lists = async (): Promise<string[][]> =>
  (await rows<{ words: string }>('select words from search_word_lists order by number')).map(({ words }) =>
    JSON.parse(words),
  )

/** Words of the lists, which are those of `search_words`, and as many as are counted. */
async function words(): Promise<string[]> {
  const listed = (await lists()).flat().sort()
  const kept = await rows<{ word: string }>('select upper(place) || word as word from search_words')
  expect(kept.map(({ word }) => word).sort()).toEqual(listed)
  const counted = await env.DB.prepare('select sum(listed_words) as n from catalog_upkeep').first<number>('n')
  expect(counted).toBe(listed.length)
  return listed
}

async function found(q: string): Promise<string[]> {
  const path = `/medical-db/v1/search/?type=symptom&source=workspace&q=${encodeURIComponent(q)}`
  const response = await callService(path, {
    headers: { Authorization: `Bearer ${catalog.workspace.token}` },
  })
  const { data } = await response.json<{ data: { items: { name: string }[] } }>()
  return data.items.map(({ name }) => name)
}

const named = (id: string, name: string) => catalog.record(id, { name })

describe('words that no record holds any more', () => {
  it('are forgotten once a day; those of other records, active or not, stay', async () => {
    await catalog.write([
      named('1', 'Hedache'),
      named('2', 'Fever "high"'),
      catalog.record('3', { name: 'Cough', is_active: false }),
    ])
    await catalog.write([named('1', 'Headache')])
    expect(await words()).toContain('Ahedache')
    expect(await sweep(1)).toBe(1)
    const left = ['Acough', 'Afever', 'Aheadache', 'B"high"']
    expect(await words()).toEqual(left)
    expect(await found('eadach')).toEqual(['Headache'])
    await catalog.write([named('2', 'Chill')])
    expect(await sweep(1.5)).toBe(0)
    expect(await words()).toEqual([...left, 'Achill'].sort())
    // The clock of the test stands still: the write came later than the sweep.
    await env.DB.prepare('update catalogs set changed_at = ?')
      .bind(Date.now() + 2 * DAY_MS)
      .run()
    await sweep(3)
    expect(await words()).toEqual(['Achill', 'Acough', 'Aheadache'])
  })

  it('are found again, by letters within them and misspelt, when a write brings them back', async () => {
    await catalog.write([named('1', 'Migraine')])
    await catalog.write([named('1', 'Headache')])
    await sweep(1)
    expect(await found('igrain')).toEqual([])
    await catalog.write([named('2', 'Migraine')])
    expect(await found('igrain')).toEqual(['Migraine'])
    expect(await found('mgiraine')).toEqual(['Migraine'])
    expect(await words()).toEqual(['Aheadache', 'Amigraine'])
  })

  it('are forgotten in steps, and no other word is lost', async () => {
    const names = (letter: string) => Array.from({ length: 2000 }, (_, n) => named(`${n}`, `${letter}${n}`))
    await catalog.write(names('x'))
    await catalog.write([...names('x').slice(0, 500), ...names('y').slice(500)])
    expect(await sweep(1)).toBe(2)
    const expected = Array.from({ length: 2000 }, (_, n) => `A${n < 500 ? 'x' : 'y'}${n}`).sort()
    expect(await words()).toEqual(expected)
    expect(Math.max(...(await lists()).map((list) => JSON.stringify(list).length))).toBeLessThan(800)
  })

  it('do not keep the next list from having a number of its own', async () => {
    const lastList = () => env.DB.prepare('select max(number) as n from search_word_lists').first<number>('n')
    for (const name of ['One', 'Two', 'Three']) await catalog.write([named('1', name)])
    const last = await lastList()
    await sweep(1)
    expect(await lastList()).toBe(last)
    await catalog.write([named('1', 'Four')])
    expect(await lastList()).toBe(last! + 1)
  })
})

it('lists of single words, as feeds write them, are joined', async () => {
  for (let n = 0; n < 45; n++) await catalog.write([named(`${n}`, `Word${n}`)])
  const before = await words()
  expect((await lists()).length).toBe(45)
  await sweep(1)
  expect((await lists()).length).toBe(2)
  expect(await words()).toEqual(before)
  expect(await found('ord44')).toEqual(['Word44'])
})

it('a word that the index takes apart stops nothing', async () => {
  await catalog.write([named('1', 'Fever')])
  // As an earlier release wrote it.
  await env.DB.prepare(
    `insert into search_word_lists select catalog_id, 2, '["Amon\u180egol"]' from catalogs`,
  ).run()
  await catalog.write([named('1', 'mon\u180egol')])
  await sweep(1)
  expect(await words()).toEqual(['Amongol', 'Amon\u180egol'])
})

it('lists of an earlier release are counted once, with the first list or sweep', async () => {
  await catalog.write([named('1', 'Fever high')])
  await env.DB.prepare('delete from catalog_upkeep').run()
  await catalog.write([named('2', 'Cold')])
  expect(await words()).toEqual(['Acold', 'Afever', 'Bhigh'])
  await env.DB.prepare('delete from catalog_upkeep').run()
  await sweep(1)
  expect(await words()).toEqual(['Acold', 'Afever', 'Bhigh'])
})

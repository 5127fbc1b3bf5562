import { applyD1Migrations } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { listWords } from '#worker/search/index/list-words'
import { catalogDatabase } from '#worker/storage/database'
import { Meter } from '#worker/storage/meter'
import { runScheduled } from '../../../../src/worker/scheduled'
import { newCatalog, type TestCatalog } from '../../../support/catalog'
import { callService } from '../../../support/service'
import { eraseStorage } from '../../../support/storage'

const rows = async <T>(sql: string) => (await env.DB.prepare(sql).all<T>()).results

/** The words of all lists, each after the letter of its place. */
const listed = async (): Promise<string[]> =>
  (await rows<{ words: string }>('select words from search_word_lists')).flatMap(
    ({ words }) => JSON.parse(words) as string[],
  )

/** The words as the release before the lists wrote them. */
const WRITE_WITHOUT_LISTS = `insert or ignore into search_words (catalog_id, word, place)
  select catalog_id, substr(term, length(catalog_id) + 2), substr(term, length(catalog_id) + 1, 1)
    from catalogs cross join records_terms
    where term >= catalog_id || 'a' and term < catalog_id || 'e' and length(term) > length(catalog_id) + 1`

/** Leaves the words of all catalogs as that release does: without a list. */
const forgetLists = () =>
  env.DB.batch(
    ['delete from search_word_lists', 'delete from search_words', WRITE_WITHOUT_LISTS].map((sql) =>
      env.DB.prepare(sql),
    ),
  )

async function found({ workspace, type }: TestCatalog, q: string): Promise<string[]> {
  const path = `/medical-db/v1/search/?type=${type}&source=workspace&q=${q}`
  const response = await callService(path, { headers: { Authorization: `Bearer ${workspace.token}` } })
  const { data } = await response.json<{ data: { items: { name: string }[] } }>()
  return data.items.map(({ name }) => name)
}

const database = () => catalogDatabase(env, 'DB', new Meter())

describe('words that an earlier release wrote, without lists', () => {
  const withoutLists = async () => {
    const catalog = await newCatalog('symptom')
    await catalog.write([
      catalog.record('1', { name: 'Ibuprofen' }),
      catalog.record('2', { name: 'Baby aspirin' }),
    ])
    await forgetLists()
    return catalog
  }

  it('are found by letters within them, and misspelt, after the next scheduled run', async () => {
    const catalog = await withoutLists()
    // The first search is remembered, but not for longer than it is right.
    expect(await found(catalog, 'spiri')).toEqual([])
    await runScheduled(env, new Date())
    expect(await found(catalog, 'spiri')).toEqual(['Baby aspirin'])
    expect(await found(catalog, 'ubuprofen')).toEqual(['Ibuprofen'])
    expect((await catalog.list({ q: 'uprof' })).total).toBe(1)
  })

  it.each([
    ['few', 1],
    ['many', 1001],
  ])('are listed by the next write that has them, of %s records', async (_, count) => {
    const catalog = await withoutLists()
    await catalog.write(catalog.records(count, () => ({ name: 'Aspirin, baby aspirin' })))
    expect((await listed()).filter((word) => word.endsWith('aspirin'))).toEqual(['Baspirin'])
    expect(await found(catalog, 'spiri')).toContain('Baby aspirin')
    await runScheduled(env, new Date())
    expect((await listed()).sort()).toEqual(['Aaspirin,', 'Ababy', 'Aibuprofen', 'Baspirin', 'Bbaby'])
  })

  it('are listed in steps, catalog by catalog, each word once, beside the lists that there are', async () => {
    const [first, second] = [await newCatalog('symptom'), await newCatalog('symptom')]
    const names = (count: number, letter: string) =>
      Array.from({ length: count }, (_, i) => first.record(`${i}`, { name: `${letter}${i}` }))
    await first.write(names(7000, 'x'))
    await second.write(names(4000, 'y'))
    await forgetLists()
    await second.write([second.record('new', { name: '"new"' })])

    expect(await listWords(database())).toBe(3)
    expect(await listWords(database())).toBe(0)
    const all = await rows<{ catalog_id: number; number: number; words: string }>(
      'select catalog_id, number, words from search_word_lists order by 1, 2',
    )
    expect(Math.max(...all.map(({ words }) => words.length))).toBeLessThan(800)
    const [a, b] = [...new Set(all.map(({ catalog_id }) => catalog_id))]
    const wordsOf = (id: number | undefined) =>
      all.filter(({ catalog_id }) => catalog_id === id).flatMap(({ words }) => JSON.parse(words) as string[])
    expect(wordsOf(a).sort()).toEqual(Array.from({ length: 7000 }, (_, i) => `Ax${i}`).sort())
    expect(wordsOf(b).sort()).toEqual(['A"new"', ...Array.from({ length: 4000 }, (_, i) => `Ay${i}`)].sort())
    expect(await rows('select 1 from search_words where listed = 0')).toEqual([])
  })
})

it('an upgrade tells words that are in a list from words that the earlier release wrote meanwhile', async () => {
  await eraseStorage()
  const position = env.TEST_MIGRATIONS.findIndex(({ name }) => name === '0064_listed_words.sql')
  await applyD1Migrations(env.DB, env.TEST_MIGRATIONS.slice(0, position))
  await env.DB.batch(
    [
      `insert into search_word_lists values (7, 1, '["Aold","Bold","A\\"x"]'), (8, 1, '["Dold"]')`,
      `insert into search_words values (7, 'new', 'a'), (8, 'old', 'a')`,
    ].map((sql) => env.DB.prepare(sql)),
  )
  await applyD1Migrations(env.DB, env.TEST_MIGRATIONS)
  expect(await rows('select catalog_id, place, word from search_words where listed = 0')).toEqual([
    { catalog_id: 7, place: 'a', word: 'new' },
    { catalog_id: 8, place: 'a', word: 'old' },
  ])
  expect(await listWords(database())).toBe(1)
  expect((await listed()).sort()).toEqual(['A"x', 'Anew', 'Aold', 'Aold', 'Bold', 'Dold'])
})

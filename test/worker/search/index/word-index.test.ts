import { applyD1Migrations } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { newCatalog } from '../../../support/catalog'
import { eraseStorage } from '../../../support/storage'

const rows = async <T>(sql: string) => (await env.DB.prepare(sql).all<T>()).results

describe('the words of a catalog', () => {
  const wordsOf = async () =>
    (
      await rows<{ word: string; place: string }>(
        'select word, place from search_words where catalog_id = (select max(catalog_id) from catalogs) order by 1, 2',
      )
    ).map(({ word, place }) => `${place}:${word}`)

  it('are kept with their places, for few records as for many', async () => {
    const few = await newCatalog('symptom')
    const fields = { name: 'Bad "head" ache', display_name: 'a\\b\u0001', aliases: ['Cephalgia -x', 'bad'] }
    await few.write([few.record('1', fields)])
    const expected = ['a:a\\b\u0001', 'a:bad', 'b:"head"', 'b:ache', 'c:bad', 'c:cephalgia', 'd:-x']
    const sorted = [...expected].sort((a, b) =>
      a.slice(2) < b.slice(2) ? -1 : a.slice(2) > b.slice(2) ? 1 : a < b ? -1 : 1,
    )
    expect(await wordsOf()).toEqual(sorted)
    await env.DB.batch([
      env.DB.prepare('delete from search_words'),
      env.DB.prepare('delete from search_word_lists'),
    ])
    const many = Array.from({ length: 1001 }, (_, i) => few.record(`${i + 2}`, { name: 'bad' }))
    await few.write(many)
    expect(await wordsOf()).toEqual(sorted)
  })

  it('are in lists of some hundred bytes, each word once; a write adds the words that are new', async () => {
    const catalog = await newCatalog('symptom')
    const lists = async () =>
      rows<{ number: number; words: string }>('select number, words from search_word_lists order by number')
    const wordsIn = async () => (await lists()).flatMap(({ words }) => JSON.parse(words) as string[])
    const names = Array.from({ length: 200 }, (_, i) => `same word${i}`)
    await catalog.write(names.map((name, i) => catalog.record(`${i}`, { name })))
    const expected = ['Asame', ...names.map((name) => `B${name.slice(5)}`)].sort()
    expect((await wordsIn()).sort()).toEqual(expected)
    const sizes = (await lists()).map(({ words }) => words.length)
    expect(Math.max(...sizes)).toBeLessThan(800)
    expect(sizes.length).toBeLessThan(5)

    await catalog.write([catalog.record('1', { name: 'same word1 "new"' })])
    expect((await lists()).slice(sizes.length)).toEqual([
      { number: sizes.length + 1, words: '["B\\"new\\""]' },
    ])
    await catalog.write([catalog.record('1', { name: 'same word2' })])
    expect(await lists()).toHaveLength(sizes.length + 1)
  })
})

describe('the migration to the word index', () => {
  it('keeps the records of a database of an earlier release, with names and aliases separate', async () => {
    await eraseStorage()
    const position = env.TEST_MIGRATIONS.findIndex(({ name }) => name === '0020_word_index.sql')
    await applyD1Migrations(env.DB, env.TEST_MIGRATIONS.slice(0, position))
    const stored = [
      ['\n\nbaby  aspirin\n\n', '["Baby Aspirin"]'],
      [
        '\n\nbaby  aspirin\n\nasa\n\nacetylsalicylic  acid\n\n',
        '["Baby Aspirin",0,["ASA","Acetylsalicylic acid"]]',
      ],
      ['\n\naspirin  81\n\nbaby  aspirin\n\nasa\n\n', '["Aspirin 81","Baby aspirin",["ASA"]]'],
      ['\n\naspirin\n\nasa\n\n', '["Aspirin","ASPIRIN",["ASA"]]'],
      ['\n\ncrème\n\nfraiche\n\n', '["X","Fraîche"]'],
    ]
    for (const [i, [text, data]] of stored.entries()) {
      await env.DB.prepare(
        `insert into records (row_id, catalog_id, record_id, is_active, updated_at, place, state_before, text_changed, name_length, search_text, data)
          values (?1, 7, ?1, 1, 1, ?1, 0, 1, 5, ?2, ?3)`,
      )
        .bind(i + 1, text, data)
        .run()
    }
    await env.DB.prepare(
      `insert into catalogs (catalog_id, workspace_id, type) values (7, 'w', 'symptom')`,
    ).run()
    await applyD1Migrations(env.DB, env.TEST_MIGRATIONS)
    expect(
      (await rows<{ search_text: string }>('select search_text from records order by row_id')).map(
        (row) => row.search_text,
      ),
    ).toEqual([
      '\nbaby aspirin\n',
      '\nbaby aspirin\n\rasa\racetylsalicylic\tacid\r',
      '\naspirin 81\nbaby aspirin\n\rasa\r',
      '\naspirin\n\rasa\r',
      '\ncrème\nfraiche\n',
    ])
    const hits = await rows<{ rowid: number }>(
      `select rowid from records_search where records_search match '"7aasp"* OR "7casa"' order by 1`,
    )
    expect(hits.map(({ rowid }) => rowid)).toEqual([2, 3, 4])
    expect(await rows(`select word from search_words where catalog_id = 7 and place = 'd'`)).toEqual([
      { word: 'acid' },
    ])
    const [list] = await rows<{ words: string }>('select words from search_word_lists where catalog_id = 7')
    expect(JSON.parse(list!.words)).toEqual(
      expect.arrayContaining(['Ababy', 'Baspirin', 'Aaspirin', 'Casa', 'Dacid', 'Afraiche']),
    )
  })
})

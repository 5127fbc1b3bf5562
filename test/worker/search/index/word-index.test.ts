import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { newCatalog } from '../../../support/catalog'

const rows = async <T>(sql: string) => (await env.DB.prepare(sql).all<T>()).results

describe('the words of a catalog', () => {
  const wordsOf = async () =>
    (
      await rows<{ word: string }>(
        `select value as word from search_words, json_each(words)
          where catalog_id = (select max(catalog_id) from catalogs) order by 1`,
      )
    ).map(({ word }) => word)

  it('are kept, each once and without codes, for few records as for many', async () => {
    const few = await newCatalog('symptom')
    const fields = { name: 'Bad "head" ache', display_name: 'a\\b\u0001', aliases: ['Cephalgia -x', 'bad'] }
    await few.write([few.record('1', fields)])
    const sorted = ['"head"', '-x', 'a\\b\u0001', 'ache', 'bad', 'cephalgia']
    expect(await wordsOf()).toEqual(sorted)
    await env.DB.prepare('delete from search_words').run()
    const many = Array.from({ length: 1001 }, (_, i) => few.record(`${i + 2}`, { name: 'bad' }))
    await few.write(many)
    expect(await wordsOf()).toEqual(sorted)
  })
})

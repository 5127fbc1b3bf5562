import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { runScheduled } from '../../../../src/worker/scheduled'
import { newCatalog } from '../../../support/catalog'
import { moveToTheEnd, rowsIn, several } from '../../../support/databases'

const DAY_MS = 24 * 60 * 60 * 1000

const NAMES = Array.from({ length: 2500 }, (_, n) => `Medicine${n} common`)
const WORDS = [...NAMES.map((name) => `A${name.split(' ')[0]!.toLowerCase()}`), 'Bcommon'].sort()

async function namedCatalog() {
  const catalog = await newCatalog()
  await catalog.write(catalog.records(NAMES.length, (n) => ({ name: NAMES[n] })))
  return catalog
}

async function listed(database: D1Database): Promise<string[]> {
  const { results } = await database
    .prepare('select value from search_word_lists, json_each(words) order by 1')
    .all<{ value: string }>()
  return results.map(({ value }) => value)
}

describe('the words of a workspace that is moved', () => {
  it('are in lists in its new database, each once, also those that had no list', async () => {
    const catalog = await namedCatalog()
    await env.DB.batch(
      [
        'delete from search_word_lists where number = 1',
        `update search_words set listed = 0 where not exists
          (select 1 from search_word_lists as l, json_each(l.words) where value = upper(place) || word)`,
      ].map((sql) => env.DB.prepare(sql)),
    )
    expect((await listed(env.DB)).length).toBeLessThan(NAMES.length)
    await moveToTheEnd(catalog.workspace.workspaceId, 'DB_2')
    expect(await listed(env.DB_2)).toEqual(WORDS)
    expect(await catalog.ids({ q: 'edicine2042 common' })).toEqual(['r2042'])
  })

  it('are deleted with the old copy, listed or not, and those of others stay', async () => {
    const [moved] = [await namedCatalog(), await namedCatalog()]
    await moveToTheEnd(moved.workspace.workspaceId, 'DB_2')
    await env.DB.prepare(
      `insert into search_words (catalog_id, word, place) select catalog_id, 'late', 'b' from catalogs where workspace_id = ?`,
    )
      .bind(moved.workspace.workspaceId)
      .run()
    await runScheduled(several, new Date(Date.now() + DAY_MS + 60_000))
    expect(await listed(env.DB)).toEqual(WORDS)
    expect(await rowsIn('DB', 'search_words')).toBe(WORDS.length)
    expect(await listed(env.DB_2)).toEqual(WORDS)
  })
})

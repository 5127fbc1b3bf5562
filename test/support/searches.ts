import { env } from 'cloudflare:workers'
import { expect } from 'vitest'
import { searchResultSchema } from '#worker/search/schemas'
import { type Fields, newCatalog, type Query, queryString, type TestCatalog } from './catalog'
import { bearer, bodyFrom } from './service'

/** A catalog of symptoms that partners search instead of the provider's. */
export async function searchedCatalog(records: readonly object[]): Promise<TestCatalog> {
  const catalog = await newCatalog('symptom')
  await catalog.write(records)
  await catalog.setSearch(true)
  return catalog
}

/** The result of a partner search, in the described form. */
export async function search({ workspace, type, fetch }: TestCatalog, q: string, query: Query = {}) {
  const path = `/medical-db/v1/search/${queryString({ type, q, limit: 50, ...query })}`
  const { data } = await bodyFrom<{ data: unknown }>(fetch(path, { headers: bearer(workspace.token) }))
  const result = searchResultSchema.parse(data)
  expect(result.count).toBe(result.items.length)
  return { ...result, items: result.items as Fields[] }
}

/** The matches of a partner search in a catalog, best first. */
export async function searched(catalog: TestCatalog, q: string, limit = 50, offset = 0) {
  const { items, approximate, has_more } = await search(catalog, q, { source: 'workspace', limit, offset })
  return { ids: items.map((item) => item[catalog.idField]), approximate, has_more }
}

/** Only their IDs. */
export const idsFound = async (catalog: TestCatalog, q: string, limit?: number): Promise<unknown[]> =>
  (await searched(catalog, q, limit)).ids

/** The words that a database stores for searches within words. */
export async function wordsIn(database: D1Database = env.DB): Promise<string[]> {
  const words = 'select value as word from search_words, json_each(words) order by 1'
  return (await database.prepare(words).all<{ word: string }>()).results.map(({ word }) => word)
}

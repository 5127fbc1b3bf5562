import { expect } from 'vitest'
import { searchResultSchema } from '#worker/search/schemas'
import { queryString, type TestCatalog } from './catalog'

/** What partner search finds in a catalog: the ids of the records, best first. */
export async function searched(
  { workspace, type, idField, fetch }: TestCatalog,
  q: string,
  limit = 50,
  offset = 0,
): Promise<{ ids: unknown[]; approximate: number; has_more: boolean }> {
  const path = `/medical-db/v1/search/${queryString({ type, source: 'workspace', q, limit, offset })}`
  const response = await fetch(path, { headers: { Authorization: `Bearer ${workspace.token}` } })
  expect(response.status).toBe(200)
  const { data } = await response.json<{ data: unknown }>()
  const { items, approximate, has_more } = searchResultSchema.parse(data)
  return { ids: items.map((item) => Object(item)[idField]), approximate, has_more }
}

/** The same without how many nearly match. */
export const idsFound = async (catalog: TestCatalog, q: string, limit?: number): Promise<unknown[]> =>
  (await searched(catalog, q, limit)).ids

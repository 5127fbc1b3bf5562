import { describe, expect, it } from 'vitest'
import {
  listedPage,
  listedStatement,
  searchedPage,
  searchedStatement,
  type WantedPage,
} from '#worker/catalog/read/sql/list'
import { prepare } from '#worker/storage/database'
import { valuesOf } from '#worker/storage/statement-cache'

const QUERIES = [[], ['ibuprofen'], ['5'], ['a"b\\c', 'mg'], ['oral', 'drops', 'for', 'children', 'forte']]

/** Pages of all shapes: each shape comes several times, with other values. */
const pages: WantedPage[] = Array.from({ length: 720 }, (_, i) => ({
  scope: { workspaceId: `w${i % 7}`, type: i % 11 === 0 ? 'symptom' : 'medication' },
  words: QUERIES[i % 5]!.map((word) => word + (i % 13)),
  limit: [1, 100][i % 2]!,
  offset: i,
  filter: {
    q: '',
    sort: ([undefined, 'updated_at', '-updated_at'] as const)[i % 3],
    ...([{}, { show_inactive: '1' }, { active: false }, { active: true }] as const)[i % 4]!,
    updated_since: i % 9 < 3 ? undefined : 1_790_000_000_000 + i,
  },
}))

describe('the statement of a page of a list', () => {
  it('is the same from a text that another page of its shape has made', () => {
    const remembered = (page: WantedPage) =>
      page.words.length > 0 ? searchedStatement(page) : listedStatement(page)
    const fresh = (page: WantedPage) =>
      prepare<unknown>((page.words.length > 0 ? searchedPage : listedPage)(page, valuesOf(page)))
    for (const page of pages) remembered(page)
    for (const page of pages) expect(remembered(page), JSON.stringify(page)).toEqual(fresh(page))
  })
})

import { LruMap } from '#shared/lru-map'
import type { SearchResult } from './search-result'

/**
 * Characters of the search results that one isolate remembers, at most some 8 MB, and of a single result: one with
 * very large records would push out all others.
 */
const CACHED_RESULTS_CHARACTERS = 4_000_000
const CACHED_RESULT_CHARACTERS = 200_000

/** Size of an entry and of a row without the texts, in characters. */
const ENTRY_CHARACTERS = 500
const ROW_CHARACTERS = 200

const charactersOf = ({ rows }: SearchResult, key: string): number =>
  rows.reduce(
    (sum, { record_id, data }) => sum + ROW_CHARACTERS + record_id.length + data.length,
    ENTRY_CHARACTERS + key.length,
  )

/**
 * Results of searches, by everything that they depend on. The key includes the revision of the catalog, so no result
 * is ever outdated: after a write nobody asks for it again. Each isolate has its own. A character takes up to two bytes
 * of memory.
 */
export const resultCache = (capacity = CACHED_RESULTS_CHARACTERS, largest = CACHED_RESULT_CHARACTERS) =>
  new LruMap<string, SearchResult>(capacity, { sizeOf: charactersOf, largest })

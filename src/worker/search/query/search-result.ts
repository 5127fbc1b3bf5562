import { type SQL, sql } from 'drizzle-orm'
import { MAX_SEARCH_RESULTS } from '#shared/limits'
import type { RecordRow } from '#shared/records/stored-form'

/** A record that a search found. */
export interface FoundRecord extends RecordRow {
  /** Kind of the match, best first. */
  tier: number
  name_length: number
  row_id: number
}

/** The result of a search. */
export interface SearchResult {
  rows: RecordRow[]
  /** How many rows at the end only nearly match. */
  approximate: number
}

/** A result without its first matches, which earlier pages have. */
export function matchesAfter({ rows, approximate }: SearchResult, offset: number): SearchResult {
  const left = rows.slice(offset)
  return { rows: left, approximate: Math.min(approximate, left.length) }
}

/**
 * Of very many matches, those before the page come without their data, because records can be large. A page is at most
 * `MAX_SEARCH_RESULTS` long, and so many records that a code found may stand before it.
 *
 * @param limit matches of the page and before it
 * @param isAfter condition on a match: it comes after so many
 */
export function dataOfPage(limit: number, isAfter: (matches: number) => SQL): SQL {
  const without = limit - 2 * MAX_SEARCH_RESULTS
  return without > 0 ? sql`iif(${isAfter(without)}, data, '') as data` : sql`data`
}

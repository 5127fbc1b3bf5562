import type { RecordRow } from '#records/stored-form'

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

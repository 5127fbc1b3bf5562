import type { RecordRow } from '#records/stored-form'
import type { CatalogScope } from '#storage/catalog-scope'

/** A record that a search found. */
export interface Match extends RecordRow {
  /** Kind of the match, best first. */
  tier: number
  name_length: number
  row_id: number
}

/** The result of a search. */
export interface Matches {
  rows: RecordRow[]
  /** How many rows at the end only nearly match. */
  approximate: number
}

/** A catalog whose id is already known. */
export interface SearchedCatalog extends CatalogScope {
  catalogId: number
}

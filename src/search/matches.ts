import type { RecordRow } from '#records/stored-form'
import type { CatalogScope } from '#storage/catalog-scope'

/** A record that was found. */
export interface Match extends RecordRow {
  /** Kind of the match, best first. */
  tier: number
  name_length: number
  row_id: number
}

/** What a search finds. */
export interface Matches {
  rows: RecordRow[]
  /** How many of the rows, the last ones, only nearly match. */
  approximate: number
}

/** A catalog whose id was read beforehand. */
export interface SearchedCatalog extends CatalogScope {
  catalogId: number
}

import type { RecordType } from '#records/record-type'
import type { CatalogKey } from '#storage/catalog-scope'
import type { Database } from '#storage/database'

/** The catalog that a call acts on, with its database. */
export interface Catalog {
  db: Database
  scope: CatalogKey
  type: RecordType
  /** Sends the messages of a write that was carried out, without keeping its answer waiting. */
  announce: () => void
}

import type { RecordType } from '#shared/records/record-type'
import type { CatalogKey } from '#worker/storage/catalog-scope'
import type { Database } from '#worker/storage/database'

/** The catalog that a call acts on, with its database. */
export interface Catalog {
  db: Database
  scope: CatalogKey
  type: RecordType
  /** Sends the messages of a write that was carried out, without keeping its answer waiting. */
  announce: () => void
}

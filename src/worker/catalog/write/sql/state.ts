import { type SQL, sql } from 'drizzle-orm'
import { type CatalogKey, catalogIdOf } from '#worker/storage/catalog-scope'
import { NO_EPOCH } from '#worker/storage/schema/catalogs'

/** What names a state of a catalog; see `catalogs.epoch`. */
export interface CatalogState {
  revision: number
  epoch: string
}

/** Revision of the catalog, 0 before its first write. */
export const revisionOf = (scope: CatalogKey): SQL =>
  sql`coalesce((select revision from catalogs where catalog_id = ${catalogIdOf(scope)}), 0)`

const epochOf = (scope: CatalogKey): SQL =>
  sql`coalesce((select epoch from catalogs where catalog_id = ${catalogIdOf(scope)}), ${NO_EPOCH})`

/** The columns of `CatalogState`. */
export const stateColumns = (scope: CatalogKey): SQL =>
  sql`${revisionOf(scope)} as revision, ${epochOf(scope)} as epoch`

export const stateStatement = (scope: CatalogKey): SQL<CatalogState> => sql`select ${stateColumns(scope)}`

/** The epoch after a write, from its row in `uploads`. After one that changed nothing it is that of its revision. */
export const EPOCH_AFTER = sql.raw(`iif(uploads.revision > uploads.revision_before, uploads.upload_id, coalesce(
    (select made_by.upload_id from uploads as made_by where made_by.catalog_id = uploads.catalog_id
      and made_by.revision = uploads.revision and made_by.revision > made_by.revision_before), '${NO_EPOCH}'))`)

/** Condition: the catalog has or had this epoch, and has not gone back behind it. */
export const knowsEpoch = (scope: CatalogKey, epoch: string): SQL =>
  sql`(${epoch} = ${epochOf(scope)} or exists (select 1 from uploads
    where upload_id = ${epoch} and catalog_id = ${catalogIdOf(scope)} and revision > revision_before))`

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

/** The epoch after a write, from its row in `batches`. After one that changed nothing it is that of its revision. */
export const EPOCH_AFTER = sql`iif(revision > revision_before, batch_id, coalesce(
    (select made.batch_id from batches as made where made.catalog_id = batches.catalog_id
      and made.revision = batches.revision and made.revision > made.revision_before), ${NO_EPOCH}))`

/** Condition: the catalog has or had this epoch, and has not gone back behind it. */
export const knowsEpoch = (scope: CatalogKey, epoch: string): SQL =>
  sql`(${epoch} = ${epochOf(scope)} or exists (select 1 from batches
    where batch_id = ${epoch} and catalog_id = ${catalogIdOf(scope)} and revision > revision_before))`

import { type SQL, sql } from 'drizzle-orm'
import type { Catalog } from '#worker/catalog/catalog'
import type { CatalogState } from '#worker/catalog/write/sql/state'
import { type CatalogKey, catalogRow } from '#worker/storage/catalog-key'
import { NO_EPOCH } from '#worker/storage/schema/catalogs'
import { version } from '../../../../package.json'

/** The parts of an entity tag. There is no row if the catalog does not exist yet. */
export interface TagRow extends Pick<CatalogState, 'revision' | 'epoch'> {
  search_enabled: number
}

/** @param total expression for the column `total`, on the row of the catalog */
export const tagStatement = (
  catalogKey: CatalogKey,
  total: SQL = sql`total_records`,
): SQL<TagRow & { total: number }> =>
  sql`select revision, epoch, search_enabled, ${total} as total from ${catalogRow(catalogKey)}`

/** The weak entity tag of a response (RFC 9110, section 8.8.3). Includes the release, which decides on `form_id`. */
export const tagOf = (row: TagRow | undefined): string =>
  `W/"${row?.revision ?? 0}-${row?.epoch ?? NO_EPOCH}-${row?.search_enabled === 1 ? 'on' : 'off'}-${version}"`

export async function readTag({ db, catalogKey }: Catalog): Promise<string> {
  const [row] = await db.all(tagStatement(catalogKey))
  return tagOf(row)
}

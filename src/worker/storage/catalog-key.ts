import { type SQL, sql } from 'drizzle-orm'
import type { RecordTypeName } from '#shared/records/record-type'
import { int } from '#worker/storage/database'

/** A catalog. The workspace is always that of the caller's credential. */
export interface CatalogKey {
  workspaceId: string
  type: RecordTypeName
}

/** Bits of a row ID for the record's number within its catalog; see `records.row_id`. */
export const NUMBER_BITS = 36

const numberBits = sql.raw(String(NUMBER_BITS))

type CatalogName = Readonly<Record<keyof CatalogKey, string | SQL>>

/** The row of a catalog: source and condition. */
export const catalogRow = ({ workspaceId, type }: CatalogName): SQL =>
  sql`catalogs where workspace_id = ${workspaceId} and type = ${type}`

/** Expression for the catalog's ID. Null, which matches nothing, if the workspace has no such catalog. */
export const catalogIdOf = (catalog: CatalogName): SQL => sql`(select catalog_id from ${catalogRow(catalog)})`

export const firstRowId = (catalogId: SQL): SQL => sql`(${catalogId} << ${numberBits})`

export const withinCatalog = (column: SQL, catalogKey: CatalogKey, from = 0): SQL => {
  const catalogId = catalogIdOf(catalogKey)
  return sql`${column} between ${firstRowId(catalogId)} + ${int(from)} and ${firstRowId(sql`(${catalogId} + 1)`)} - 1`
}

export const numberIn = (rowId: SQL): SQL => sql`(${rowId} & ((1 << ${numberBits}) - 1))`

export const numberColumn = numberIn(sql`row_id`)

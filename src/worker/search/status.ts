import { sql } from 'drizzle-orm'
import type { RecordTypeName } from '#shared/records/record-type'
import type { CatalogKey } from '#worker/storage/catalog-key'
import { type Database, int } from '#worker/storage/database'
import { timeOf } from '#worker/storage/list-page'
import type { SearchStatus } from './schemas'

interface SwitchRow {
  search_enabled: number
  search_updated_at: number | null
}

const returnedSwitch = (type: RecordTypeName, row: SwitchRow | undefined): SearchStatus => ({
  type,
  enabled: row?.search_enabled === 1,
  updated_at: timeOf(row?.search_updated_at ?? null),
})

/** The search switch of a catalog; off before it is set for the first time. */
export async function readSearchStatus(db: Database, catalogKey: CatalogKey): Promise<SearchStatus> {
  const [row] = await db.all(
    sql<SwitchRow>`select search_enabled, search_updated_at from catalogs
    where workspace_id = ${catalogKey.workspaceId} and type = ${catalogKey.type}`,
  )
  return returnedSwitch(catalogKey.type, row)
}

/** @throws ApiError 503 when the database cannot be reached */
export async function setSearchStatus(
  db: Database,
  catalogKey: CatalogKey,
  enabled: boolean,
  now: Date,
): Promise<SearchStatus> {
  const statement = sql<SwitchRow>`insert into catalogs (workspace_id, type, search_enabled, search_updated_at)
      values (${catalogKey.workspaceId}, ${catalogKey.type}, ${int(enabled ? 1 : 0)}, ${int(now.getTime())})
      on conflict (workspace_id, type) do update set
        search_enabled = excluded.search_enabled, search_updated_at = excluded.search_updated_at
      returning search_enabled, search_updated_at`
  return returnedSwitch(catalogKey.type, await db.retry(() => db.one(statement)))
}

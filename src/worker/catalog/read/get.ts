import { sql } from 'drizzle-orm'
import { shortened } from '#shared/errors/echoed-value'
import { ApiError } from '#shared/errors/errors'
import type { RecordType } from '#shared/records/record-type'
import { type RecordRow, type ReturnedRecord, returnedForm } from '#shared/records/stored-form'
import type { Catalog } from '#worker/catalog/catalog'
import { type TagRow, tagOf } from './entity-tag'

export const noSuchRecord = (type: RecordType, id: string): ApiError =>
  new ApiError('not_found', `There is no ${type.name} with the id "${shortened(id)}".`)

/** Active or not. @throws ApiError 404 naming the type and the id */
export async function getRecord(
  { db, scope, type }: Catalog,
  id: string,
): Promise<{ record: ReturnedRecord; tag: string }> {
  const [row] = await db.all<RecordRow & TagRow>(
    sql`select c.revision, c.epoch, c.search_enabled, r.record_id, r.is_active, r.updated_at, r.data
      from catalogs c cross join records r on r.catalog_id = c.catalog_id and r.record_id = ${id}
      where c.workspace_id = ${scope.workspaceId} and c.type = ${scope.type}`,
  )
  if (!row) throw noSuchRecord(type, id)
  return { record: returnedForm(type, row), tag: tagOf(row) }
}

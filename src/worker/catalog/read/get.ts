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
    sql`select revision, epoch, search_enabled, record_id, is_active, updated_at, data
      from catalogs cross join records on records.catalog_id = catalogs.catalog_id and record_id = ${id}
      where workspace_id = ${scope.workspaceId} and type = ${scope.type}`,
  )
  if (!row) throw noSuchRecord(type, id)
  return { record: returnedForm(type, row), tag: tagOf(row) }
}

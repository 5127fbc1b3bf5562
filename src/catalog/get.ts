import { sql } from 'drizzle-orm'
import { ApiError } from '#errors'
import type { RecordType } from '#records/record-type'
import { type RecordRow, type ReturnedRecord, returnedForm } from '#records/stored-form'
import { type CatalogScope, catalogIdOf } from '#storage/catalog-scope'
import type { Database } from '#storage/database'

/**
 * One record, active or not, by the caller's own id.
 *
 * @throws ApiError 404 naming the type and the id
 */
export async function getRecord(
  db: Database,
  scope: CatalogScope,
  type: RecordType,
  id: string,
): Promise<ReturnedRecord> {
  const rows = await db.all<RecordRow>(
    sql`select record_id, is_active, updated_at, data from records
    where catalog_id = ${catalogIdOf(scope)} and record_id = ${id}`,
  )
  const row = rows[0]
  if (!row) throw new ApiError('not_found', `There is no ${type.name} with the id "${id}".`)
  return returnedForm(type, row)
}

import { sql } from 'drizzle-orm'
import { ApiError } from '../errors'
import type { Database } from '../storage/database'
import type { RecordType } from './record-type'
import { type CatalogScope, catalogIdOf } from './scope'
import { type RecordRow, type ReturnedRecord, returnedForm } from './stored-record'

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

import type * as z from 'zod'
import type { RecordType } from '#shared/records/record-type'
import { returnedForm } from '#shared/records/stored-form'
import type { Catalog } from '#worker/catalog/catalog'
import { recordHistoryStatement, type VersionRow } from '#worker/catalog/history/sql/history'
import { noSuchRecord } from '#worker/catalog/read/get'
import { fieldValues, recordChange } from '#worker/catalog/write/diff'
import { firstOf } from '#worker/storage/database'
import { asPage, type PageRequest } from '#worker/storage/paged'
import { lastChange } from './changes'
import type { recordHistoryPageSchema } from './schemas'

/** The versions of one record, newest first. @throws ApiError 404 naming the type and the id */
export async function listRecordHistory(
  { db, scope, type }: Catalog,
  id: string,
  { limit, offset }: PageRequest,
): Promise<z.output<typeof recordHistoryPageSchema>> {
  const rows = await db.all(recordHistoryStatement(scope, id, limit, offset))
  const { total } = firstOf(rows)
  if (total === 0) throw noSuchRecord(type, id)
  const known = rows.filter(({ data }) => data !== null)
  // Unless it is the oldest version, the last row is there only to show what the version after it changed.
  const shown = offset + known.length < total || known.length > limit ? known.slice(0, -1) : known
  const items = shown.map((row, position) => returnedVersion(type, id, row, known[position + 1]))
  return asPage(items, total, { limit, offset })
}

/** @param before the version before it; undefined when there is none or when it is no longer kept */
function returnedVersion(type: RecordType, id: string, row: VersionRow, before: VersionRow | undefined) {
  const change = lastChange(row)
  const isKnown = before !== undefined || row.state_before === 0
  const { fields } = recordChange(type, {
    change,
    record_id: id,
    was_active: before?.is_active ?? null,
    is_active: row.is_active,
    before: before?.data ?? null,
    after: row.data,
  })
  return {
    revision: row.revision,
    changed_at: new Date(row.written_at).toISOString(),
    changed_by: row.created_by,
    batch_id: row.batch_id,
    change,
    record: returnedForm(type, {
      record_id: id,
      is_active: row.is_active,
      updated_at: row.written_at,
      data: row.data,
    }),
    fields: isKnown ? fieldValues(fields) : {},
  }
}

import { sql } from 'drizzle-orm'
import { type CatalogKey, catalogIdOf, catalogRow } from '#worker/storage/catalog-key'
import { int, intOrNull } from '#worker/storage/database'
import { catalogFacts } from './compare'
import { describeWrite, type NewWrite, writeTime } from './fragments'
import { committedRow, isProgram } from './write'

/**
 * Writes the file of the last write again if the catalog has not changed since, so only the list of writes changes. Has
 * no effect for a different file, a stale state, or a used key. Safe to repeat.
 *
 * @returns statements; the last but one returns the row of the write, if any, and the last one the facts of the catalog
 */
export function sameFileStatements(catalogKey: CatalogKey, newWrite: NewWrite) {
  const write = describeWrite(catalogKey, newWrite)
  const { batchId, now, createdBy, mode, format, key, expectedRevision, expectedEpoch, row } = write
  const insert = sql`insert into uploads (upload_id, catalog_id, received_at, written_at, created_at,
      created_by, by_program, request_id, mode, format, file_name, size_bytes,
      outcome, warnings, warning_list, file_digest, revision, revision_before, active_before, active_after,
      first_number, total, inserted, updated, unchanged, reactivated, deactivated, emptied, grown_bytes,
      idempotency_key, request_digest)
    select ${batchId}, present.catalog_id, time, time, ${int(now)},
      ${createdBy}, ${int(isProgram(createdBy) ? 1 : 0)}, ${write.requestId}, ${mode}, ${format}, ${write.fileName},
      ${int(write.sizeBytes)},
      'unchanged', json_array_length(last.warning_list), last.warning_list, last.file_digest, present.revision,
      present.revision, active_records, active_records,
      next_number, last.total, 0, last.total, last.total, 0, 0, '[]', 0,
      ${key?.key ?? null}, ${key?.digest ?? null}
    from (select *, ${writeTime(now)} as time from ${catalogRow(catalogKey)}) as present
      cross join (select * from uploads where catalog_id = ${catalogIdOf(catalogKey)} and written_at is not null
        order by written_at desc limit 1) as last
    where last.file_digest = ${write.fileDigest} and last.warning_list is not null
      and last.revision = present.revision
      and present.revision = coalesce(${intOrNull(expectedRevision)}, present.revision)
      and present.epoch = coalesce(${expectedEpoch}, present.epoch)
    on conflict do nothing`
  const noteSuccess = sql`update catalogs set last_success_at = (select written_at from uploads where ${row})
    where workspace_id = ${catalogKey.workspaceId} and type = ${catalogKey.type}
      and exists (select 1 from uploads where ${row} and by_program = 1)`
  const facts = catalogFacts(catalogKey, sql`exists (select 1 from uploads where ${row})`)
  return [insert, noteSuccess, committedRow(write), facts] as const
}

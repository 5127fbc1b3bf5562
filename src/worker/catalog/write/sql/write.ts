import { type SQL, sql } from 'drizzle-orm'
import { PERSON_PREFIX } from '#shared/access/caller'
import { NAME_LINE_BREAK } from '#shared/records/search/search-text'
import { type CommittedRow, writeColumns } from '#worker/catalog/write/result'
import { FEW_RECORDS, indexRecords, listNewWords, unindexRecords } from '#worker/search/index/word-index'
import { type CatalogKey, catalogRow, firstRowId } from '#worker/storage/catalog-key'
import { type Ending, int, intOrNull, stopIf } from '#worker/storage/database'
import { hasWriteMessages, insertWriteMessages } from '#worker/webhooks/messages'
import { emptiedCounts, emptiedSlots } from '../emptied-fields'
import {
  CHANGE_COUNTS,
  changeOf,
  describeWrite,
  LEFT_OUT,
  latin1Parameter,
  MAX_COMPARED_POSITIONS,
  type NewWrite,
  type WriteSql,
  writeTime,
} from './fragments'
import { stopLargeIfHistoryIsFull } from './history-size'
import { type Chunk, ELEMENT, elementsOfChunks, type SentRecords, sentIds } from './sent-records'
import { EPOCH_AFTER } from './state'
import { stopBeyondQuotas, stopIfEmptying, stopIfShrinking, stopIfStale, stopIfTooFew } from './stops'

/** The statements of a write, in the order in which they run (docs/architecture.md#a-write). */

/** Bytes of a record toward the quota. `catalogs.stored_bytes` is their sum. */
export const recordBytes = sql.raw(
  ['record_id', 'search_text', 'codes', 'data', 'added_names'].map((name) => `octet_length(${name})`).join(' + '),
)

/** Bytes of an earlier version of a record. `catalogs.version_bytes` is their sum. */
export const versionBytes = sql.raw(
  'octet_length(data) + coalesce(octet_length(search_text), 0) + coalesce(octet_length(codes), 0)',
)

export const nameLengthIn = (searchText: SQL): SQL => sql`instr(substr(${searchText}, 2), ${NAME_LINE_BREAK}) - 1`

export const ensureCatalog = ({ workspaceId, type }: CatalogKey): SQL =>
  sql`insert into catalogs (workspace_id, type) values (${workspaceId}, ${type}) on conflict do nothing`

/** Whether a caller is an integration; see `PERSON_PREFIX`. */
export const isProgram = (createdBy: string): boolean => !createdBy.startsWith(PERSON_PREFIX)

// The row of the write opens.

/** Opens the row of the write with the current state of the catalog. Stops a write that expects a different one. */
const openWrite = (write: WriteSql): SQL[] => [
  sql`insert into catalogs (workspace_id, type, keeps_versions)
      values (${write.catalogKey.workspaceId}, ${write.catalogKey.type}, ${int(write.keepsVersions ? 1 : 0)})
    on conflict (workspace_id, type) do update set keeps_versions = excluded.keeps_versions
      where keeps_versions <> excluded.keeps_versions`,
  ...stopIfStale(write),
  ...(write.approvalId === null ? [insertRow(write)] : takeFile(write, write.approvalId)),
]

const insertRow = (write: WriteSql): SQL =>
  sql`insert into uploads (upload_id, catalog_id, received_at, written_at, created_at,
      created_by, by_program, request_id,
      mode, format, file_name, size_bytes,
      outcome, warnings, revision, revision_before, active_before, first_number,
      total, deactivated, restored_revision, idempotency_key, request_digest, file_digest, warning_list)
    select ${write.batchId}, catalog_id, time, time, ${int(write.now)},
      ${latin1Parameter(write.createdBy)}, ${int(isProgram(write.createdBy) ? 1 : 0)}, ${write.requestId},
      ${write.mode}, ${write.format}, ${latin1Parameter(write.fileName)}, ${int(write.sizeBytes)},
      'written', ${int(write.warnings)}, revision, revision, active_records, next_number,
      ${int(write.total)}, 0, ${intOrNull(write.restoredRevision)},
      ${write.key?.key ?? null}, ${write.key?.digest ?? null}, ${write.fileDigest},
      ${latin1Parameter(write.warningList)}
    from (select *, ${writeTime(write.now)} as time from ${catalogRow(write.catalogKey)})`

/** Turns the row of a pending upload into the row of the write. Stops if the upload is no longer pending. */
const takeFile = (write: WriteSql, approvalId: string): SQL[] => [
  stopIf(
    sql`'upload_taken:' || waiting`,
    sql`(select count(*) as waiting from uploads
      where ${write.row} and outcome = 'held' and held_until > ${int(write.now)}) where waiting = 0`,
  ),
  sql`update uploads set written_at = time, outcome = 'approved', approved_by = ${latin1Parameter(write.createdBy)},
      approval_id = ${approvalId}, warnings = ${int(write.warnings)},
      file_digest = ${write.fileDigest}, warning_list = ${latin1Parameter(write.warningList)},
      revision = present.revision, revision_before = present.revision, active_before = active_records,
      first_number = next_number, total = ${int(write.total)}, deactivated = 0,
      idempotency_key = ${write.key?.key ?? null},
      request_digest = coalesce(${write.key?.digest ?? null}, request_digest)
    from (select *, ${writeTime(write.now)} as time from ${catalogRow(write.catalogKey)}) as present
    where uploads.upload_id = ${write.batchId} and uploads.catalog_id = present.catalog_id`,
]

// The records change: those of a request here, those of a restore and of an added name in their own files.

/**
 * Deactivates records missing from a reconcile. Runs before the upserts, which would add rows for `not in` to scan.
 * `not exists` would be hundreds of times slower.
 */
const deactivateMissing = ({ catalog, row, writtenAt, isLeftOut }: WriteSql, ids: readonly string[]): SQL[] => [
  sql`update records set is_active = 0, was_active = is_active, text_changed = 0,
      written_at = ${writtenAt}, position = ${LEFT_OUT}
    where catalog_id = ${catalog} and is_active = 1
      and record_id not in (${sentIds(ids)})`,
  sql`update uploads set deactivated = (select count(*) from records where ${isLeftOut}) where ${row}`,
]

/** The records of a request, with their catalog and batch. Each column is computed once per row (`limit -1`). */
const sentWithPositions = ({ catalog, catalogKey, writtenAt }: WriteSql, chunks: readonly Chunk[]): SQL =>
  sql`(select ${catalog} as catalog_id, ${writtenAt} as written_at,
      (select next_number from catalogs
        where workspace_id = ${catalogKey.workspaceId} and type = ${catalogKey.type}) as next_number,
      ${ELEMENT.position} as position, ${ELEMENT.id} as id, ${ELEMENT.isActive} as is_active,
      ${ELEMENT.data} as data, ${ELEMENT.filled} as filled, ${ELEMENT.digest} as digest, value
    from ${elementsOfChunks(chunks)} as element
    limit -1)`

/** The records that are not stored as sent. With a conflict clause that updates nothing, this would take 1.5 times. */
const changedRecords = (write: WriteSql, chunks: readonly Chunk[]): SQL =>
  sql`(select sent.catalog_id, sent.written_at, sent.next_number, sent.position, sent.id, sent.is_active, sent.data,
      sent.filled, sent.digest, sent.value ->> 2 as search_text, sent.value ->> 4 as codes
    from ${sentWithPositions(write, chunks)} as sent
      left join records stored
        on stored.catalog_id = iif(sent.next_number > 0, sent.catalog_id, null) and stored.record_id = sent.id
    where stored.row_id is null or stored.data <> sent.data or stored.is_active <> sent.is_active
    limit -1)`

const upsert = (write: WriteSql, chunks: readonly Chunk[]): SQL =>
  sql`insert into records
      (row_id, catalog_id, record_id,
      is_active, written_at, position, was_active, size_before, text_changed,
      name_length, search_text, codes, data, filled, digest)
    select ${firstRowId(sql`sent.catalog_id`)} + sent.next_number + sent.position, sent.catalog_id,
      sent.id, sent.is_active, sent.written_at, sent.position,
      null, 0, 1,
      ${nameLengthIn(sql`sent.search_text`)}, sent.search_text, sent.codes, sent.data, sent.filled,
      sent.digest
    from ${changedRecords(write, chunks)} as sent
    where true
    on conflict (catalog_id, record_id) do update set
      is_active = excluded.is_active, written_at = excluded.written_at, position = excluded.position,
      was_active = is_active, emptied = ${emptiedSlots('records', 'excluded')}, size_before = ${recordBytes},
      text_changed = search_text is not excluded.search_text or codes is not excluded.codes,
      name_length = excluded.name_length, search_text = excluded.search_text,
      codes = excluded.codes, data = excluded.data, filled = excluded.filled, digest = excluded.digest`

// The counts, guards that depend on them, and the word index.

/** One row with the counts of this write's changes. `emptied` is computed once, if any field was cleared. */
const writeOutcome = ({ isSent }: WriteSql): SQL => {
  const changed = sql`(select *, ${changeOf('was_active', 'is_active')} as change from records where ${isSent})`
  return sql`(select *, iif(emptying > 0, ${emptiedCounts(changed)}, '[]') as emptied from (
      select count(*) as changed, count(*) filter (where emptied <> 0) as emptying, ${CHANGE_COUNTS},
        coalesce(sum(${recordBytes} - size_before), 0) as grown_bytes
      from ${changed}) limit -1) as effect`
}

/** The number of records that were sent or restored. */
const TOTAL = sql.raw("iif(mode = 'restore', effect.changed, total)")

/**
 * Fills in the counts of this write, and updates the counters of the catalog. `uploads.deactivated` already counts the
 * missing records.
 *
 * @param usedSlots see `SentRecords`
 */
const countChanges = (write: WriteSql, usedSlots: number): SQL[] => [
  sql`update uploads set total = ${TOTAL}, inserted = effect.inserted, reactivated = effect.reactivated,
      updated = ${TOTAL} - effect.inserted - effect.reactivated - effect.became_inactive,
      unchanged = ${TOTAL} - effect.changed, deactivated = deactivated + effect.became_inactive,
      revision = revision_before + (effect.changed + deactivated > 0),
      outcome = iif(outcome = 'written' and effect.changed + deactivated = 0, 'unchanged', outcome),
      active_after = active_before + effect.became_active - effect.became_inactive - deactivated,
      grown_bytes = effect.grown_bytes, ended_bytes = (
        select coalesce(sum(${versionBytes}), 0) from record_versions
        where record_versions.catalog_id = uploads.catalog_id and ended_at = uploads.written_at),
      emptied = effect.emptied, warnings = warnings + json_array_length(effect.emptied)
    from ${writeOutcome(write)} where ${write.row}`,
  ...stopIfShrinking(write),
  ...stopIfEmptying(write),
  // A restore was checked before.
  ...(write.mode === 'restore' ? [] : stopLargeIfHistoryIsFull(write)),
  sql`update catalogs set
      revision = this_write.revision, active_records = this_write.active_after,
      total_records = total_records + this_write.inserted, used_slots = used_slots | ${int(usedSlots)},
      stored_bytes = stored_bytes + this_write.grown_bytes, version_bytes = version_bytes + this_write.ended_bytes,
      written_at = iif(this_write.changes_something, this_write.written_at, catalogs.written_at),
      epoch = iif(this_write.changes_something, this_write.upload_id, epoch),
      next_number = next_number + iif(this_write.inserted > 0, this_write.total, 0),
      history_from = iif(keeps_versions = 0 and this_write.changes_something, this_write.revision, history_from),
      last_success_at = iif(by_program = 1 and format in ('csv', 'json'), this_write.written_at, last_success_at)
    from (
      select *, revision > revision_before as changes_something from uploads where ${write.row}) as this_write
    where catalogs.workspace_id = ${write.catalogKey.workspaceId} and catalogs.type = ${write.catalogKey.type}`,
  ...stopBeyondQuotas(write),
]

/**
 * Updates the word index, in one statement each: row by row takes several times as long. Tokens depend on the state.
 */
const updateSearchIndex = ({ catalog, row, isTouched }: WriteSql): SQL[] => {
  const hasNewTokens = sql`${isTouched} and (text_changed = 1 or was_active is not is_active)`
  const hadRecords = sql`(select first_number > 0 from uploads where ${row})`
  const few = sql`(select total - unchanged <= ${int(FEW_RECORDS)} from uploads where ${row})`
  return [
    unindexRecords(sql`${hadRecords} and ${hasNewTokens} and was_active is not null`),
    indexRecords(hasNewTokens),
    listNewWords(catalog, sql`${isTouched} and text_changed = 1`, few),
  ]
}

// The result, and the whole batch.

/** The row of the write; none if another request has written its upload. */
export const committedRow = ({ catalogKey, approvalId, row, isSent }: WriteSql): SQL<CommittedRow> =>
  sql`select ${writeColumns('uploads')}, ${EPOCH_AFTER} as epoch,
      iif(mode = 'upsert' and reactivated > 0, (select json_group_array(position) from (
        select position from records where ${isSent} and is_active = 1 and was_active = 0
        order by position limit ${int(MAX_COMPARED_POSITIONS)})), '[]') as reactivated_positions,
      ${hasWriteMessages(catalogKey.workspaceId)} as has_messages
    from uploads where ${row} and written_at is not null and approval_id is ${approvalId}`

/**
 * The batch of a write. Its last statement returns the row of the write.
 *
 * @param changes statements for the records
 * @param usedSlots see `SentRecords`; 0 if records only get values that they had before
 */
export const transactionOf = (write: WriteSql, changes: readonly SQL[], usedSlots: number): Ending<CommittedRow> => [
  ...openWrite(write),
  ...changes,
  ...countChanges(write, usedSlots),
  ...updateSearchIndex(write),
  insertWriteMessages(write.catalogKey, write.row),
  committedRow(write),
]

/** The batch of a request's write. It decides everything. Its last statement returns the row of the write. */
export function writeStatements(catalogKey: CatalogKey, newWrite: NewWrite, sent: SentRecords): Ending<CommittedRow> {
  const write = describeWrite(catalogKey, newWrite)
  const missing =
    newWrite.mode === 'reconcile' ? [...stopIfTooFew(write, sent), ...deactivateMissing(write, sent.idLists)] : []
  return transactionOf(write, [...missing, upsert(write, sent.chunks)], sent.usedSlots)
}

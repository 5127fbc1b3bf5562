import { type SQL, sql } from 'drizzle-orm'
import { DIFF_LIST_RECORDS, DIFF_PAGE_ROWS } from '#shared/limits'
import { CHANGES, type ChangeKind } from '#shared/records/change'
import type { RecordRow } from '#shared/records/stored-form'
import { emptiedSlots } from '#worker/catalog/write/emptied-fields'
import { type CommittedRow, type WriteRow, writtenBy } from '#worker/catalog/write/result'
import {
  type DiffRow,
  type FormAfter,
  type OutcomeRow,
  outcomeCounts,
  withStored,
} from '#worker/catalog/write/sql/dry-run'
import { changeOf, describeWrite, hasChange, type NewWrite, type WriteSql } from '#worker/catalog/write/sql/fragments'
import { stopRestoreIfHistoryIsFull } from '#worker/catalog/write/sql/history-size'
import { type CatalogState, stateColumns } from '#worker/catalog/write/sql/state'
import { stopIfSurelyShrinking } from '#worker/catalog/write/sql/stops'
import { nameLengthIn, recordBytes, transactionOf } from '#worker/catalog/write/sql/write'
import { type CatalogKey, catalogIdOf, firstRowId } from '#worker/storage/catalog-key'
import { type Ending, int, stopIf } from '#worker/storage/database'
import { historyFrom, joinWrite, madeAt, versionAt } from './history'

/** Restores: each record gets its values of that time. A record that did not exist yet becomes inactive. */

/** What to restore: a whole catalog, or the records of one write. */
export interface RestoreTarget {
  /** The revision to which to restore the records. */
  revision: number
  /** The one write to undo, which made the next revision; undefined to restore the whole catalog. */
  undoneWrite?: WriteRow | undefined
  /** Whether to keep records that later writes changed. Otherwise they stop the undo. */
  leavesChanged?: boolean | undefined
  /** Most records that may change (`MAX_RESTORED_RECORDS`). */
  maxRecords: number
}

/** The time whose values the records get. */
const timeThen = (catalogKey: CatalogKey, { revision, undoneWrite }: RestoreTarget): SQL =>
  undoneWrite === undefined ? madeAt(catalogKey, revision) : int(undoneWrite.written_at - 1)

/** Condition on `present_record`, starting with `and`: it is as left by the write to undo. */
const leftByUndone = ({ undoneWrite }: RestoreTarget): SQL =>
  undoneWrite === undefined ? sql.empty() : sql` and present_record.written_at = ${int(undoneWrite.written_at)}`

/** The version of a record at that time (`past_version`); none if the record did not exist yet. */
const versionThen = (catalogKey: CatalogKey, target: RestoreTarget, record: string): SQL =>
  versionAt('past_version', catalogIdOf(catalogKey), `${record}.row_id`, timeThen(catalogKey, target))

/** Records (`present_record`) that differ from their versions of that time (`past_version`). */
const differingRecords = (catalogKey: CatalogKey, target: RestoreTarget): SQL =>
  sql`from records present_record indexed by records_list left join ${versionThen(catalogKey, target, 'present_record')}
    where present_record.catalog_id = ${catalogIdOf(catalogKey)} and present_record.is_active in (0, 1)
      and present_record.written_at > ${timeThen(catalogKey, target)}${leftByUndone(target)}
      and (present_record.is_active <> coalesce(past_version.is_active, 0) or present_record.data <> past_version.data)`

/**
 * The search text or the codes of a record at that time. Null in a version means: same as in the next newer one. So
 * take the first value from that version on: its own, without a search, if the next write changed the texts.
 */
const textThen = (catalogKey: CatalogKey, target: RestoreTarget, column: 'search_text' | 'codes'): SQL => {
  const name = sql.raw(column)
  return sql`iif(past_version.row_id is null, records.${name}, coalesce(past_version.${name}, (
    select next_texts.${name} from record_versions next_texts indexed by record_versions_texts
    where next_texts.row_id = records.row_id and next_texts.ended_at > ${timeThen(catalogKey, target)}
      and next_texts.search_text is not null
    order by next_texts.ended_at limit 1), records.${name}))`
}

/**
 * Writes the old values back, one record at a time, so that the database never has all of them twice in memory. It does
 * not read the versions that the trigger adds in the meantime. Stops after one record too many.
 */
const writeBack = ({ catalogKey, writtenAt }: WriteSql, target: RestoreTarget): SQL =>
  sql`update records set written_at = ${writtenAt}, position = 0, was_active = is_active,
      size_before = ${recordBytes},
      (is_active, data, filled, digest, emptied, text_changed, name_length, search_text, codes) = (
        select is_active, data, filled, digest, ${emptiedSlots('records', 'past')},
          search_text <> records.search_text or codes <> records.codes,
          ${nameLengthIn(sql.raw('search_text'))}, search_text, codes
        from (select coalesce(past_version.is_active, 0) as is_active,
            coalesce(past_version.data, records.data) as data,
            coalesce(past_version.filled, records.filled) as filled,
            coalesce(past_version.digest, records.digest) as digest,
            ${textThen(catalogKey, target, 'search_text')} as search_text,
            ${textThen(catalogKey, target, 'codes')} as codes
          from (select 1) left join ${versionThen(catalogKey, target, 'records')} limit 1) as past)
    where row_id in (
      select present_record.row_id ${differingRecords(catalogKey, target)} limit ${int(target.maxRecords + 1)})`

const stopUnlessRestorable = ({ workspaceId, type }: CatalogKey, revision: number): SQL =>
  stopIf(
    sql`'unrestorable_revision:' || revision || ':' || history_from`,
    sql`catalogs where workspace_id = ${workspaceId} and type = ${type}
      and (${int(revision)} > revision or ${int(revision)} < history_from)`,
  )

/** Stops a restore of a catalog to a revision that had too few active records, if the write that made it is stored. */
function stopIfHadTooFew(write: WriteSql, target: RestoreTarget): SQL[] {
  const { catalogKey } = write
  if (target.undoneWrite !== undefined) return []
  if (target.revision === 0) return stopIfSurelyShrinking(write, sql`0`, sql.raw('active_records'))
  const activeThen = sql`coalesce((select active_after from uploads
    where catalog_id = ${write.catalog} and revision = ${int(target.revision)} and revision > revision_before
    limit 1), active_records)`
  const deactivated = sql`(select count(*) ${differingRecords(catalogKey, target)}
    and present_record.is_active = 1 and coalesce(past_version.is_active, 0) = 0)`
  return stopIfSurelyShrinking(write, activeThen, deactivated)
}

const stopIfTooMany = ({ isSent }: WriteSql, maxRecords: number): SQL =>
  stopIf(
    sql`'too_many_restored:' || number`,
    sql`(select count(*) as number from records where ${isSent}) where number > ${int(maxRecords)}`,
  )

/** The row IDs of the records that a write changed: records with a version that it ended, and new ones. */
function changedByWrite(catalogKey: CatalogKey, { written_at, inserted, first_number, total }: WriteRow): SQL {
  const catalog = catalogIdOf(catalogKey)
  const existingRecords = sql`select row_id from record_versions
    where catalog_id = ${catalog} and ended_at = ${int(written_at)}`
  if (inserted === 0) return existingRecords
  const first = sql`${firstRowId(catalog)} + ${int(first_number)}`
  return sql`${existingRecords}
    union all select row_id from records not indexed
    where row_id between ${first} and ${first} + ${int(total - 1)}`
}

/** Records of a write that later writes changed: source and condition. */
const laterChanges = (catalogKey: CatalogKey, undoneWrite: WriteRow): SQL =>
  sql`(${changedByWrite(catalogKey, undoneWrite)}) as undone_records
    cross join records on records.row_id = undone_records.row_id
    where records.written_at > ${int(undoneWrite.written_at)}`

/** A record as the last later write left it, and that write: null if it is purged. */
interface LaterChangeRow extends RecordRow {
  revision: number | null
  batch_id: string | null
  created_by: string | null
  record_count: number
}

/** The records of a write that later writes changed, in the order in which they were first written. */
export const laterChangesStatement = (
  catalogKey: CatalogKey,
  undoneWrite: WriteRow,
  most: number,
): SQL<LaterChangeRow> =>
  sql`select later_record.*, made_by.revision, made_by.upload_id as batch_id, ${writtenBy('made_by')} as created_by
    from (
      select records.*, count(*) over () as record_count
      from ${laterChanges(catalogKey, undoneWrite)}
      order by records.row_id limit ${int(most)}) as later_record
      ${joinWrite('later_record.catalog_id', 'later_record.written_at')}
    order by later_record.row_id`

/** Stops if later writes changed some of the records. Runs first, because the undo itself is a later write of them. */
const stopIfChangedLater = (catalogKey: CatalogKey, undoneWrite: WriteRow): SQL =>
  stopIf(
    sql`'changed_later:' || number`,
    sql`(select count(*) as number from ${laterChanges(catalogKey, undoneWrite)}) where number > 0`,
  )

export function restoreStatements(
  catalogKey: CatalogKey,
  newWrite: NewWrite,
  target: RestoreTarget,
): Ending<CommittedRow> {
  const write = describeWrite(catalogKey, newWrite)
  const { revision, undoneWrite, leavesChanged, maxRecords } = target
  const changes = [
    stopUnlessRestorable(catalogKey, revision),
    ...stopRestoreIfHistoryIsFull(write),
    ...stopIfHadTooFew(write, target),
    ...(undoneWrite === undefined || leavesChanged ? [] : [stopIfChangedLater(catalogKey, undoneWrite)]),
    writeBack(write, target),
    stopIfTooMany(write, maxRecords),
  ]
  return transactionOf(write, changes, 0)
}

/** The table `compared`: the changes that a restore would make. */
const restoredRecords = (catalogKey: CatalogKey, target: RestoreTarget): SQL =>
  sql`select present_record.row_id, present_record.record_id as id, past_version.ended_at,
      present_record.is_active as was_active, coalesce(past_version.is_active, 0) as is_active,
      ${changeOf('present_record.is_active', 'coalesce(past_version.is_active, 0)')} as change,
      coalesce(${emptiedSlots('present_record', 'past_version')}, 0) as emptied
    ${differingRecords(catalogKey, target)}`

export interface RestorableState extends CatalogState {
  history_from: number
}

const RESTORED_COLUMNS = sql.raw(
  'change, 0 as left_out, row_id as position, id, row_id, ended_at, was_active, is_active',
)

/** Whether the record is active in the version to restore. */
const IN_VERSION: FormAfter = {
  data: sql.raw('past_version.data'),
  joins: sql.raw(`left join record_versions past_version on past_version.catalog_id = stored.catalog_id
      and past_version.ended_at = changes.ended_at and past_version.row_id = changes.row_id`),
}

/** The counts of a restore, and the first changes of each kind, in the order in which records were first written. */
export function restorePreview(
  catalogKey: CatalogKey,
  target: RestoreTarget,
): SQL<OutcomeRow & RestorableState & DiffRow> {
  const lists = CHANGES.map(
    (change) =>
      sql`select * from (select ${RESTORED_COLUMNS} from compared
        where ${hasChange(change)}
        order by row_id limit ${int(DIFF_LIST_RECORDS)})`,
  )
  return sql`with compared as materialized (${restoredRecords(catalogKey, target)}),
    counted as materialized (
      select *, ${historyFrom(catalogKey)} as history_from from (${outcomeCounts(catalogKey)}))
    ${withStored(sql`counted`, sql.join(lists, sql` union all `), 'each kind', IN_VERSION)}`
}

/** One row: the state of the catalog, and the oldest revision that can be restored. */
const pinnedState = (catalogKey: CatalogKey): SQL<RestorableState> =>
  sql`(select ${stateColumns(catalogKey)}, ${historyFrom(catalogKey)} as history_from)`

/** A page of a restore's changes after a row ID, in any order. Every row has the columns of `pinnedState`. */
export function restoreChangesPage(
  catalogKey: CatalogKey,
  target: RestoreTarget,
  after: number,
  kind: ChangeKind | null,
): SQL<DiffRow & RestorableState> {
  const ofKind = kind === null ? sql.empty() : sql`and ${hasChange(kind)}`
  const beyond = after < 0 ? firstRowId(catalogIdOf(catalogKey)) : sql`${int(after)} + 1`
  return withStored(
    pinnedState(catalogKey),
    sql`select ${RESTORED_COLUMNS} from (${restoredRecords(catalogKey, target)})
      where row_id >= ${beyond} ${ofKind} order by row_id limit ${int(DIFF_PAGE_ROWS)}`,
    'all',
    IN_VERSION,
  )
}

import { type SQL, sql } from 'drizzle-orm'
import type { ChangeKind } from '#shared/records/change'
import type { RecordRow } from '#shared/records/stored-form'
import { withinPageBytes } from '#worker/catalog/read/sql/page'
import { CHANGED_BY, type WriteRow, writeColumns, writesOf, writtenBy } from '#worker/catalog/write/result'
import type { DiffRow } from '#worker/catalog/write/sql/dry-run'
import { changeOf } from '#worker/catalog/write/sql/fragments'
import { type CatalogState, knowsEpoch, stateColumns } from '#worker/catalog/write/sql/state'
import { type CatalogKey, catalogIdOf, firstRowId } from '#worker/storage/catalog-key'
import { int } from '#worker/storage/database'
import type { PageRequest } from '#worker/storage/list-page'

// The SQL that reads versions of records: their states at a time, and the changes of a write.

/**
 * The time of a revision; 0 for revision 0. If its write is purged, the time of the previous write: a write is purged
 * only if no record is as it left it, so everything that it changed has changed since.
 */
export const madeAt = (catalogKey: CatalogKey, revision: number): SQL =>
  revision === 0
    ? sql.raw('0')
    : sql`coalesce((select written_at from uploads indexed by uploads_revision
        where catalog_id = ${catalogIdOf(catalogKey)} and revision <= ${int(revision)} and revision > revision_before
        order by revision desc limit 1), 0)`

/** The oldest revision that can be restored, 0 before the first write. */
export const historyFrom = (catalogKey: CatalogKey): SQL =>
  sql`coalesce((select history_from from catalogs where catalog_id = ${catalogIdOf(catalogKey)}), 0)`

/**
 * Joins the version of a record that was current at a time: none if it is the current state, or if the record did not
 * exist yet. Uses an index, so the number of later versions does not matter.
 *
 * @param rowId column with the record's row ID
 */
export function versionAt(name: string, catalogId: SQL, rowId: string, time: SQL): SQL {
  const version = sql.raw(name)
  const record = sql.raw(rowId)
  return sql`record_versions ${version} on ${version}.catalog_id = ${catalogId} and ${version}.row_id = ${record}
    and ${version}.ended_at = (
      select ended_at from record_versions later_version indexed by record_versions_row
      where later_version.row_id = ${record} and later_version.ended_at > ${time}
      order by later_version.ended_at limit 1)
    and ${version}.written_at <= ${time}`
}

/** Joins the write that made a version or the current state of a record, as `made_by`; nothing if it is purged. */
export const joinWrite = (catalogId: string, writtenAt: string): SQL =>
  sql.raw(
    `left join uploads made_by indexed by uploads_written
      on made_by.catalog_id = ${catalogId} and made_by.written_at = ${writtenAt}`,
  )

interface WrittenChange extends DiffRow {
  batch_id: string
}

/**
 * The changes of writes to each record. Existing records have a version that the write ended; new records have numbers
 * from `first_number` on. A row needs the version before the write and, if a later write ended it, the one after.
 *
 * @param writes writes that changed anything
 * @param order order by the columns `written_at` and `row_id`, with a prefix
 */
function changesOf(writes: SQL, order: (table: string) => SQL, window: SQL): SQL<WrittenChange> {
  const firstNew = sql`${firstRowId(sql`chosen_writes.catalog_id`)} + chosen_writes.first_number`
  const versionAfter = versionAt(
    'version_after',
    sql`page_keys.catalog_id`,
    'page_keys.row_id',
    sql`page_keys.written_at`,
  )
  const keys = sql`select upload_id, row_id, ended_at, written_at, after_ended_at,
      octet_length(data) + octet_length(data_after) as bytes
    from (
      select page_keys.*, coalesce(version_after.ended_at, 0) as after_ended_at,
        coalesce(version_after.data, present_record.data) as data_after
      from (select * from changed_records order by ${order('')} ${window}) as page_keys
        left join ${versionAfter}
        join records present_record on present_record.row_id = page_keys.row_id)`
  return sql`with chosen_writes as materialized (${writes}),
    changed_records as (
      select upload_id, chosen_writes.catalog_id, ended_version.row_id, ended_version.ended_at,
        chosen_writes.written_at, ended_version.data
      from chosen_writes cross join record_versions ended_version
        on ended_version.catalog_id = chosen_writes.catalog_id and ended_version.ended_at = chosen_writes.written_at
      union all select upload_id, chosen_writes.catalog_id, new_record.row_id, 0 as ended_at,
        chosen_writes.written_at, '' as data
      from chosen_writes cross join records new_record not indexed
        on new_record.row_id between ${firstNew} and ${firstNew} + chosen_writes.total - 1
      where chosen_writes.inserted > 0),
    page as materialized (${withinPageBytes(keys, order(''))})
    select page.upload_id as batch_id, page.row_id as position, present_record.record_id,
      ${changeOf('version_before.is_active', 'coalesce(version_after.is_active, present_record.is_active)')} as change,
      version_before.is_active as was_active,
      coalesce(version_after.is_active, present_record.is_active) as is_active,
      version_before.data as before, coalesce(version_after.data, present_record.data) as after
    from page cross join records present_record on present_record.row_id = page.row_id
      left join record_versions version_before
        on version_before.catalog_id = present_record.catalog_id
          and version_before.ended_at = page.ended_at and version_before.row_id = page.row_id
      left join record_versions version_after
        on version_after.catalog_id = present_record.catalog_id
          and version_after.ended_at = page.after_ended_at and version_after.row_id = page.row_id
    order by ${order('page.')}`
}

/** The changes of one write: a page in the order in which the records were first written. */
export const writeChangesStatement = (
  catalogKey: CatalogKey,
  batchId: string,
  { limit, offset }: PageRequest,
): SQL<WrittenChange> =>
  changesOf(
    sql`select * from ${writesOf(catalogKey)} and upload_id = ${batchId} and revision > revision_before`,
    (table) => sql.raw(`${table}row_id`),
    sql`limit ${int(limit)} offset ${int(offset)}`,
  )

/** The writes of a catalog, newest first. @param where further condition */
export const writesPage = (catalogKey: CatalogKey, { limit, offset }: PageRequest, where = sql`true`): SQL<WriteRow> =>
  sql`select ${writeColumns('uploads')} from ${writesOf(catalogKey)} and ${where}
    order by written_at desc limit ${int(limit)} offset ${int(offset)}`

/** The changes of a page of writes. Only for writes that changed few records, if their changes are kept. */
export const smallChangesStatement = (catalogKey: CatalogKey, page: PageRequest, most: number): SQL<WrittenChange> =>
  changesOf(
    sql`select * from (${writesPage(catalogKey, page)})
      where revision > revision_before and revision > ${historyFrom(catalogKey)} and ${CHANGED_BY} <= ${int(most)}`,
    (table) => sql.raw(`${table}written_at desc, ${table}row_id`),
    sql.empty(),
  )

/** A version of a record, or its current state. */
export interface VersionRow {
  written_at: number
  is_active: 0 | 1
  change: ChangeKind
  data: string
  added_names: string
  /** The next three are null if the write that made it is purged. */
  revision: number | null
  batch_id: string | null
  created_by: string | null
  /** Number of versions of the record. */
  total: number
}

/**
 * The versions of a record, newest first, and one more to show what the last one changed. For an unknown record, one
 * row with the total 0.
 */
export function recordHistoryStatement(
  catalogKey: CatalogKey,
  recordId: string,
  limit: number,
  offset: number,
): SQL<VersionRow> {
  const keys = sql`select *, octet_length(data) as bytes from versions
    order by written_at desc limit ${int(limit + 1)} offset ${int(offset)}`
  return sql`with present_record as materialized (
      select * from records
      where catalog_id = ${catalogIdOf(catalogKey)} and record_id = ${recordId}),
    versions as (
      select catalog_id, written_at, is_active, was_active, data, added_names from present_record
      union all select ended_version.catalog_id, ended_version.written_at, ended_version.is_active,
        ended_version.was_active, ended_version.data, ended_version.added_names
      from present_record cross join record_versions ended_version indexed by record_versions_row
        on ended_version.row_id = present_record.row_id),
    page as (${withinPageBytes(keys, sql.raw('written_at desc'))})
    select page.*, ${changeOf('was_active', 'is_active')} as change,
      made_by.revision, made_by.upload_id as batch_id, ${writtenBy('made_by')} as created_by,
      (select count(*) from versions) as total
    from (select 1) left join page on true
      ${joinWrite('page.catalog_id', 'page.written_at')}
    order by page.written_at desc`
}

/** Start of a mirror's next page: after this record as it was then, with its number within the catalog. */
export type MirrorPosition = Record<'updatedAt' | 'position' | 'number', number>

/** A record whose last change came after a revision. Each row has the state of the catalog. */
export interface MirrorRow extends RecordRow, CatalogState {
  /** Whether the write that made the mirror's revision is known. */
  knows_epochs: 0 | 1
  /** Number of records after the position, at most one more than the limit; null if there are none. */
  key_count: number | null
  position: number
  number: number
  change: ChangeKind
  changed_in: number
}

/**
 * Records whose last change came after a revision, oldest first, after a position, and one more if there are more.
 *
 * @param epochs epochs that the mirror has seen; every row shows whether the catalog knows them
 */
export function mirrorPage(
  catalogKey: CatalogKey,
  { since, epochs }: { since: number; epochs: readonly string[] },
  after: MirrorPosition | null,
  limit: number,
): SQL<MirrorRow> {
  const catalog = catalogIdOf(catalogKey)
  const position =
    after === null
      ? sql.empty()
      : sql` and (written_at, position, row_id)
          > (${int(after.updatedAt)}, ${int(after.position)}, ${firstRowId(catalog)} + ${int(after.number)})`
  const inState = (active: string) =>
    sql`select row_id, written_at, position from records indexed by records_list
      where catalog_id = ${catalog} and is_active = ${sql.raw(active)}
        and written_at > ${madeAt(catalogKey, since)}${position}`
  const order = sql.raw('written_at, position, row_id')
  const keys = sql`select page_keys.*, octet_length(data) as bytes
    from (
      select * from (${inState('1')} union all ${inState('0')})
      order by ${order} limit ${int(limit + 1)}) as page_keys
      cross join records using (row_id)`
  const knowsEpochs = sql.join([sql`true`, ...epochs.map((epoch) => knowsEpoch(catalogKey, epoch))], sql` and `)
  return sql`with page as materialized (${withinPageBytes(keys, order)})
    select ${stateColumns(catalogKey)}, ${knowsEpochs} as knows_epochs, page.key_count, page.position,
      present_record.record_id, present_record.is_active, present_record.written_at, present_record.data,
      present_record.added_names, ${changeOf('present_record.was_active', 'present_record.is_active')} as change,
      present_record.row_id - ${firstRowId(sql`present_record.catalog_id`)} as number,
      made_by.revision as changed_in
    from (select 1) left join page on true left join records present_record on present_record.row_id = page.row_id
      ${joinWrite('present_record.catalog_id', 'present_record.written_at')}
    order by page.written_at, page.position, page.row_id`
}

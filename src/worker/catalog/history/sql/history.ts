import { type SQL, sql } from 'drizzle-orm'
import type { RecordRow } from '#shared/records/stored-form'
import { withinPageBytes } from '#worker/catalog/read/sql/page'
import { CHANGED_BY, type WriteRow, writeColumns, writesOf, writtenBy } from '#worker/catalog/write/result'
import { type ChangeRow, changeBetween } from '#worker/catalog/write/sql/diff'
import { type CatalogState, knowsEpoch, stateColumns } from '#worker/catalog/write/sql/state'
import { type CatalogKey, catalogIdOf, firstRowId } from '#worker/storage/catalog-scope'
import { int } from '#worker/storage/database'
import type { PageRequest } from '#worker/storage/paged'

/** The SQL that reads versions of records: their states at a time, and what a write did. */

/**
 * A time at which the catalog was in the state of a revision: that of the last write that made one up to this revision
 * and is known, and 0 for revision 0. A write may be purged, but not while a record is as it left it. So every record
 * that was changed later than this time has changed since the revision.
 */
export const madeAt = (scope: CatalogKey, revision: number): SQL =>
  revision === 0
    ? sql.raw('0')
    : sql`coalesce((select written_at from uploads indexed by uploads_revision
        where catalog_id = ${catalogIdOf(scope)} and revision <= ${int(revision)} and revision > revision_before
        order by revision desc limit 1), 0)`

/** The oldest revision that can be restored, 0 before the first write. */
export const historyFrom = (scope: CatalogKey): SQL =>
  sql`coalesce((select history_from from catalogs where catalog_id = ${catalogIdOf(scope)}), 0)`

/** Joins the write that made a version or the present state of a record, as `maker`: nothing if it is not listed. */
export const joinMaker = (catalogId: string, writtenAt: string): SQL =>
  sql.raw(
    `left join uploads maker indexed by uploads_written
      on maker.catalog_id = ${catalogId} and maker.written_at = ${writtenAt}`,
  )

/** What a write did to a record. */
interface WrittenChange extends ChangeRow {
  batch_id: string
}

/** Which changes of some writes are wanted. */
interface WantedChanges {
  /** Writes that changed something. */
  writes: SQL
  /** By the columns `written_at` and `row_id`. @param table prefix of the columns */
  order: (table: string) => SQL
  window: SQL
}

/**
 * What writes did to each record. Records that existed before are those whose version the write ended; new ones have
 * consecutive numbers from `first_number` on.
 */
function changesOf({ writes, order, window }: WantedChanges): SQL<WrittenChange> {
  const first = sql`${firstRowId(sql`made.catalog_id`)} + made.first_number`
  const keys = sql`select upload_id, row_id, ended_at, written_at, after_at,
      octet_length(data) + octet_length(after) as bytes
    from (
      select listed.*, coalesce(later.ended_at, 0) as after_at, coalesce(later.data, now.data) as after
      from (select * from touched order by ${order('')} ${window}) as listed
        left join record_versions later indexed by record_versions_row
          on later.row_id = listed.row_id and later.ended_at > listed.written_at
            and later.written_at = listed.written_at
        join records now on now.row_id = listed.row_id)`
  return sql`with made as materialized (${writes}),
    touched as (
      select upload_id, ended.row_id, ended.ended_at, made.written_at, ended.data
      from made cross join record_versions ended
        on ended.catalog_id = made.catalog_id and ended.ended_at = made.written_at
      union all select upload_id, added.row_id, 0 as ended_at, made.written_at, '' as data
      from made cross join records added not indexed
        on added.row_id between ${first} and ${first} + made.total - 1
      where made.inserted > 0),
    page as materialized (${withinPageBytes(keys, order(''))})
    select page.upload_id as batch_id, page.row_id as position, now.record_id,
      ${changeBetween('earlier', 'coalesce(later.is_active, now.is_active)')} as change,
      earlier.is_active as was_active, coalesce(later.is_active, now.is_active) as is_active,
      earlier.data as before, coalesce(later.data, now.data) as after
    from page cross join records now on now.row_id = page.row_id
      left join record_versions earlier
        on earlier.catalog_id = now.catalog_id and earlier.ended_at = page.ended_at and earlier.row_id = page.row_id
      left join record_versions later
        on later.catalog_id = now.catalog_id and later.ended_at = page.after_at and later.row_id = page.row_id
    order by ${order('page.')}`
}

/** What one write did to each record: a page in the order in which the records were first written. */
export const writeChangesStatement = (
  scope: CatalogKey,
  batchId: string,
  { limit, offset }: PageRequest,
): SQL<WrittenChange> =>
  changesOf({
    writes: sql`select * from ${writesOf(scope)}
      and upload_id = ${batchId} and revision > revision_before`,
    order: (table) => sql.raw(`${table}row_id`),
    window: sql`limit ${int(limit)} offset ${int(offset)}`,
  })

/** The writes of a catalog, newest first. @param where further condition */
export const writesPage = (scope: CatalogKey, { limit, offset }: PageRequest, where = sql`true`): SQL<WriteRow> =>
  sql`select ${writeColumns('uploads')} from ${writesOf(scope)} and ${where}
    order by written_at desc limit ${int(limit)} offset ${int(offset)}`

/** What the writes of a page did. Only of writes that changed few records, if their changes are kept. */
export const smallChangesStatement = (scope: CatalogKey, page: PageRequest, most: number): SQL<WrittenChange> =>
  changesOf({
    writes: sql`select * from (${writesPage(scope, page)})
      where revision > revision_before and revision > ${historyFrom(scope)}
      and ${CHANGED_BY} <= ${int(most)}`,
    order: (table) => sql.raw(`${table}written_at desc, ${table}row_id`),
    window: sql.empty(),
  })

/** A version of a record, or its present state. */
export interface VersionRow {
  written_at: number
  is_active: 0 | 1
  /** See `records.state_before`. */
  state_before: 0 | 1 | 2
  data: string
  /** The next three are null when the write that made it is purged. */
  revision: number | null
  batch_id: string | null
  created_by: string | null
  /** Number of versions of the record. */
  total: number
}

/**
 * The versions of a record, newest first, and one version more, which shows what the last one of the page changed.
 * One row with the total 0 when there is no such record.
 */
export function recordHistoryStatement(
  scope: CatalogKey,
  recordId: string,
  limit: number,
  offset: number,
): SQL<VersionRow> {
  const keys = sql`select *, octet_length(data) as bytes from versions
    order by written_at desc limit ${int(limit + 1)} offset ${int(offset)}`
  return sql`with now as materialized (
      select * from records
      where catalog_id = ${catalogIdOf(scope)} and record_id = ${recordId}),
    versions as (
      select catalog_id, updated_at as written_at, is_active, state_before, data from now
      union all select ended.catalog_id, ended.written_at, ended.is_active, ended.state_before, ended.data
      from now cross join record_versions ended indexed by record_versions_row on ended.row_id = now.row_id),
    page as (${withinPageBytes(keys, sql.raw('written_at desc'))})
    select page.*, maker.revision, maker.upload_id as batch_id, ${writtenBy('maker')} as created_by,
      (select count(*) from versions) as total
    from (select 1) left join page on true
      ${joinMaker('page.catalog_id', 'page.written_at')}
    order by page.written_at desc`
}

/** The state of a mirror, as far as the mirror says it. */
interface MirrorState {
  since: number
  /** Epochs of the catalog that it has seen. */
  epochs: readonly string[]
}

/** Where a mirror's next page begins: after this record, as it was then. */
export interface MirrorPosition {
  updatedAt: number
  position: number
  /** Number of the record within the catalog. */
  number: number
}

/** A record whose last change came after a revision. Each row has the state of the catalog. */
export interface MirrorRow extends RecordRow, CatalogState {
  /** Whether the write that made the mirror's revision is known. */
  knows_epochs: 0 | 1
  /** Records found, at most one more than the limit; null when there are none. */
  listed: number | null
  position: number
  number: number
  state_before: 0 | 1 | 2
  changed_in: number
}

/**
 * The records whose last change came after a revision, oldest change first: a page that may begin after a position,
 * and one row more if there are more. Every row says whether the catalog knows the state of the mirror.
 */
export function mirrorPage(
  scope: CatalogKey,
  { since, epochs }: MirrorState,
  after: MirrorPosition | null,
  limit: number,
): SQL<MirrorRow> {
  const catalog = catalogIdOf(scope)
  const position =
    after === null
      ? sql.empty()
      : sql` and (updated_at, position, row_id)
          > (${int(after.updatedAt)}, ${int(after.position)}, ${firstRowId(catalog)} + ${int(after.number)})`
  const inState = (active: string) =>
    sql`select row_id, updated_at, position from records indexed by records_list
      where catalog_id = ${catalog} and is_active = ${sql.raw(active)}
        and updated_at > ${madeAt(scope, since)}${position}`
  const order = sql.raw('updated_at, position, row_id')
  const keys = sql`select listed.*, octet_length(data) as bytes
    from (
      select * from (${inState('1')} union all ${inState('0')})
      order by ${order} limit ${int(limit + 1)}) as listed
      cross join records using (row_id)`
  const knowsEpochs = sql.join([sql`true`, ...epochs.map((epoch) => knowsEpoch(scope, epoch))], sql` and `)
  return sql`with page as materialized (${withinPageBytes(keys, order)})
    select ${stateColumns(scope)}, ${knowsEpochs} as knows_epochs, page.listed, page.position,
      now.record_id, now.is_active, now.updated_at, now.state_before,
      now.data, now.row_id - ${firstRowId(sql`now.catalog_id`)} as number, maker.revision as changed_in
    from (select 1) left join page on true left join records now on now.row_id = page.row_id
      ${joinMaker('now.catalog_id', 'now.updated_at')}
    order by page.updated_at, page.position, page.row_id`
}

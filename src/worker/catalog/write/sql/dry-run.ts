import { type SQL, sql } from 'drizzle-orm'
import { DIFF_LIST_RECORDS, DIFF_PAGE_ROWS, MAX_PAGE_BYTES } from '#shared/limits'
import { CHANGES, type ChangeKind } from '#shared/records/change'
import { NAME_SLOT } from '#shared/records/record-type'
import { emptiedCounts, emptiedSlots } from '#worker/catalog/write/emptied-fields'
import { type CatalogKey, catalogIdOf } from '#worker/storage/catalog-key'
import { int } from '#worker/storage/database'
import { CHANGE_COUNTS, type ChangeCounts, changeOf, hasChange, MAX_COMPARED_POSITIONS } from './fragments'
import { type Chunk, ELEMENT, elementsOfChunks, type SentRecords, sentIds } from './sent-records'
import { type CatalogState, stateColumns, stateStatement } from './state'

const activeOf = (catalogKey: CatalogKey): SQL =>
  sql`coalesce((select active_records from catalogs where catalog_id = ${catalogIdOf(catalogKey)}), 0)`

const sentRecords = (chunks: readonly Chunk[]): SQL =>
  sql`select ${ELEMENT.position} as position, ${ELEMENT.id} as id, ${ELEMENT.isActive} as is_active,
      ${ELEMENT.data} as data,
      ${ELEMENT.filled} as filled
    from ${elementsOfChunks(chunks)} as element`

const hasOtherName = sql.raw(`lower(stored.data ->> ${NAME_SLOT}) <> lower(sent.data ->> ${NAME_SLOT})`)

/** The records of the table `sent`, joined with the stored ones. A record that is stored as sent has no `change`. */
const comparedRecords = (catalogKey: CatalogKey): SQL =>
  sql`select sent.position, sent.id, stored.row_id, stored.is_active as was_active, sent.is_active, sent.data,
      iif(stored.data = sent.data and stored.is_active = sent.is_active, null,
        ${changeOf('stored.is_active', 'sent.is_active')}) as change,
      ${emptiedSlots('stored', 'sent')} as emptied,
      iif(stored.data <> sent.data, ${hasOtherName}, 0) as is_renamed
    from sent left join records stored on stored.catalog_id = ${catalogIdOf(catalogKey)} and stored.record_id = sent.id`

/** The counts of a dry run, of a write or of a restore, from the table `compared`. */
export const outcomeCounts = (catalogKey: CatalogKey): SQL<OutcomeRow> =>
  sql`select ${stateColumns(catalogKey)}, ${activeOf(catalogKey)} as active_before,
    count(*) as total, ${CHANGE_COUNTS},
    count(*) filter (where change is null) as unchanged,
    ${emptiedCounts(sql`compared`)} as emptied
  from compared`

/** Positions in the request, each a JSON list of the first `MAX_COMPARED_POSITIONS`. */
interface ComparedPositions {
  new_positions: string
  renamed_positions: string
  reactivated_positions: string
}

const positionsWith = (condition: string): SQL =>
  sql`(select json_group_array(position) from (
    select position from compared where ${sql.raw(condition)} order by position limit ${int(MAX_COMPARED_POSITIONS)}))`

const comparedPositions: Record<keyof ComparedPositions, SQL> = {
  new_positions: positionsWith('was_active is null'),
  renamed_positions: positionsWith('is_renamed'),
  reactivated_positions: positionsWith("change = 'reactivated'"),
}

/** The row of a dry run. The counts of the write follow from it (`previewCounts`). */
export interface OutcomeRow extends CatalogState, ChangeCounts {
  active_before: number
  total: number
  unchanged: number
  emptied: string
}

/** `total` and `unchanged` count the records compared here. */
export interface DryRunRow extends OutcomeRow, ComparedPositions {
  /** Active records missing from a reconcile. */
  left_out_count: number
}

/** Condition on `records`: active, but missing from a reconcile. */
const leftOutOf = (catalogKey: CatalogKey, idLists: readonly string[]): SQL =>
  sql`catalog_id = ${catalogIdOf(catalogKey)} and is_active = 1 and record_id not in (${sentIds(idLists)})`

const leftOutCount = (catalogKey: CatalogKey, { idLists }: SentRecords, mode: 'upsert' | 'reconcile'): SQL =>
  mode === 'upsert' ? sql`0` : sql`(select count(*) from records where ${leftOutOf(catalogKey, idLists)})`

export const dryRunStatement = (
  catalogKey: CatalogKey,
  sent: SentRecords,
  mode: 'upsert' | 'reconcile',
): SQL<DryRunRow> =>
  sql`with sent as not materialized (${sentRecords(sent.chunks)} limit -1),
    compared as materialized (
      select position, was_active, is_active, change, emptied, is_renamed from (${comparedRecords(catalogKey)}))
  select counted.*, ${leftOutCount(catalogKey, sent, mode)} as left_out_count,
    ${comparedPositions.new_positions} as new_positions,
    ${comparedPositions.renamed_positions} as renamed_positions,
    ${comparedPositions.reactivated_positions} as reactivated_positions
  from (${outcomeCounts(catalogKey)}) as counted`

/** A record that a write would change. Every statement here returns these columns, in addition to its own. */
export interface DiffRow {
  change: ChangeKind
  /** 1 if the record is missing from a reconcile. */
  left_out: 0 | 1
  /** Position in the request; for a missing record, its position in the order of IDs. */
  position: number
  record_id: string
  /** Null for a new record. */
  was_active: 0 | 1 | null
  is_active: 0 | 1
  /** Stored form before and after. `before` is null for a new record, `after` for one that is only deactivated. */
  before: string | null
  after: string | null
}

const DIFF_COLUMNS = sql.raw('change, 0 as left_out, position, id, row_id, was_active, is_active, data')

const firstCompared = (change: ChangeKind, limit: number): SQL =>
  sql`select * from (
    select ${DIFF_COLUMNS} from compared where ${hasChange(change)} order by position limit ${int(limit)})`

/**
 * The first active records missing from a request, in the order of an index.
 *
 * @param idLists lists of the request's IDs
 * @param after starts after this ID
 */
const firstLeftOut = (catalogKey: CatalogKey, idLists: readonly string[], limit: number, after = ''): SQL =>
  sql`select 'deactivated' as change, 1 as left_out, row_number() over (order by record_id) as position,
      record_id as id, row_id, 1 as was_active, 0 as is_active, null as data
    from records indexed by records_id
    where ${leftOutOf(catalogKey, idLists)} and record_id > ${after}
    order by record_id limit ${int(limit)}`

/** How to read the stored form after a change. */
export interface FormAfter {
  data: SQL
  /** Further joins, in addition to the `stored` record of a row of `changes`. */
  joins: SQL
}

const SENT_FORM: FormAfter = { data: sql.raw('changes.data'), joins: sql.empty() }

/**
 * A page of changes joined with one `further` row, whose columns are returned even without changes. The page ends at
 * `MAX_PAGE_BYTES`, but has at least one change. Looks up stored forms last, because rows with both are too long to
 * sort.
 *
 * @param together which rows share the limit
 */
export function withStored<Row>(
  row: SQL<Row>,
  changes: SQL,
  together: 'each kind' | 'all',
  { data, joins }: FormAfter = SENT_FORM,
): SQL<Row & DiffRow> {
  const size = sql`coalesce(octet_length(stored.data), 0) + coalesce(octet_length(${data}), 0)`
  const kind = sql.raw(together === 'all' ? '' : 'partition by change')
  const joinStored = sql`left join records stored on stored.row_id = changes.row_id ${joins}`
  return sql`select further.*, change, left_out, changes.position, id as record_id,
      changes.was_active, changes.is_active, stored.data as before, ${data} as after
    from ${row} as further left join (
      select * from (
        select changes.*,
          sum(${size}) over (${kind} order by left_out, changes.position rows unbounded preceding)
            - (${size}) as bytes_before
        from (${changes}) as changes ${joinStored})
      where bytes_before < ${int(MAX_PAGE_BYTES)}) as changes on true ${joinStored}`
}

/**
 * The counts of a dry run and the first changes of each kind, in one statement, so that both are from one point in
 * time. Only the first row has the positions, which can be long.
 */
export function diffStatement(
  catalogKey: CatalogKey,
  sent: SentRecords,
  mode: 'upsert' | 'reconcile',
): SQL<DryRunRow & DiffRow> {
  const lists = [
    ...CHANGES.map((name) => firstCompared(name, DIFF_LIST_RECORDS)),
    ...(mode === 'reconcile'
      ? [sql`select * from (${firstLeftOut(catalogKey, sent.idLists, DIFF_LIST_RECORDS)})`]
      : []),
  ]
  const inFirstRow = (positions: SQL): SQL => sql`iif(row_number() over () = 1, ${positions}, '')`
  return sql`with sent as materialized (${sentRecords(sent.chunks)}),
    compared as materialized (${comparedRecords(catalogKey)}),
    counted as materialized (
      select *, ${leftOutCount(catalogKey, sent, mode)} as left_out_count from (${outcomeCounts(catalogKey)}))
    select page.*, ${inFirstRow(comparedPositions.new_positions)} as new_positions,
      ${inFirstRow(comparedPositions.renamed_positions)} as renamed_positions,
      ${inFirstRow(comparedPositions.reactivated_positions)} as reactivated_positions
    from (${withStored(sql`counted`, sql.join(lists, sql` union all `), 'each kind')}) as page`
}

/** The state of the catalog in every row of a page. */
const stateOf = (catalogKey: CatalogKey): SQL<CatalogState> => sql`(${stateStatement(catalogKey)})`

type PinnedChange = DiffRow & CatalogState

/** A page of changes to a chunk's records after a position, in any order, each with the catalog's state. */
export function diffPage(
  catalogKey: CatalogKey,
  chunk: Chunk,
  after: number,
  kind: ChangeKind | null,
): SQL<PinnedChange> {
  const ofKind = kind === null ? sql`change is not null` : hasChange(kind)
  return sql`with sent as materialized (${sentRecords([chunk])} where position > ${int(after)}),
    compared as (${comparedRecords(catalogKey)})
    ${withStored(
      stateOf(catalogKey),
      sql`select ${DIFF_COLUMNS} from compared where ${ofKind} order by position limit ${int(DIFF_PAGE_ROWS)}`,
      'all',
    )}`
}

/** A page of the active records missing from a request, in any order, each with the catalog's state. */
export function leftOutPage(catalogKey: CatalogKey, ids: readonly string[], after: string): SQL<PinnedChange> {
  return withStored(stateOf(catalogKey), firstLeftOut(catalogKey, ids, DIFF_PAGE_ROWS, after), 'all')
}

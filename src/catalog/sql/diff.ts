import { type SQL, sql } from 'drizzle-orm'
import { DIFF_LIST_RECORDS, DIFF_PAGE_ROWS, MAX_PAGE_BYTES } from '#limits'
import type { Change } from '#records/change'
import { type CatalogScope, catalogIdOf } from '#storage/catalog-scope'
import { int } from '#storage/database'
import { activeOf, outcomeCounts, revisionOf } from './dry-run'
import { type Chunk, ELEMENT, elementsOf, sentIds } from './write'

/** The SQL of a diff: what a write would do to each record. It only reads, and decides what is changed as the write does. */

/** A record that a write would change; the columns of every statement here, besides those of its own. */
export interface ChangeRow {
  change: Change
  /** Place in the request, or, of what is left out, in the order of ids. */
  place: number
  record_id: string
  /** Null where the record is new. */
  was_active: 0 | 1 | null
  is_active: 0 | 1
  /** Stored form before and after; null where the record is new, and where it is only deactivated. */
  before: string | null
  after: string | null
}

const sentRecords = (chunks: readonly Chunk[]): SQL =>
  sql`select chunk.column2 + j.key as place, ${ELEMENT.id} as id, ${ELEMENT.isActive} as is_active, ${ELEMENT.data} as data
    from ${elementsOf(chunks)}`

/** Condition: of this change. Not bound: a statement takes a hundred values, and the chunks need them. */
const ofChange = (change: Change): SQL => sql.raw(`change = '${change}'`)

/** The records of the table `sent` beside the stored ones; an unchanged record has no `change`. */
const comparedRecords = (scope: CatalogScope): SQL =>
  sql`select sent.place, sent.id, r.row_id, r.is_active as was_active, sent.is_active, sent.data,
      case when r.row_id is null then 'inserted'
        when r.is_active = 0 and sent.is_active = 1 then 'reactivated'
        when r.is_active <> sent.is_active or r.data <> sent.data then 'updated' end as change
    from sent left join records r on r.catalog_id = ${catalogIdOf(scope)} and r.record_id = sent.id`

const COLUMNS = sql.raw('change, place, id, row_id, was_active, is_active, data')

/** The first records of one change, in the order of the request. */
const firstCompared = (change: Change, limit: number): SQL =>
  sql`select * from (select ${COLUMNS} from compared where ${ofChange(change)} order by place limit ${int(limit)})`

/**
 * The first active records that a request leaves out, by id: the order of an index, in which every page is found at once.
 *
 * @param sent the ids that are sent, as a subquery
 * @param after the id behind which to begin; all ids come after an empty one
 */
const firstLeftOut = (scope: CatalogScope, sent: SQL, limit: number, after = ''): SQL =>
  sql`select 'deactivated' as change, row_number() over (order by record_id) as place, record_id as id, row_id,
      1 as was_active, 0 as is_active, null as data
    from records indexed by records_id
    where catalog_id = ${catalogIdOf(scope)} and record_id > ${after} and is_active = 1 and record_id not in (${sent})
    order by record_id limit ${int(limit)}`

/**
 * Every row has the columns of `head`, which is one row; where nothing is listed, those of a change are null. The
 * stored form before is looked up last: with the one after it is too long for the database to sort.
 */
const withStored = (head: SQL, all: SQL): SQL => {
  const listed = fitting(all)
  return sql`select head.*, l.change, l.place, l.id as record_id, l.was_active, l.is_active, r.data as before, l.data as after
    from ${head} as head left join (${listed}) as l on true left join records r on r.row_id = l.row_id`
}

/** The changes of each kind that take less than `MAX_PAGE_BYTES` together, and at least one. */
const fitting = (listed: SQL): SQL => {
  const size = sql`coalesce(octet_length(r.data), 0) + coalesce(octet_length(a.data), 0)`
  return sql`select * from (
      select a.*, sum(${size}) over (partition by a.change order by a.place rows unbounded preceding) - (${size}) as bytes_before
      from (${listed}) as a left join records r on r.row_id = a.row_id)
    where bytes_before < ${int(MAX_PAGE_BYTES)}`
}

/**
 * The counts of a dry run and the first changes of each kind. One statement, so that counts and changes are of one
 * moment and the records are handed to the database once.
 *
 * @param mode an upsert leaves nothing out
 */
export function diffStatement(
  scope: CatalogScope,
  chunks: readonly Chunk[],
  mode: 'upsert' | 'reconcile',
): SQL {
  const lists = [
    ...(['inserted', 'updated', 'reactivated'] as const).map((name) =>
      firstCompared(name, DIFF_LIST_RECORDS),
    ),
    ...(mode === 'reconcile'
      ? [sql`select * from (${firstLeftOut(scope, sql`select id from sent`, DIFF_LIST_RECORDS)})`]
      : []),
  ]
  const counts = outcomeCounts(sql.raw('was_active'), sql.raw('is_active'), sql.raw('change is null'))
  return sql`with sent as materialized (${sentRecords(chunks)}),
    compared as materialized (${comparedRecords(scope)}),
    counted as materialized (select ${revisionOf(scope)} as revision, ${activeOf(scope)} as active_before, ${counts} from compared)
    ${withStored(sql`counted`, sql.join(lists, sql` union all `))}`
}

const atRevision = (scope: CatalogScope): SQL => sql`(select ${revisionOf(scope)} as revision)`

/**
 * A page of the changes to the records of one chunk, in any order, and the catalog's revision in every row.
 *
 * @param after place in the request behind which to begin
 * @param only changes of this kind; null for all
 */
export function changesPage(scope: CatalogScope, chunk: Chunk, after: number, only: Change | null): SQL {
  const wanted = only === null ? sql`change is not null` : ofChange(only)
  return sql`with sent as materialized (${sentRecords([chunk])} where place > ${int(after)}),
    compared as (${comparedRecords(scope)})
    ${withStored(
      atRevision(scope),
      sql`select ${COLUMNS} from compared where ${wanted} order by place limit ${int(DIFF_PAGE_ROWS)}`,
    )}`
}

/**
 * A page of the active records that a request leaves out, in any order, and the catalog's revision in every row.
 *
 * @param ids all ids of the request, in JSON lists
 * @param after the id behind which to begin
 */
export function leftOutPage(scope: CatalogScope, ids: readonly string[], after: string): SQL {
  return withStored(atRevision(scope), firstLeftOut(scope, sentIds(ids), DIFF_PAGE_ROWS, after))
}

/** The catalog's revision as it stands. */
export const revisionStatement = (scope: CatalogScope): SQL => sql`select ${revisionOf(scope)} as revision`

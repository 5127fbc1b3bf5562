import { type SQL, sql } from 'drizzle-orm'
import { type CatalogKey, catalogIdOf } from '#worker/storage/catalog-scope'
import { int } from '#worker/storage/database'
import { type Chunk, ELEMENT, placedElements } from './elements'
import { comparedEmptied, emptiedCounts, emptiedSlots } from './emptied-fields'
import { type CatalogState, stateColumns } from './state'

export const activeOf = (scope: CatalogKey): SQL =>
  sql`coalesce((select active_records from catalogs where catalog_id = ${catalogIdOf(scope)}), 0)`

/** The records of a request, with their places in it. */
export const sentRecords = (chunks: readonly Chunk[]): SQL =>
  sql`select place, ${ELEMENT.id} as id, ${ELEMENT.isActive} as is_active, ${ELEMENT.data} as data
    from ${placedElements(chunks)} as j`

/**
 * The records of the table `sent` beside the stored ones. A record that is stored as sent has no `change`. Decides by
 * the same rules as the write which records change.
 */
export const comparedRecords = (scope: CatalogKey): SQL =>
  sql`select sent.place, sent.id, r.row_id, r.is_active as was_active, sent.is_active, sent.data,
      case when r.row_id is null then 'inserted'
        when r.is_active < sent.is_active then 'reactivated'
        when r.is_active > sent.is_active then 'deactivated'
        when r.data <> sent.data then 'updated' end as change,
      iif(r.data <> sent.data, ${emptiedSlots(scope.type, sql.raw('r.data'), sql.raw('sent.data'))}, 0) as emptied
    from sent left join records r on r.catalog_id = ${catalogIdOf(scope)} and r.record_id = sent.id`

/** The counts of a dry run, from the table `compared`. */
export const outcomeCounts = (scope: CatalogKey): SQL<DryRunRow> =>
  sql`select ${stateColumns(scope)}, ${activeOf(scope)} as active_before,
    count(*) as total,
    count(*) filter (where was_active is null) as inserted,
    count(*) filter (where change = 'reactivated') as reactivated,
    count(*) filter (where change is null) as unchanged,
    count(*) filter (where was_active is not 1 and is_active = 1) as gained,
    count(*) filter (where change = 'deactivated') as lost,
    count(*) filter (where was_active = 1) as active_sent,
    ${emptiedCounts(comparedEmptied)} as emptied,
    (select json_group_array(place) from
      (select place from compared where was_active is null order by place limit ${int(MAX_NEW_PLACES)})) as new_places
  from compared`

/** New ids that are compared with others: as many as a CSV file has rows. */
export const MAX_NEW_PLACES = 50_000

/** The row of a dry run. The counts of a write follow from it. */
export interface DryRunRow extends CatalogState {
  active_before: number
  total: number
  inserted: number
  reactivated: number
  unchanged: number
  gained: number
  lost: number
  active_sent: number
  /** See `emptiedCounts`. */
  emptied: string
  /** Of the new ids in the request, the first `MAX_NEW_PLACES`: a JSON list. */
  new_places: string
}

/** The counts of a write, from one read-only statement. */
export const dryRunStatement = (scope: CatalogKey, chunks: readonly Chunk[]): SQL<DryRunRow> =>
  sql`with sent as not materialized (${sentRecords(chunks)} limit -1),
    compared as materialized (
      select place, was_active, is_active, change, emptied from (${comparedRecords(scope)}))
  ${outcomeCounts(scope)}`

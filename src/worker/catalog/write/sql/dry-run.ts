import { type SQL, sql } from 'drizzle-orm'
import { type Chunk, ELEMENT, elementsWithPositions } from '#worker/catalog/write/chunks'
import { emptiedCounts, emptiedRows, emptiedSlots } from '#worker/catalog/write/emptied-fields'
import { type CatalogKey, catalogIdOf } from '#worker/storage/catalog-key'
import { int } from '#worker/storage/database'
import { type CatalogState, stateColumns } from './state'

export const activeOf = (catalogKey: CatalogKey): SQL =>
  sql`coalesce((select active_records from catalogs where catalog_id = ${catalogIdOf(catalogKey)}), 0)`

export const sentRecords = (chunks: readonly Chunk[]): SQL =>
  sql`select position, ${ELEMENT.id} as id, ${ELEMENT.isActive} as is_active, ${ELEMENT.data} as data
    from ${elementsWithPositions(chunks)} as element`

/**
 * The records of the table `sent` beside the stored ones. A record that is stored as sent has no `change`. Decides by
 * the same rules as the write which records change.
 */
export const comparedRecords = (catalogKey: CatalogKey): SQL =>
  sql`select sent.position, sent.id, stored.row_id, stored.is_active as was_active, sent.is_active, sent.data,
      case when stored.row_id is null then 'inserted'
        when stored.is_active < sent.is_active then 'reactivated'
        when stored.is_active > sent.is_active then 'deactivated'
        when stored.data <> sent.data then 'updated' end as change,
      iif(stored.data <> sent.data,
        ${emptiedSlots(catalogKey.type, sql.raw('stored.data'), sql.raw('sent.data'))}, 0) as emptied
    from sent left join records stored on stored.catalog_id = ${catalogIdOf(catalogKey)} and stored.record_id = sent.id`

/** The counts of a dry run, from the table `compared`. */
export const outcomeCounts = (catalogKey: CatalogKey): SQL<Omit<DryRunRow, 'new_positions'>> =>
  sql`select ${stateColumns(catalogKey)}, ${activeOf(catalogKey)} as active_before,
    count(*) as total,
    count(*) filter (where was_active is null) as inserted,
    count(*) filter (where change = 'reactivated') as reactivated,
    count(*) filter (where change is null) as unchanged,
    count(*) filter (where was_active is not 1 and is_active = 1) as became_active,
    count(*) filter (where change = 'deactivated') as became_inactive,
    count(*) filter (where was_active = 1) as active_sent,
    ${emptiedCounts(emptiedRows)} as emptied
  from compared`

/** New ids that are compared with others: as many as a CSV file has rows. */
export const MAX_NEW_POSITIONS = 50_000

/** `DryRunRow.new_positions`, from the table `compared`. */
export const newPositions = sql`(select json_group_array(position) from
    (select position from compared where was_active is null order by position limit ${int(MAX_NEW_POSITIONS)}))`

/** The row of a dry run. The counts of a write follow from it. */
export interface DryRunRow extends CatalogState {
  active_before: number
  total: number
  inserted: number
  reactivated: number
  unchanged: number
  became_active: number
  became_inactive: number
  active_sent: number
  /** See `emptiedCounts`. */
  emptied: string
  /** Of the new ids in the request, the first `MAX_NEW_POSITIONS`: a JSON list. */
  new_positions: string
}

/** The counts of a write, from one read-only statement. */
export const dryRunStatement = (catalogKey: CatalogKey, chunks: readonly Chunk[]): SQL<DryRunRow> =>
  sql`with sent as not materialized (${sentRecords(chunks)} limit -1),
    compared as materialized (
      select position, was_active, is_active, change, emptied from (${comparedRecords(catalogKey)}))
  select counted.*, ${newPositions} as new_positions from (${outcomeCounts(catalogKey)}) as counted`

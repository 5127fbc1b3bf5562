import { type SQL, sql } from 'drizzle-orm'
import { NAME_SLOT } from '#shared/records/record-type'
import { type Chunk, ELEMENT, elementsWithPositions } from '#worker/catalog/write/chunks'
import { emptiedCounts, emptiedSlots } from '#worker/catalog/write/emptied-fields'
import { type CatalogKey, catalogIdOf } from '#worker/storage/catalog-key'
import { int } from '#worker/storage/database'
import { CHANGE_COUNTS, type ChangeCounts, changeOf } from './change'
import { type CatalogState, stateColumns } from './state'

const activeOf = (catalogKey: CatalogKey): SQL =>
  sql`coalesce((select active_records from catalogs where catalog_id = ${catalogIdOf(catalogKey)}), 0)`

export const sentRecords = (chunks: readonly Chunk[]): SQL =>
  sql`select position, ${ELEMENT.id} as id, ${ELEMENT.isActive} as is_active, ${ELEMENT.data} as data
    from ${elementsWithPositions(chunks)} as element`

const hasOtherName = sql.raw(`lower(stored.data ->> ${NAME_SLOT}) <> lower(sent.data ->> ${NAME_SLOT})`)

/**
 * The records of the table `sent` beside the stored ones. A record that is stored as sent has no `change`. Decides by
 * the same rules as the write which records change.
 */
export const comparedRecords = (catalogKey: CatalogKey): SQL =>
  sql`select sent.position, sent.id, stored.row_id, stored.is_active as was_active, sent.is_active, sent.data,
      iif(stored.data = sent.data and stored.is_active = sent.is_active, null,
        ${changeOf('stored.is_active', 'sent.is_active')}) as change,
      iif(stored.data <> sent.data,
        ${emptiedSlots(catalogKey.type, sql.raw('stored.data'), sql.raw('sent.data'))}, 0) as emptied,
      iif(stored.data <> sent.data, ${hasOtherName}, 0) as is_renamed
    from sent left join records stored on stored.catalog_id = ${catalogIdOf(catalogKey)} and stored.record_id = sent.id`

/** The counts of a dry run, of a write or of a restore, from the table `compared`. */
export const outcomeCounts = (catalogKey: CatalogKey): SQL<OutcomeRow> =>
  sql`select ${stateColumns(catalogKey)}, ${activeOf(catalogKey)} as active_before,
    count(*) as total, ${CHANGE_COUNTS},
    count(*) filter (where change is null) as unchanged,
    count(*) filter (where was_active = 1) as active_sent,
    ${emptiedCounts(sql`compared`)} as emptied
  from compared`

/** New ids, and records with another name, that are compared: as many as a CSV file has rows. */
export const MAX_COMPARED_POSITIONS = 50_000

/** Positions in the request, each a JSON list of the first `MAX_COMPARED_POSITIONS`. */
interface ComparedPositions {
  /** Of new ids. */
  new_positions: string
  /** Of records whose name is not the stored one. */
  renamed_positions: string
}

const positionsWith = (condition: string): SQL =>
  sql`(select json_group_array(position) from (
    select position from compared where ${sql.raw(condition)} order by position limit ${int(MAX_COMPARED_POSITIONS)}))`

/** `ComparedPositions`, from the table `compared`. */
export const comparedPositions: Record<keyof ComparedPositions, SQL> = {
  new_positions: positionsWith('was_active is null'),
  renamed_positions: positionsWith('is_renamed'),
}

/** The row of a dry run. The counts of the write follow from it (`previewCounts`). */
export interface OutcomeRow extends CatalogState, ChangeCounts {
  active_before: number
  total: number
  unchanged: number
  active_sent: number
  /** See `emptiedCounts`. */
  emptied: string
}

export interface DryRunRow extends OutcomeRow, ComparedPositions {}

/** The counts of a write, from one read-only statement. */
export const dryRunStatement = (catalogKey: CatalogKey, chunks: readonly Chunk[]): SQL<DryRunRow> =>
  sql`with sent as not materialized (${sentRecords(chunks)} limit -1),
    compared as materialized (
      select position, was_active, is_active, change, emptied, is_renamed from (${comparedRecords(catalogKey)}))
  select counted.*, ${comparedPositions.new_positions} as new_positions,
    ${comparedPositions.renamed_positions} as renamed_positions
  from (${outcomeCounts(catalogKey)}) as counted`

import { type SQL, sql } from 'drizzle-orm'
import { DISPLAY_NAME_SLOT, NAME_SLOT } from '#shared/records/record-type'
import { recordTypes } from '#shared/records/record-types'
import { type CatalogKey, firstRowId } from '#worker/storage/catalog-scope'
import { type Ending, int, stopIf } from '#worker/storage/database'
import { guardedSlots } from '../emptied-fields'
import {
  committedRow,
  countChanges,
  describeWrite,
  nameLengthIn,
  openWrite,
  recordBytes,
  tellWebhooks,
  updateSearchIndex,
  type Write,
  type WriteHead,
} from './commit'
import { type Chunk, ELEMENT, placedElements, sentIds } from './elements'
import { emptiedCounts, emptiedSlots } from './emptied-fields'
import type { CommittedRow } from './writes'

/**
 * The SQL of a write. The batch that writes also decides everything: whether the revision is stale, what is new, what
 * has changed, what is left out, and whether the guard stops the write. See `writeStatements`.
 */

/**
 * Deactivates the records that a reconcile leaves out, and counts them. Runs before the upserts, which would make the
 * list of active records longer. `not exists` would be hundreds of times slower than `not in`.
 */
const deactivateMissing = ({ catalog, row, writtenAt, leftOut }: Write, ids: readonly string[]): SQL[] => [
  sql`update records set is_active = 0, state_before = 2, text_changed = 0, updated_at = ${writtenAt}, place = -1
    where catalog_id = ${catalog} and is_active = 1
      and record_id not in (${sentIds(ids)})`,
  sql`update uploads set deactivated = (select count(*) from records where ${leftOut}) where ${row}`,
]

/**
 * The records of a request, beside their catalog and their batch. Each column is computed once per row (`limit -1`).
 */
const placedRecords = ({ catalog, scope, writtenAt }: Write, chunks: readonly Chunk[]): SQL =>
  sql`(select ${catalog} as catalog_id, ${writtenAt} as written_at,
      (select next_number from catalogs
        where workspace_id = ${scope.workspaceId} and type = ${scope.type}) as next_number,
      place, ${ELEMENT.id} as id, ${ELEMENT.isActive} as is_active, ${ELEMENT.data} as data, value
    from ${placedElements(chunks)} as j
    limit -1)`

/** The search text of the record `s`, from the form in which it is sent (see `SearchText.sent`). */
const SEARCH_TEXT = sql.raw(`iif(s.value ->> 2 < 'A', s.value ->> 2,
      char(10) || replace(replace(s.value ->> 2, 'N', s.data ->> ${NAME_SLOT}),
        'D', coalesce(s.data ->> ${DISPLAY_NAME_SLOT}, '')))`)

/**
 * The records of a request that are not stored as sent. A conflict that updates nothing would do too, but the statement
 * would take half as long again. In a catalog without records nothing is looked up.
 */
const changedRecords = (write: Write, chunks: readonly Chunk[]): SQL =>
  sql`(select s.catalog_id, s.written_at, s.next_number, s.place, s.id, s.is_active, s.data,
      ${SEARCH_TEXT} as search_text, s.value ->> 4 as codes
    from ${placedRecords(write, chunks)} as s
      left join records r on r.catalog_id = iif(s.next_number > 0, s.catalog_id, null) and r.record_id = s.id
    where r.row_id is null or r.data <> s.data or r.is_active <> s.is_active
    limit -1)`

/** The slots that the update of a record empties; only the guard asks. */
const emptiedBy = ({ head, scope }: Write): SQL =>
  head.emptiedGuard === null ? sql`0` : emptiedSlots(scope.type, sql.raw('records.data'), sql.raw('excluded.data'))

/** Stops a write that empties a field in too many records. What it deactivates does not count. */
const stopIfEmptying = ({ head, scope, changed }: Write): SQL[] => {
  if (head.emptiedGuard === null) return []
  const slots = JSON.stringify(guardedSlots(recordTypes[scope.type], head.emptiedGuard))
  const rows = sql`select emptied, state_before < 2 or is_active = 1 as stays from records where ${changed}`
  return [
    stopIf(
      sql`'emptied_guard:' || counts`,
      sql`(select ${emptiedCounts(rows)} as counts)
        where exists (select 1 from json_each(counts) where value ->> 2 > ${int(head.emptiedGuard.maxEmptied)}
          and value ->> 0 in (select value from json_each(${slots})))`,
    ),
  ]
}

/** Inserts and updates the records of a request. */
const upsert = (write: Write, chunks: readonly Chunk[]): SQL =>
  sql`insert into records
      (row_id, catalog_id, record_id,
      is_active, updated_at, place, state_before, size_before, text_changed,
      name_length, search_text, codes, data)
    select ${firstRowId(sql`s.catalog_id`)} + s.next_number + s.place, s.catalog_id,
      s.id, s.is_active, s.written_at, s.place, 0, 0, 1,
      ${nameLengthIn(sql`s.search_text`)}, s.search_text, s.codes, s.data
    from ${changedRecords(write, chunks)} as s
    where true
    on conflict (catalog_id, record_id) do update set
      is_active = excluded.is_active, updated_at = excluded.updated_at, place = excluded.place,
      state_before = 1 + is_active, emptied = ${emptiedBy(write)}, size_before = ${recordBytes},
      text_changed = search_text is not excluded.search_text or codes is not excluded.codes,
      name_length = excluded.name_length, search_text = excluded.search_text,
      codes = excluded.codes, data = excluded.data`

/** Until then, `deactivated` has the records that were left out. */
const WRITE_COUNTS =
  sql.raw(`inserted = n.inserted, reactivated = n.reactivated, updated = total - n.inserted - n.reactivated - n.lost,
      unchanged = total - n.changed, deactivated = deactivated + n.lost,
      revision = revision_before + (n.changed + deactivated > 0),
      outcome = iif(outcome = 'written' and n.changed + deactivated = 0, 'unchanged', outcome),
      active_after = active_before + n.gained - n.lost - deactivated`)

/**
 * The statements of a write, to be run as one batch. The last one returns the row of the write.
 *
 * @param idLists for a reconcile, the ids of all records sent, in JSON lists
 */
export function writeStatements(
  scope: CatalogKey,
  head: WriteHead,
  chunks: readonly Chunk[],
  idLists: readonly string[],
): Ending<CommittedRow> {
  const write = describeWrite(scope, head)
  return [
    ...openWrite(write),
    ...(head.mode === 'reconcile' ? deactivateMissing(write, idLists) : []),
    upsert(write, chunks),
    ...countChanges(write, WRITE_COUNTS),
    ...stopIfEmptying(write),
    ...updateSearchIndex(write),
    tellWebhooks(write),
    committedRow(write),
  ]
}

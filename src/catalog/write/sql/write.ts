import { type SQL, sql } from 'drizzle-orm'
import type { CommittedRow } from '#catalog/history/batches'
import { DISPLAY_NAME_SLOT, NAME_SLOT } from '#records/record-type'
import { type CatalogScope, firstRowId } from '#storage/catalog-scope'
import type { Ending } from '#storage/database'
import {
  type BatchHead,
  batchRow,
  countChanges,
  describeWrite,
  nameLengthIn,
  openBatch,
  recordBytes,
  updateSearchIndex,
  type Write,
} from './commit'
import type { ComparedIds } from './similar-ids'

/**
 * The SQL of a write. The batch that writes also decides everything: whether the revision is stale, what is new, what
 * has changed, what is left out, and whether the guard stops the write. See `writeStatements`.
 */

/** Records for the database: a JSON list of what `writtenForm` makes of them. */
export interface Chunk {
  json: string
  /** Place in the request of the chunk's first record. */
  offset: number
}

/** The members of one element of a chunk. Of the stored form, the text: `->>` gives that of a list as it stands in the JSON. */
export const ELEMENT = {
  id: sql.raw('j.value ->> 0'),
  isActive: sql.raw('j.value ->> 1'),
  data: sql.raw('j.value ->> 3'),
}

/**
 * The chunks of a request as a table of their elements; `column2` is the offset. D1 allows only five parts in a
 * compound select, so this is a `values` list.
 */
export const elementsOf = (chunks: readonly Chunk[]): SQL =>
  sql`(values ${sql.join(
    (chunks.length > 0 ? chunks : [{ json: '[]', offset: 0 }]).map(
      // The offset is not bound: a statement takes a hundred bound values, and the chunks need them.
      ({ json, offset }) => sql`(${json}, ${sql.raw(String(offset))})`,
    ),
    sql`, `,
  )}) as chunk, json_each(chunk.column1) as j`

/** The ids of a request as a subquery, from the JSON lists that hold them. */
export const sentIds = (lists: readonly string[]): SQL =>
  sql`select j.value from ${elementsOf(lists.map((json) => ({ json, offset: 0 })))}`

/**
 * Deactivates the records that a reconcile leaves out, and counts them. Runs before the upserts, which would make the
 * list of active records longer. `not exists` would be hundreds of times slower than `not in`.
 */
const deactivateMissing = ({ catalog, batch, writtenAt, leftOut }: Write, ids: readonly string[]): SQL[] => [
  sql`update records set is_active = 0, state_before = 2, text_changed = 0, updated_at = ${writtenAt}, place = -1
    where catalog_id = ${catalog} and is_active = 1
      and record_id not in (${sentIds(ids)})`,
  sql`update batches set deactivated = (select count(*) from records where ${leftOut}) where ${batch}`,
]

/**
 * The records of a request, beside their catalog and their batch. With `limit -1` (all rows) the database computes each
 * column once per row. Without it, it makes the text of an element again for each place that names one of its members.
 */
const placedRecords = ({ catalog, scope, writtenAt }: Write, chunks: readonly Chunk[]): SQL =>
  sql`(select ${catalog} as catalog_id, ${writtenAt} as written_at,
      (select next_number from catalogs where workspace_id = ${scope.workspaceId} and type = ${scope.type}) as next_number,
      place, ${ELEMENT.id} as id, ${ELEMENT.isActive} as is_active, ${ELEMENT.data} as data, value
    from (select chunk.column2 + j.key as place, j.value from ${elementsOf(chunks)} limit -1) as j
    limit -1)`

/** The search text of the record `s`, from the form in which it is sent (see `SearchText.sent`). */
const SEARCH_TEXT = sql.raw(`iif(s.value ->> 2 < 'A', s.value ->> 2,
      char(10) || replace(replace(s.value ->> 2, 'N', s.data ->> ${NAME_SLOT}), 'D', coalesce(s.data ->> ${DISPLAY_NAME_SLOT}, '')))`)

/**
 * The records of a request that are not stored as sent. A conflict that updates nothing would do too, but the statement
 * would take half as long again.
 */
const changedRecords = (write: Write, chunks: readonly Chunk[]): SQL =>
  sql`(select s.catalog_id, s.written_at, s.next_number, s.place, s.id, s.is_active, s.data,
      ${SEARCH_TEXT} as search_text
    from ${placedRecords(write, chunks)} as s
      left join records r on r.catalog_id = s.catalog_id and r.record_id = s.id
    where r.row_id is null or r.data <> s.data or r.is_active <> s.is_active
    limit -1)`

/** Inserts and updates the records of a request. */
const upsert = (write: Write, chunks: readonly Chunk[]): SQL =>
  sql`insert into records
      (row_id, catalog_id, record_id, is_active, updated_at, place, state_before, size_before, text_changed, name_length, search_text, data)
    select ${firstRowId(sql`s.catalog_id`)} + s.next_number + s.place, s.catalog_id,
      s.id, s.is_active, s.written_at, s.place, 0, 0, 1,
      ${nameLengthIn(sql`s.search_text`)}, s.search_text, s.data
    from ${changedRecords(write, chunks)} as s
    where true
    on conflict (catalog_id, record_id) do update set
      is_active = excluded.is_active, updated_at = excluded.updated_at, place = excluded.place, state_before = 1 + is_active,
      size_before = ${recordBytes}, text_changed = search_text is not excluded.search_text, name_length = excluded.name_length,
      search_text = excluded.search_text, data = excluded.data`

/** A record that is sent as inactive counts as updated; the guard sees it in `active_lost`. */
const WRITE_COUNTS =
  sql.raw(`inserted = n.inserted, reactivated = n.reactivated, updated = total - n.inserted - n.reactivated,
      unchanged = total - n.changed, revision = revision_before + (n.changed + deactivated > 0),
      active_lost = n.lost + deactivated, active_after = active_before + n.gained - n.lost - deactivated`)

/**
 * The statements of a write, to be run as one batch. The last one returns the batch's row.
 *
 * @param idLists for a reconcile, the ids of all records sent, in JSON lists
 */
export function writeStatements(
  scope: CatalogScope,
  head: BatchHead,
  chunks: readonly Chunk[],
  idLists: readonly string[],
  compared: ComparedIds,
): Ending<CommittedRow> {
  const write = describeWrite(scope, head)
  return [
    ...openBatch(write),
    ...(head.mode === 'reconcile' ? deactivateMissing(write, idLists) : []),
    upsert(write, chunks),
    ...countChanges(write, WRITE_COUNTS),
    ...updateSearchIndex(write),
    batchRow(write, compared),
  ]
}

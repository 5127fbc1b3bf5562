import { type SQL, sql } from 'drizzle-orm'
import { emptiedSlots } from '#worker/catalog/write/emptied-fields'
import type { CommittedRow } from '#worker/catalog/write/result'
import { type CatalogKey, firstRowId } from '#worker/storage/catalog-key'
import { type Ending, int } from '#worker/storage/database'
import { describeWrite, LEFT_OUT, type NewWrite, type WriteSql } from './fragments'
import { nameLengthIn, recordBytes, stopIfSurelyShrinking, transactionOf } from './transaction'

/** Records for the database: a JSON list of what `writtenForm` makes of them, in the order of the request. */
export interface Chunk {
  json: string
  lastPosition: number
}

/** A record at a position of the request, as `writtenForm` makes it, parsed. */
export type SentElement = { position: number; id: string; element: readonly unknown[] }

/** @param positions ascending */
export function* elementsAt(chunks: readonly Chunk[], positions: readonly number[]): Generator<SentElement> {
  let next = 0
  for (const { json, lastPosition } of chunks) {
    if ((positions[next] ?? Number.POSITIVE_INFINITY) > lastPosition) continue
    const elements: (readonly unknown[])[] = JSON.parse(json)
    for (const element of elements) {
      const position = Number(element[5])
      if (position !== positions[next]) continue
      next++
      yield { position, id: String(element[0]), element }
    }
  }
}

/** The members of one element of a chunk, as SQL. `data` is the text of the stored form, as it stands in the JSON. */
export const ELEMENT = {
  id: sql.raw('element.value ->> 0'),
  isActive: sql.raw('element.value ->> 1'),
  data: sql.raw('element.value ->> 3'),
  position: sql.raw('element.value ->> 5'),
  filled: sql.raw('element.value ->> 6'),
  digest: sql.raw('element.value ->> 7'),
}

/** The elements of JSON lists or objects. D1 takes only five parts of a compound select, so `values`. */
export const elementsOf = (texts: readonly string[]): SQL =>
  sql`(values ${sql.join(
    (texts.length > 0 ? texts : ['[]']).map((json) => sql`(${json})`),
    sql`, `,
  )}) as chunk, json_each(chunk.column1) as element`

/** The elements of chunks. With `limit -1` (all rows) the text of one is made once, and not for each of its members. */
export const elementsOfChunks = (chunks: readonly Chunk[]): SQL =>
  sql`(select element.value from ${elementsOf(chunks.map(({ json }) => json))} limit -1)`

/** The ids of a request as a subquery, from the JSON lists that hold them. */
export const sentIds = (lists: readonly string[]): SQL => sql`select element.value from ${elementsOf(lists)}`

export interface SentRecords {
  /** Without records of which is known that they are stored as they were sent. */
  chunks: Chunk[]
  /** The ids by themselves, in JSON lists; none for an upsert, which does not ask what is left out. */
  idLists: string[]
  hasInactive: boolean
  /** Records of the request. */
  total: number
}

/**
 * Deactivates what a reconcile leaves out. Runs before the upserts: they would add rows for `not in` to scan. `not
 * exists` would be hundreds of times slower.
 */
const deactivateMissing = ({ catalog, row, writtenAt, isLeftOut }: WriteSql, ids: readonly string[]): SQL[] => [
  sql`update records set is_active = 0, was_active = is_active, text_changed = 0,
      written_at = ${writtenAt}, position = ${LEFT_OUT}
    where catalog_id = ${catalog} and is_active = 1
      and record_id not in (${sentIds(ids)})`,
  sql`update uploads set deactivated = (select count(*) from records where ${isLeftOut}) where ${row}`,
]

/**
 * The shrink guard before the work, by an upper bound from the number of records. Left out if some are sent inactive,
 * because there is no bound then, or if the ids fill several lists, which would be too much to bind.
 */
const stopIfTooFew = (write: WriteSql, { idLists, hasInactive, total }: SentRecords): SQL[] =>
  hasInactive || idLists.length > 1
    ? []
    : stopIfSurelyShrinking(
        write,
        int(total),
        sql`(select count(*) from records
          where catalog_id = ${write.catalog} and is_active = 1 and record_id not in (${sentIds(idLists)}))`,
      )

/** The records of a request, beside their catalog and batch. Each column is computed once per row (`limit -1`). */
const sentWithPositions = ({ catalog, catalogKey, writtenAt }: WriteSql, chunks: readonly Chunk[]): SQL =>
  sql`(select ${catalog} as catalog_id, ${writtenAt} as written_at,
      (select next_number from catalogs
        where workspace_id = ${catalogKey.workspaceId} and type = ${catalogKey.type}) as next_number,
      ${ELEMENT.position} as position, ${ELEMENT.id} as id, ${ELEMENT.isActive} as is_active,
      ${ELEMENT.data} as data, ${ELEMENT.filled} as filled, ${ELEMENT.digest} as digest, value
    from ${elementsOfChunks(chunks)} as element
    limit -1)`

/** The records that are not stored as sent. A conflict that updates nothing would take half as long again. */
const changedRecords = (write: WriteSql, chunks: readonly Chunk[]): SQL =>
  sql`(select sent.catalog_id, sent.written_at, sent.next_number, sent.position, sent.id, sent.is_active, sent.data,
      sent.filled, sent.digest, sent.value ->> 2 as search_text, sent.value ->> 4 as codes
    from ${sentWithPositions(write, chunks)} as sent
      left join records stored
        on stored.catalog_id = iif(sent.next_number > 0, sent.catalog_id, null) and stored.record_id = sent.id
    where stored.row_id is null or stored.data <> sent.data or stored.is_active <> sent.is_active
    limit -1)`

const upsert = (write: WriteSql, chunks: readonly Chunk[]): SQL =>
  sql`insert into records
      (row_id, catalog_id, record_id,
      is_active, written_at, position, was_active, size_before, text_changed,
      name_length, search_text, codes, data, filled, digest)
    select ${firstRowId(sql`sent.catalog_id`)} + sent.next_number + sent.position, sent.catalog_id,
      sent.id, sent.is_active, sent.written_at, sent.position,
      null, 0, 1,
      ${nameLengthIn(sql`sent.search_text`)}, sent.search_text, sent.codes, sent.data, sent.filled,
      sent.digest
    from ${changedRecords(write, chunks)} as sent
    where true
    on conflict (catalog_id, record_id) do update set
      is_active = excluded.is_active, written_at = excluded.written_at, position = excluded.position,
      was_active = is_active, emptied = ${emptiedSlots('records', 'excluded')}, size_before = ${recordBytes},
      text_changed = search_text is not excluded.search_text or codes is not excluded.codes,
      name_length = excluded.name_length, search_text = excluded.search_text,
      codes = excluded.codes, data = excluded.data, filled = excluded.filled, digest = excluded.digest`

/** The statements of a write, to be run as one batch, which decides everything. The last one returns its row. */
export function writeStatements(catalogKey: CatalogKey, newWrite: NewWrite, sent: SentRecords): Ending<CommittedRow> {
  const write = describeWrite(catalogKey, newWrite)
  const missing =
    newWrite.mode === 'reconcile' ? [...stopIfTooFew(write, sent), ...deactivateMissing(write, sent.idLists)] : []
  return transactionOf(write, [...missing, upsert(write, sent.chunks)])
}

import { type SQL, sql } from 'drizzle-orm'
import { NAME_LINE } from '#records/search-text'
import { indexRecords, unindexRecords } from '#search/word-index'
import { type CatalogScope, catalogIdOf, firstRowId } from '#storage/catalog-scope'
import { int } from '#storage/database'

/**
 * The SQL of a write. Everything that a write decides (is it stale, what is new, what has changed, what is left out, does
 * the guard stop it) is decided here, inside the one batch that also writes; see `writeStatements`.
 */

export interface BatchHead {
  batchId: string
  format: 'json' | 'csv'
  mode: 'upsert' | 'reconcile'
  fileName: string | null
  sizeBytes: number
  createdBy: string
  /** Milliseconds since the epoch. */
  now: number
  warnings: number
  expectedRevision: number | null
  guarded: boolean
  total: number
}

/** Records for the database: a JSON list of `[id, is_active, search_text, data]`. */
export interface Chunk {
  json: string
  /** Place in the request of the chunk's first record. */
  offset: number
}

/** The members of one element of a chunk. */
export const ELEMENT = {
  id: sql.raw('j.value ->> 0'),
  isActive: sql.raw('j.value ->> 1'),
  searchText: sql.raw('j.value ->> 2'),
  data: sql.raw('j.value ->> 3'),
}

/**
 * The chunks of a request as a table of their elements, `column2` being the offset; a compound select would end at five.
 */
export const elementsOf = (chunks: readonly Chunk[]): SQL =>
  sql`(values ${sql.join(
    (chunks.length > 0 ? chunks : [{ json: '[]', offset: 0 }]).map(
      // Not bound: a statement takes a hundred values, and the chunks need them.
      ({ json, offset }) => sql`(${json}, ${sql.raw(String(offset))})`,
    ),
    sql`, `,
  )}) as chunk, json_each(chunk.column1) as j`

/** The ids of a request, of the JSON lists that hold them, as a subquery. */
export const sentIds = (lists: readonly string[]): SQL =>
  sql`select j.value from ${elementsOf(lists.map((json) => ({ json, offset: 0 })))}`

/** Characters of the name in a search text, as SQL. */
const nameLengthIn = (searchText: SQL): SQL => sql`instr(substr(${searchText}, 2), ${NAME_LINE}) - 1`

/** The conditions that the statements of one write share. */
interface Write {
  scope: CatalogScope
  head: BatchHead
  /** Id of the catalog. */
  catalog: SQL
  /** Condition: the row of this write in `batches`. */
  batch: SQL
  /** Time of this write, which no other write of the catalog has; see `catalogs.changed_at`. */
  writtenAt: SQL
  /** Condition: records that this write has inserted, updated or reactivated. */
  changed: SQL
  /** Condition: records that it has left out. */
  leftOut: SQL
}

function describeWrite(scope: CatalogScope, head: BatchHead): Write {
  const catalog = catalogIdOf(scope)
  const batch = sql`catalog_id = ${catalog} and batch_id = ${head.batchId}`
  const writtenAt = sql`(select written_at from batches where ${batch})`
  const byThisWrite = sql`catalog_id = ${catalog} and is_active in (0, 1) and updated_at = ${writtenAt}`
  return {
    scope,
    head,
    catalog,
    batch,
    writtenAt,
    changed: sql`${byThisWrite} and place >= 0`,
    leftOut: sql`${byThisWrite} and place = -1`,
  }
}

/** Opens the batch with what the catalog is like at this moment; a trigger stops a write whose revision is stale. */
const openBatch = ({ scope, head }: Write): SQL[] => [
  sql`insert into catalogs (workspace_id, type) values (${scope.workspaceId}, ${scope.type}) on conflict do nothing`,
  sql`insert into batches (batch_id, catalog_id, format, mode, file_name, size_bytes, created_by, created_at, warnings,
      written_at, revision_before, expected_revision, active_before, guarded, total)
    select ${head.batchId}, catalog_id, ${head.format}, ${head.mode}, ${head.fileName}, ${int(head.sizeBytes)},
      ${head.createdBy}, ${int(head.now)}, ${int(head.warnings)}, max(${int(head.now)}, changed_at + 1), revision,
      ${head.expectedRevision === null ? sql`null` : int(head.expectedRevision)}, active_records,
      ${int(head.guarded ? 1 : 0)}, ${int(head.total)}
    from catalogs where workspace_id = ${scope.workspaceId} and type = ${scope.type}`,
]

/**
 * Deactivates what a reconcile leaves out, and counts it; a trigger stops a write that the shrink guard forbids. Before
 * the upserts, which would only make the list of active records longer. Not `not exists`: hundreds of times slower.
 */
const deactivateMissing = ({ catalog, batch, writtenAt, leftOut }: Write, ids: readonly string[]): SQL[] => [
  sql`update records set is_active = 0, state_before = 2, text_changed = 0, updated_at = ${writtenAt}, place = -1
    where catalog_id = ${catalog} and is_active = 1
      and record_id not in (${sentIds(ids)})`,
  sql`update batches set deactivated = (select count(*) from records where ${leftOut}) where ${batch}`,
]

/**
 * Inserts and updates the records of a chunk. A record that is stored just so is not written: it is left out by a join,
 * because a conflict that updates nothing takes half as long again.
 */
const upsert = ({ scope, head }: Write, { json, offset }: Chunk): SQL =>
  sql`insert into records
      (row_id, catalog_id, record_id, is_active, updated_at, place, state_before, text_changed, name_length, search_text, data)
    select ${firstRowId(sql`c.catalog_id`)} + c.next_number + ${int(offset)} + j.key, c.catalog_id,
      ${ELEMENT.id}, ${ELEMENT.isActive}, b.written_at, ${int(offset)} + j.key, 0, 1,
      ${nameLengthIn(ELEMENT.searchText)}, ${ELEMENT.searchText}, ${ELEMENT.data}
    from batches b cross join catalogs c on c.catalog_id = b.catalog_id cross join json_each(${json}) j
      left join records r on r.catalog_id = c.catalog_id and r.record_id = (${ELEMENT.id})
    where b.batch_id = ${head.batchId} and c.workspace_id = ${scope.workspaceId} and c.type = ${scope.type}
      and (r.data is not (${ELEMENT.data}) or r.is_active is not (${ELEMENT.isActive}))
    on conflict (catalog_id, record_id) do update set
      is_active = excluded.is_active, updated_at = excluded.updated_at, place = excluded.place, state_before = 1 + is_active,
      text_changed = search_text is not excluded.search_text, name_length = excluded.name_length,
      search_text = excluded.search_text, data = excluded.data`

/** Counts what has changed, in the batch and in the catalog. */
const countChanges = ({ scope, batch, changed }: Write): SQL[] => [
  sql`update batches set
      inserted = n.inserted, reactivated = n.reactivated, updated = total - n.inserted - n.reactivated,
      unchanged = total - n.changed, revision = revision_before + (n.changed + deactivated > 0),
      active_after = active_before + n.gained - n.lost - deactivated
    from (select count(*) as changed,
        count(*) filter (where state_before = 0) as inserted,
        count(*) filter (where state_before = 1 and is_active = 1) as reactivated,
        count(*) filter (where state_before <> 2 and is_active = 1) as gained,
        count(*) filter (where state_before = 2 and is_active = 0) as lost
      from records where ${changed}) as n
    where ${batch}`,
  sql`update catalogs set
      revision = b.revision, active_records = b.active_after, total_records = total_records + b.inserted,
      changed_at = iif(b.revision > b.revision_before, b.written_at, changed_at),
      next_number = next_number + iif(b.inserted > 0, b.total, 0)
    from (select * from batches where ${batch}) as b
    where catalogs.workspace_id = ${scope.workspaceId} and catalogs.type = ${scope.type}`,
]

/** Brings the word index up to date, in one statement each way: filled row by row it takes several times as long. */
const updateSearchIndex = ({ catalog, head, changed }: Write): SQL[] => {
  const texts = sql`${changed} and text_changed = 1`
  return [unindexRecords(sql`${texts} and state_before > 0`), ...indexRecords(catalog, texts, head.total)]
}

/**
 * The statements of a write, to be run as one batch. The last one returns the batch's row.
 *
 * @param ids for a reconcile, the ids of all records sent, in JSON lists
 */
export function writeStatements(
  scope: CatalogScope,
  head: BatchHead,
  chunks: readonly Chunk[],
  ids: readonly string[],
): SQL[] {
  const write = describeWrite(scope, head)
  return [
    ...openBatch(write),
    ...(head.mode === 'reconcile' ? deactivateMissing(write, ids) : []),
    ...chunks.map((chunk) => upsert(write, chunk)),
    ...countChanges(write),
    ...updateSearchIndex(write),
    sql`select * from batches where ${write.batch}`,
  ]
}

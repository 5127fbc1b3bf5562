import { type SQL, sql } from 'drizzle-orm'
import { NAME_LINE } from '#shared/records/search-text'
import type { CommittedRow } from '#worker/catalog/history/batches'
import { isHistoryOver } from '#worker/catalog/history/sql/history-bytes'
import { FEW_RECORDS, indexRecords, unindexRecords } from '#worker/search/index/word-index'
import { type CatalogKey, catalogIdOf } from '#worker/storage/catalog-scope'
import { int, intOrNull } from '#worker/storage/database'
import { TOLD_COUNTS } from '#worker/storage/told-counts'
import { tellOfWrite, toldOfWrite } from '#worker/webhooks/messages'
import type { EmptiedGuard } from '../emptied-fields'
import type { IdempotencyKey } from '../idempotency'
import { EPOCH_AFTER } from './state'

/** The beginning and the end of the transaction of every write, restores included. */

/** Bytes of a record, as the quota counts them: `catalogs.stored_bytes` is their sum. */
export const recordBytes = sql.raw(
  'octet_length(record_id) + octet_length(search_text) + octet_length(codes) + octet_length(data)',
)

/** Bytes of an earlier version of a record: `catalogs.version_bytes` is their sum. */
export const versionBytes = sql.raw(
  'octet_length(data) + coalesce(octet_length(search_text), 0) + coalesce(octet_length(codes), 0)',
)

const endedBytes = (catalog: SQL): SQL =>
  sql`(select coalesce(sum(${versionBytes}), 0) from record_versions where catalog_id = ${catalog} and ended_at = b.written_at)`

/**
 * The history of a workspace is full when it takes so many times its quota. Then the scheduled run has not kept up, and
 * each write makes room for what it adds.
 */
export const FULL_HISTORY = 2

export interface WriteHead {
  batchId: string
  format: 'json' | 'csv' | 'restore'
  mode: 'upsert' | 'reconcile' | 'restore'
  fileName: string | null
  sizeBytes: number
  /** Client id or user. */
  createdBy: string
  /** When the request came, in milliseconds since the epoch. */
  now: number
  warnings: number
  expectedRevision: number | null
  /** See `catalogs.epoch`. */
  expectedEpoch: string | null
  /** Share of the active records, in whole percent, that may be deactivated; null when no guard applies. */
  maxShrink: number | null
  /** Null when no guard applies. */
  emptiedGuard: EmptiedGuard | null
  key: IdempotencyKey | null
  /** Revision to which a restore goes back; null for other writes. */
  restoredRevision: number | null
  /** Whether the versions that this write ends are kept. */
  keepsVersions: boolean
  /** Whether it writes a file that waits; `batchId` is then the id of its upload. */
  takesFile: boolean
  total: number
}

export interface Write {
  scope: CatalogKey
  head: WriteHead
  catalog: SQL
  /** Condition: the row of this write in `batches`. */
  batch: SQL
  /** Time of this write. No other write that changes the catalog has the same; see `catalogs.changed_at`. */
  writtenAt: SQL
  /** Condition: records that this write has inserted, updated, reactivated or restored. */
  changed: SQL
  /** Condition: records that it has left out. */
  leftOut: SQL
}

export function describeWrite(scope: CatalogKey, head: WriteHead): Write {
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

/** Characters of the name in a search text, as SQL. */
export const nameLengthIn = (searchText: SQL): SQL => sql`instr(substr(${searchText}, 2), ${NAME_LINE}) - 1`

/** The database's own time in milliseconds, one value for all of a statement. */
export const DATABASE_TIME = sql.raw("cast(round(unixepoch('subsec') * 1000) as integer)")

/** The time of the last write of a catalog, also of one that changed nothing, as an expression on its row. */
const LAST_WRITE = sql.raw(
  '(select max(written_at) from batches where batches.catalog_id = catalogs.catalog_id)',
)

/**
 * The time of a write. The database takes it inside the transaction: the request may have waited long before, and a
 * reader who asks for what has changed since then must find the write. It is later than every earlier write of the
 * catalog, even if a clock is set back or another machine's is ahead: a revision is found by its time (`madeAt`).
 */
const timeOfWrite = ({ now }: WriteHead): SQL =>
  sql`max(${DATABASE_TIME}, ${int(now)}, changed_at + 1, coalesce(${LAST_WRITE}, 0) + 1)`

/** A trigger refuses a revision that the catalog does not have. None has the revision -1. */
const expectedRevision = ({ expectedRevision, expectedEpoch }: WriteHead): SQL =>
  expectedEpoch === null
    ? intOrNull(expectedRevision)
    : sql`iif(epoch = ${expectedEpoch}, ${intOrNull(expectedRevision)}, -1)`

/**
 * The id of a write. That of a file that no longer waits is null, which stops the write: no two requests write one
 * file.
 */
const batchIdOf = ({ workspaceId, type }: CatalogKey, { batchId, takesFile, now }: WriteHead): SQL =>
  takesFile
    ? sql`(select upload_id from uploads where upload_id = ${batchId} and workspace_id = ${workspaceId} and type = ${type}
        and outcome = 'held' and held_until > ${int(now)})`
    : sql`${batchId}`

/** Whether an error comes from `batchIdOf`. */
export const isTaken = (message: string): boolean =>
  message.includes('NOT NULL constraint failed: batches.batch_id')

/** The file of a write no longer waits. Comes after everything that may stop the write. */
export const approveFile = ({ scope, head, batch }: Write): SQL[] =>
  head.takesFile
    ? [
        sql`update uploads set outcome = 'approved', ended_at = b.written_at, revision = b.revision
          from (select written_at, revision from batches where ${batch}) as b
          where upload_id = ${head.batchId} and workspace_id = ${scope.workspaceId} and type = ${scope.type}`,
      ]
    : []

/** Opens the batch with the present state of the catalog. A trigger stops a write that expects another one. */
export const openBatch = ({ scope, head }: Write): SQL[] => [
  sql`insert into catalogs (workspace_id, type, keeps_versions)
      values (${scope.workspaceId}, ${scope.type}, ${int(head.keepsVersions ? 1 : 0)})
    on conflict (workspace_id, type) do update set keeps_versions = excluded.keeps_versions
      where keeps_versions <> excluded.keeps_versions`,
  sql`insert into batches (batch_id, catalog_id, format, mode, file_name, size_bytes, created_by, created_at, warnings,
      written_at, revision_before, expected_revision, active_before, max_shrink, first_number, total, idempotency_key,
      request_digest)
    select ${batchIdOf(scope, head)}, catalog_id, ${head.format}, ${head.mode}, ${head.fileName}, ${int(head.sizeBytes)},
      ${head.createdBy}, ${int(head.now)}, ${int(head.warnings)}, ${timeOfWrite(head)}, revision,
      ${expectedRevision(head)}, active_records, ${intOrNull(head.maxShrink)}, next_number, ${int(head.total)},
      ${head.key?.key ?? null}, ${head.key?.digest ?? null}
    from catalogs where workspace_id = ${scope.workspaceId} and type = ${scope.type}`,
]

/** What this write did to the records that it changed, by their state before and after: one row. */
const writeOutcome = (changed: SQL): SQL =>
  sql`(select count(*) as changed,
        count(*) filter (where state_before = 0) as inserted,
        count(*) filter (where state_before = 1 and is_active = 1) as reactivated,
        count(*) filter (where state_before <> 2 and is_active = 1) as gained,
        count(*) filter (where state_before = 2 and is_active = 0) as lost,
        coalesce(sum(${recordBytes} - size_before), 0) as grown_bytes
      from records where ${changed}) as n`

/**
 * Writes the counts into the batch and into the catalog. Triggers stop a write that the shrink guard or the quota
 * does not allow.
 *
 * @param counts assignments to the columns of `batches`, from the row `n` of what changed
 */
export const countChanges = ({ scope, catalog, batch, changed }: Write, counts: SQL): SQL[] => [
  sql`update batches set ${counts}, grown_bytes = n.grown_bytes from ${writeOutcome(changed)} where ${batch}`,
  sql`update catalogs set
      revision = b.revision, active_records = b.active_after, total_records = total_records + b.inserted,
      stored_bytes = stored_bytes + b.grown_bytes, version_bytes = version_bytes + ${endedBytes(catalog)},
      changed_at = iif(b.revision > b.revision_before, b.written_at, changed_at),
      epoch = iif(b.revision > b.revision_before, b.batch_id, epoch),
      next_number = next_number + iif(b.inserted > 0, b.total, 0),
      history_from = iif(keeps_versions = 0 and b.revision > b.revision_before, b.revision, history_from)
    from (select * from batches where ${batch}) as b
    where catalogs.workspace_id = ${scope.workspaceId} and catalogs.type = ${scope.type}`,
]

/**
 * Updates the word index, with one statement to remove words and one to add them. Row by row it takes several times
 * as long.
 */
export const updateSearchIndex = ({ catalog, batch, changed }: Write): SQL[] => {
  const texts = sql`${changed} and text_changed = 1`
  const hadRecords = sql`(select first_number > 0 from batches where ${batch})`
  const few = sql`(select total - unchanged <= ${int(FEW_RECORDS)} from batches where ${batch})`
  return [
    unindexRecords(sql`${hadRecords} and ${texts} and state_before > 0`),
    ...indexRecords(catalog, texts, few),
  ]
}

/** Messages for the webhooks of the workspace, if the write changed something. */
export const tellWebhooks = ({ scope, batch }: Write): SQL => tellOfWrite(scope, batch)

/**
 * The row of the write, and what comes next: is the history of its workspace full (see `full-history.ts`), and is there
 * a message for webhooks?
 */
export const batchRow = (write: Write): SQL<CommittedRow> =>
  sql`select *, ${TOLD_COUNTS}, ${EPOCH_AFTER} as epoch,
      ${isHistoryOver(sql`${write.scope.workspaceId}`, FULL_HISTORY)} as history_is_full,
      ${toldOfWrite(write.scope.workspaceId)} as has_messages
    from batches where ${write.batch}`

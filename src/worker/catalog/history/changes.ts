import { type SQL, sql } from 'drizzle-orm'
import type * as z from 'zod'
import { shorten } from '#shared/errors/echoed-value'
import { ApiError, invalidField } from '#shared/errors/errors'
import { LISTED_CHANGES } from '#shared/limits'
import { changesIn } from '#shared/records/change'
import type { RecordType } from '#shared/records/record-type'
import { addedNamesIn } from '#shared/records/search/added-names'
import { returnedForm } from '#shared/records/stored-form'
import type { Catalog } from '#worker/catalog/catalog'
import {
  historyFrom,
  type MirrorPosition,
  type MirrorRow,
  mirrorPage,
  recordHistoryStatement,
  smallChangesStatement,
  type VersionRow,
  writeChangesStatement,
  writesPage,
} from '#worker/catalog/history/sql/history'
import { noSuchRecord } from '#worker/catalog/read/list'
import type { batchPageSchema } from '#worker/catalog/schemas'
import { fieldValues, recordChange, returnedEntry } from '#worker/catalog/write/diff'
import { committedWrite, returnedWrite, type WriteRow, writesOf } from '#worker/catalog/write/result'
import type { DiffRow } from '#worker/catalog/write/sql/dry-run'
import type { CatalogKey } from '#worker/storage/catalog-key'
import { firstOf } from '#worker/storage/database'
import { asPage, type PageRequest } from '#worker/storage/list-page'
import type {
  changesPageSchema,
  changesQuerySchema,
  recordHistoryPageSchema,
  WriteChange,
  writePageSchema,
} from './schemas'

/** The cursor of the page after a row: the row's position, and the epoch for the next request to check. */
const cursorOf = (row: MirrorRow): string => `${row.written_at}.${row.position + 1}.${row.number}.${row.epoch}`

function readCursor(cursor: string): MirrorPosition & { epoch: string } {
  const [updatedAt, position, number, epoch = ''] = cursor.split('.')
  return { updatedAt: Number(updatedAt), position: Number(position) - 1, number: Number(number), epoch }
}

export const beyondRevision = (field: string, target: number, current: number): ApiError =>
  invalidField(field, 'not_allowed', `must be at most ${current}, the current revision of the catalog`, target, {
    max: current,
  })

/** The error for a mirror whose state the catalog never had or no longer knows. No list of changes completes it. */
const startAgain = (field: 'epoch' | 'cursor', value: unknown): ApiError =>
  invalidField(
    field,
    'start_again',
    'names an unknown state of the catalog: the catalog was restored from a backup, or the state is too old; ' +
      'empty the copy and start again with since_revision=0',
    value,
  )

/**
 * Current records whose last change came after a revision, oldest change first. A record that changes between two pages
 * moves to the end, so all pages together are the catalog at the time of the last page.
 *
 * @throws ApiError 400 for a future revision or an unknown state (`start_again`)
 */
export async function listChanges(
  { db, catalogKey, type }: Catalog,
  { since_revision: since, epoch, cursor, limit }: z.output<typeof changesQuerySchema>,
): Promise<z.output<typeof changesPageSchema>> {
  const after = cursor === undefined ? null : readCursor(cursor)
  // A mirror that starts from revision 0 is empty, so its epoch does not matter.
  const epochs = [since > 0 ? epoch : undefined, after?.epoch].filter((one) => one !== undefined)
  const rows = await db.all(mirrorPage(catalogKey, { since, epochs }, after, limit))
  const { revision, epoch: currentEpoch, key_count, knows_epochs } = firstOf(rows)
  if (knows_epochs === 0) throw epoch === undefined ? startAgain('cursor', cursor) : startAgain('epoch', epoch)
  if (since > revision) throw beyondRevision('since_revision', since, revision)
  const page = key_count === null ? [] : rows.slice(0, limit)
  const items = page.map((row) => ({
    revision: row.changed_in,
    change: row.change,
    record: returnedForm(type, row),
  }))
  const hasMore = (key_count ?? 0) > items.length
  const last = hasMore ? page.at(-1) : undefined
  return { items, revision, epoch: currentEpoch, cursor: last ? cursorOf(last) : null, has_more: hasMore }
}

/** The versions of one record, newest first. @throws ApiError 404 with the type and the ID */
export async function listRecordHistory(
  { db, catalogKey, type }: Catalog,
  id: string,
  { limit, offset }: PageRequest,
): Promise<z.output<typeof recordHistoryPageSchema>> {
  const rows = await db.all(recordHistoryStatement(catalogKey, id, limit, offset))
  const { total } = firstOf(rows)
  if (total === 0) throw noSuchRecord(type, id)
  const versions = rows.filter(({ data }) => data !== null)
  // Unless it is the oldest version, the last row only serves to show what the next version changed.
  const pageVersions = offset + versions.length < total || versions.length > limit ? versions.slice(0, -1) : versions
  const items = pageVersions.map((row, position) => returnedVersion(type, id, row, versions[position + 1]))
  return asPage(items, total, { limit, offset })
}

const addedNamesChange = (before: string, after: string): Record<string, [unknown, unknown]> =>
  before === after ? {} : { added_names: [addedNamesIn(before), addedNamesIn(after)] }

/** @param before the previous version; undefined if there is none or it is no longer kept */
function returnedVersion(type: RecordType, id: string, row: VersionRow, before: VersionRow | undefined) {
  const { change } = row
  const isKnown = before !== undefined || change === 'inserted'
  const { fields } = recordChange(type, {
    change,
    record_id: id,
    is_active: row.is_active,
    before: before?.data ?? null,
    after: row.data,
  })
  return {
    revision: row.revision,
    changed_at: new Date(row.written_at).toISOString(),
    changed_by: row.created_by,
    batch_id: row.batch_id,
    change,
    record: returnedForm(type, {
      record_id: id,
      is_active: row.is_active,
      written_at: row.written_at,
      data: row.data,
      added_names: row.added_names,
    }),
    fields: isKnown ? { ...fieldValues(fields), ...addedNamesChange(before?.added_names ?? '', row.added_names) } : {},
  }
}

const countWrites = (catalogKey: CatalogKey, where = sql`true`): SQL<{ total: number }> =>
  sql`select count(*) as total from ${writesOf(catalogKey)} and ${where}`

/** The CSV uploads of a catalog that were written, newest first. */
export async function listBatches(
  { db, catalogKey }: Catalog,
  page: PageRequest,
): Promise<z.output<typeof batchPageSchema>> {
  const isCsv = sql`format = 'csv'`
  const [latest, rows, totals] = await db.batch([
    writesPage(catalogKey, { limit: 1, offset: 0 }, isCsv),
    writesPage(catalogKey, page, isCsv),
    countWrites(catalogKey, isCsv),
  ])
  const asBatch = (row: WriteRow) => {
    const { format, restored_revision, mode, ...rest } = returnedWrite(catalogKey.type, row)
    return { ...rest, mode: mode === 'reconcile' ? mode : ('upsert' as const) }
  }
  return { latest: latest.map(asBatch)[0] ?? null, ...asPage(rows.map(asBatch), firstOf(totals).total, page) }
}

/** The writes of a catalog, newest first. @param withChanges whether to include the changes of small writes */
export async function listWrites(
  { db, catalogKey, type }: Catalog,
  page: PageRequest,
  withChanges: boolean,
): Promise<z.output<typeof writePageSchema>> {
  const changes = withChanges ? [smallChangesStatement(catalogKey, page, LISTED_CHANGES)] : []
  const [rows, totals, smallChanges = []] = await db.batch([
    writesPage(catalogKey, page),
    countWrites(catalogKey),
    ...changes,
  ])
  const items = rows.map((row) => {
    const own = smallChanges.filter(({ batch_id }) => batch_id === row.upload_id)
    // A page ends at a number of bytes, and some of a write's changes would look like all of them.
    const isWhole = own.length > 0 && own.length === changesIn(row)
    return {
      ...returnedWrite(catalogKey.type, row),
      ...(isWhole ? { changes: own.map((change) => returnedChange(type, change)) } : {}),
    }
  })
  return asPage(items, firstOf(totals).total, page)
}

export const returnedChange = (type: RecordType, row: DiffRow): WriteChange => ({
  change: row.change,
  ...returnedEntry(recordChange(type, row)),
})

const noSuchWrite = (catalogKey: CatalogKey, batchId: string): ApiError =>
  new ApiError('not_found', `There is no write of the ${catalogKey.type} catalog with the ID "${shorten(batchId)}".`)

const oneWrite = (catalogKey: CatalogKey, batchId: string) => committedWrite(catalogKey, sql`upload_id = ${batchId}`)

/** @throws ApiError 404 if the catalog has no such write */
export async function findWrite({ db, catalogKey }: Catalog, batchId: string): Promise<WriteRow> {
  const [row] = await db.all(oneWrite(catalogKey, batchId))
  if (!row) throw noSuchWrite(catalogKey, batchId)
  return row
}

/**
 * A page of a write's changes, in the order in which the records were first written, and the total. Both are from one
 * point in time.
 *
 * @throws ApiError 404 if there is no such write; 409 if versions that it ended are no longer kept
 */
export async function readChanges(
  { db, catalogKey }: Catalog,
  batchId: string,
  page: PageRequest,
): Promise<{ rows: DiffRow[]; total: number }> {
  const [[row], kept, rows] = await db.batch([
    oneWrite(catalogKey, batchId),
    sql<{ oldest: number }>`select ${historyFrom(catalogKey)} as oldest`,
    writeChangesStatement(catalogKey, batchId, page),
  ])
  if (!row) throw noSuchWrite(catalogKey, batchId)
  const total = changesIn(row)
  const { oldest } = firstOf(kept)
  if (total > 0 && row.revision <= oldest) {
    throw new ApiError(
      'conflict',
      `The changes of this write are no longer kept: it made revision ${row.revision}, and the oldest ` +
        `restorable revision is ${oldest}.`,
    )
  }
  return { rows, total }
}

import type * as z from 'zod'
import { type ApiError, invalidField } from '#shared/errors/errors'
import type { RecordType } from '#shared/records/record-type'
import { returnedForm } from '#shared/records/stored-form'
import type { Catalog } from '#worker/catalog/catalog'
import {
  type MirrorPosition,
  type MirrorRow,
  mirrorPage,
  recordHistoryStatement,
  type VersionRow,
} from '#worker/catalog/history/sql/history'
import { noSuchRecord } from '#worker/catalog/read/list'
import { fieldValues, recordChange } from '#worker/catalog/write/diff'
import { firstOf } from '#worker/storage/database'
import { asPage, type PageRequest } from '#worker/storage/list-page'
import type { changesPageSchema, changesQuerySchema, recordHistoryPageSchema } from './schemas'

/** The cursor of the page after a row: the place of the row, and the epoch, which the next request checks. */
const cursorOf = (row: MirrorRow): string => `${row.written_at}.${row.position + 1}.${row.number}.${row.epoch}`

function readCursor(cursor: string): MirrorPosition & { epoch: string } {
  const [updatedAt, position, number, epoch = ''] = cursor.split('.')
  return { updatedAt: Number(updatedAt), position: Number(position) - 1, number: Number(number), epoch }
}

export const beyondRevision = (field: string, target: number, current: number): ApiError =>
  invalidField(field, 'not_allowed', `must be at most ${current}, the current revision of the catalog`, target, {
    max: current,
  })

/** A mirror names a state that the catalog never had or no longer knows. No list of changes would make it complete. */
const startAgain = (field: 'epoch' | 'cursor', value: unknown): ApiError =>
  invalidField(
    field,
    'start_again',
    'names a state that the catalog does not know: the catalog went back to an earlier state, or forgot one so old. ' +
      'Empty the copy and start again with since_revision=0',
    value,
  )

/**
 * The records of a catalog whose last change came after a revision, as they are now, oldest change first.
 *
 * A record that changes while pages are read moves to the end, so a later page has it. A client that has applied all
 * pages has the catalog as it was when the last page was read.
 *
 * @throws ApiError 400 for a revision that the catalog has not reached: the mirror has data that this catalog never
 *   had; `start_again` for an epoch or a revision that the catalog does not know
 */
export async function listChanges(
  { db, catalogKey, type }: Catalog,
  { since_revision: since, epoch, cursor, limit }: z.output<typeof changesQuerySchema>,
): Promise<z.output<typeof changesPageSchema>> {
  const after = cursor === undefined ? null : readCursor(cursor)
  // A mirror that starts from revision 0 is empty, so the epoch that it has seen does not matter.
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

/** The versions of one record, newest first. @throws ApiError 404 naming the type and the id */
export async function listRecordHistory(
  { db, catalogKey, type }: Catalog,
  id: string,
  { limit, offset }: PageRequest,
): Promise<z.output<typeof recordHistoryPageSchema>> {
  const rows = await db.all(recordHistoryStatement(catalogKey, id, limit, offset))
  const { total } = firstOf(rows)
  if (total === 0) throw noSuchRecord(type, id)
  const versions = rows.filter(({ data }) => data !== null)
  // Unless it is the oldest version, the last row is there only to show what the version after it changed.
  const pageVersions = offset + versions.length < total || versions.length > limit ? versions.slice(0, -1) : versions
  const items = pageVersions.map((row, position) => returnedVersion(type, id, row, versions[position + 1]))
  return asPage(items, total, { limit, offset })
}

/** @param before the version before it; undefined when there is none or when it is no longer kept */
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
    }),
    fields: isKnown ? fieldValues(fields) : {},
  }
}

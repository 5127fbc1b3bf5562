import type * as z from 'zod'
import type { Change } from '#shared/records/change'
import { returnedForm } from '#shared/records/stored-form'
import type { Catalog } from '#worker/catalog/catalog'
import { type MirrorPosition, type MirrorRow, mirrorPage } from '#worker/catalog/history/sql/history'
import { beyondRevision, startAgain } from '#worker/catalog/write/conflicts'
import { firstOf } from '#worker/storage/database'
import type { changesPageSchema } from './schemas'

export function lastChange({ state_before, is_active }: { state_before: number; is_active: number }): Change {
  if (state_before === 0) return 'inserted'
  if (state_before === 1 && is_active === 1) return 'reactivated'
  return state_before === 2 && is_active === 0 ? 'deactivated' : 'updated'
}

/** Three whole numbers and the epoch, so that it can be checked. Clients send it back unchanged. */
const cursorOf = (row: MirrorRow): string => `${row.updated_at}.${row.position + 1}.${row.number}.${row.epoch}`

function readCursor(cursor: string): MirrorPosition & { epoch: string } {
  const [updatedAt, position, number, epoch = ''] = cursor.split('.')
  return { updatedAt: Number(updatedAt), position: Number(position) - 1, number: Number(number), epoch }
}

interface ChangesRequest {
  since: number
  epoch: string | undefined
  cursor: string | null
  limit: number
}

/**
 * The records of a catalog whose last change came after a revision, as they are now, oldest change first.
 *
 * A record that changes while pages are read moves to the end, so a later page has it. A client that has applied all
 * pages has the catalog as it was when the last page was read.
 *
 * @param since 0 for all records
 * @param epoch the last one that the mirror has seen, if it says so
 * @param cursor of the page before, or null
 * @throws ApiError 400 for a revision that the catalog has not reached: the mirror has data that this catalog never
 *   had; `start_again` for an epoch or a revision that the catalog does not know
 */
export async function listChanges(
  { db, scope, type }: Catalog,
  { since, epoch, cursor, limit }: ChangesRequest,
): Promise<z.output<typeof changesPageSchema>> {
  const after = cursor === null ? null : readCursor(cursor)
  // A mirror that begins has seen no epoch that matters.
  const epochs = [since > 0 ? epoch : undefined, after?.epoch].filter((seen) => seen !== undefined)
  const rows = await db.all(mirrorPage(scope, { since, epochs }, after, limit))
  const { revision, epoch: present, listed, knows_epochs } = firstOf(rows)
  if (knows_epochs === 0) throw epoch === undefined ? startAgain('cursor', cursor) : startAgain('epoch', epoch)
  if (since > revision) throw beyondRevision('since_revision', since, revision)
  const found = listed === null ? [] : rows.slice(0, limit)
  const items = found.map((row) => ({
    revision: row.changed_in,
    change: lastChange(row),
    record: returnedForm(type, row),
  }))
  const more = (listed ?? 0) > items.length
  const last = more ? found.at(-1) : undefined
  return { items, revision, epoch: present, cursor: last ? cursorOf(last) : null, has_more: more }
}

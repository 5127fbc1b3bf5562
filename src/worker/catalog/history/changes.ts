import type * as z from 'zod'
import type { Change } from '#shared/records/change'
import { returnedForm } from '#shared/records/stored-form'
import type { Catalog } from '#worker/catalog/catalog'
import { type MirrorPosition, type MirrorRow, type MirrorState, mirrorPage } from '#worker/catalog/history/sql/history'
import { beyondRevision, startAgain } from '#worker/catalog/write/conflicts'
import { firstOf } from '#worker/storage/database'
import type { changesPageSchema } from './schemas'

export function lastChange({ state_before, is_active }: { state_before: number; is_active: number }): Change {
  if (state_before === 0) return 'inserted'
  if (state_before === 1 && is_active === 1) return 'reactivated'
  return state_before === 2 && is_active === 0 ? 'deactivated' : 'updated'
}

/** Three whole numbers and the epoch, so that it can be checked. Clients send it back unchanged. */
const cursorOf = (row: MirrorRow): string => `${row.updated_at}.${row.place + 1}.${row.number}.${row.epoch}`

/** The cursor of an earlier release has no epoch. */
const epochIn = (cursor: string | null): string | undefined => cursor?.split('.')[3]

function mirrorPosition(cursor: string): MirrorPosition {
  const parts = cursor.split('.')
  const numberAt = (n: number): number => Number(parts[n])
  return { updatedAt: numberAt(0), place: numberAt(1) - 1, number: numberAt(2) }
}

interface ChangesRequest {
  since: number
  epoch: string | undefined
  cursor: string | null
  limit: number
}

type Seen = Pick<ChangesRequest, 'since' | 'epoch' | 'cursor'>

/** The epochs that a mirror has seen. One that begins has seen none that matters. */
const seenEpochs = ({ since, epoch, cursor }: Seen): MirrorState['epochs'] =>
  [since > 0 ? epoch : undefined, epochIn(cursor)].filter((seen) => seen !== undefined)

function requireKnown(row: MirrorRow, { since, epoch, cursor }: Seen): void {
  if (row.knows_epochs === 0) throw epoch === undefined ? startAgain('cursor', cursor) : startAgain('epoch', epoch)
  if (since > row.revision) throw beyondRevision('since_revision', since, row.revision)
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
  const after = cursor === null ? null : mirrorPosition(cursor)
  const mirror = { since, epochs: seenEpochs({ since, epoch, cursor }) }
  const rows = await db.all(mirrorPage(scope, mirror, after, limit))
  const first = firstOf(rows)
  const { revision, epoch: present, listed } = first
  requireKnown(first, { since, epoch, cursor })
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

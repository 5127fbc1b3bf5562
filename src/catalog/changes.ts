import type * as z from 'zod'
import { type MirrorPosition, mirrorPage } from '#catalog/sql/history'
import type { Change } from '#records/change'
import { type RecordRow, returnedForm } from '#records/stored-form'
import type { Catalog } from './catalog'
import { beyondRevision } from './conflicts'
import type { changesPage } from './history-schemas'

interface MirrorRow extends RecordRow {
  revision: number
  /** Records found, at most one more than the limit; null when there are none. */
  listed: number | null
  place: number
  number: number
  state_before: 0 | 1 | 2
  changed_in: number
}

export function lastChange({ state_before, is_active }: { state_before: number; is_active: number }): Change {
  if (state_before === 0) return 'inserted'
  if (state_before === 1 && is_active === 1) return 'reactivated'
  return state_before === 2 && is_active === 0 ? 'deactivated' : 'updated'
}

/** A cursor of whole numbers, so that it can be checked. Clients send it back unchanged. */
const cursorOf = (row: MirrorRow): string => `${row.updated_at}.${row.place + 1}.${row.number}`

function positionOf(cursor: string): MirrorPosition {
  const [updatedAt, place, number] = cursor.split('.').map(Number) as [number, number, number]
  return { updatedAt, place: place - 1, number }
}

/**
 * The records of a catalog whose last change came after a revision, as they are now, oldest change first.
 *
 * A record that changes while pages are read moves to the end, so a later page has it. A client that has applied all
 * pages has the catalog as it was when the last page was read.
 *
 * @param since 0 for all records
 * @param cursor of the page before, or null
 * @throws ApiError 400 for a revision that the catalog has not reached: the mirror has data that this catalog never
 *   had
 */
export async function listChanges(
  { db, scope, type }: Catalog,
  { since, cursor, limit }: { since: number; cursor: string | null; limit: number },
): Promise<z.output<typeof changesPage>> {
  const after = cursor === null ? null : positionOf(cursor)
  const rows = await db.all<MirrorRow>(mirrorPage(scope, since, after, limit))
  const { revision, listed } = rows[0]!
  if (since > revision) throw beyondRevision('since_revision', since, revision)
  const found = listed === null ? [] : rows.slice(0, limit)
  const items = found.map((row) => ({
    revision: row.changed_in,
    change: lastChange(row),
    record: returnedForm(type, row),
  }))
  const more = (listed ?? 0) > items.length
  return { items, revision, cursor: more ? cursorOf(found.at(-1)!) : null, has_more: more }
}

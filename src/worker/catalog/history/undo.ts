import type * as z from 'zod'
import { ApiError } from '#shared/errors/errors'
import { DIFF_LIST_RECORDS } from '#shared/limits'
import { returnedForm } from '#shared/records/stored-form'
import type { Catalog } from '#worker/catalog/catalog'
import { laterChangesStatement, type UndoneWrite, undoneWrite } from '#worker/catalog/history/sql/undo'
import type { restoreResultSchema } from '#worker/catalog/schemas'
import { changedBy } from '#worker/catalog/write/sql/writes'
import type { WayBack } from './sql/restore'
import { noSuchWrite } from './writes'

/** Records that a refusal names. */
const NAMED_RECORDS = 5

/** What goes back, how far, and how many records that may change (`MAX_RESTORED_RECORDS`). */
export interface Wanted extends WayBack {
  most: number
}

type LaterChanges = NonNullable<z.output<typeof restoreResultSchema>['changed_later']>

/**
 * The way back before one write, which leaves all others as they are.
 *
 * @param most records that it may change
 * @throws ApiError 404 if the catalog has no such write; 409 for one that changed nothing
 */
export async function backBefore({ db, scope }: Catalog, batchId: string, most: number): Promise<Wanted> {
  const [undone] = await db.all(undoneWrite(scope, batchId))
  if (undone === undefined) throw noSuchWrite(scope, batchId)
  if (changedBy(undone) === 0) {
    throw new ApiError('conflict', 'This write changed nothing, so there is nothing to take back.')
  }
  return { revision: undone.revision - 1, undone, most }
}

/** The records of a write that later writes changed, if there are any. */
export async function changedLater(
  { db, scope, type }: Catalog,
  undone: UndoneWrite | undefined,
): Promise<LaterChanges | undefined> {
  if (undone === undefined) return undefined
  const rows = await db.all(laterChangesStatement(scope, undone, DIFF_LIST_RECORDS))
  const [first] = rows
  if (first === undefined) return undefined
  const items = rows.map((row) => ({
    id: row.record_id,
    name: String(returnedForm(type, row).name),
    revision: row.revision,
    batch_id: row.batch_id,
    changed_at: new Date(row.updated_at).toISOString(),
    changed_by: row.created_by,
  }))
  return { count: first.listed, items }
}

/** The refusal of taking a write back whose records later writes changed; null if there is none any more. */
export async function laterChangesRefusal(catalog: Catalog, undone: UndoneWrite | undefined): Promise<ApiError | null> {
  const later = await changedLater(catalog, undone)
  if (later === undefined) return null
  const named = later.items.slice(0, NAMED_RECORDS).map(({ id }) => `"${id}"`)
  const others = later.count > named.length ? ` and ${later.count - named.length} more` : ''
  return new ApiError(
    'conflict',
    `Later writes changed ${later.count} of the records of this write: ${named.join(', ')}${others}. ` +
      'Nothing was written; restore a revision, or write these records again.',
  )
}

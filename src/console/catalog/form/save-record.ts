import type { ServiceClient } from '#client/client'
import { hasStatus } from '#client/service-error'
import type { RawRecord, RecordType } from '#shared/records/record-type'
import { type CatalogState, expecting, type WriteResult } from '../../service/answers'
import { repeatOnConflict } from '../../service/failures'
import { readRecord } from '../use-record'

/** What became of a record that was to be saved. Nothing was written but for `saved`. */
type Saved =
  | { is: 'saved'; result: WriteResult }
  /** Another person has changed it since it was read. */
  | { is: 'changed'; current: RawRecord }
  /** A new record has the id of one that there is. */
  | { is: 'taken' }

/** The record that has an id now; undefined if there is none. */
const findRecord = (client: ServiceClient, type: RecordType, id: string): Promise<RawRecord | undefined> =>
  readRecord(client, type, id).catch((error: unknown) => {
    if (hasStatus(error, 404)) return undefined
    throw error
  })

/**
 * Writes a record, unless somebody else has changed it in the meantime: a new one whole, of another one the fields that
 * are given. A write can be made to depend on the state of the catalog, not on that of a record: the state is learned
 * first, then the record is looked at, and the write is refused if anything was written since.
 *
 * @param record with its id
 * @param readAt `updated_at` of the record as it was read; null for a new one
 * @throws ServiceError 400 with the fields that fail; 409 if the catalog is written to all the time
 */
export function saveRecord(
  client: ServiceClient,
  type: RecordType,
  record: RawRecord,
  readAt: string | null,
): Promise<Saved> {
  const write = (state: CatalogState) =>
    client.post('/admin/datasets/v1/', {
      query: { type: type.name, keep_missing: readAt !== null, ...expecting(state) },
      body: [record],
    })
  return repeatOnConflict(async () => {
    const state = await client.get('/admin/catalogs/v1/{type}', { params: { type: type.name } })
    const current = await findRecord(client, type, String(record[type.idField]))
    if (readAt === null && current !== undefined) return { is: 'taken' }
    if (current !== undefined && current.updated_at !== readAt) return { is: 'changed', current }
    return { is: 'saved', result: await write(state) }
  })
}

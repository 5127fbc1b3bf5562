import type { ServiceClient } from '#client/client'
import { ServiceError } from '#client/service-error'
import type { RawRecord, RecordType } from '#records/record-type'
import type { WriteResult } from '../service/answers'
import { readRecord } from './use-record'

/** What became of a record that was to be saved. Nothing was written but for `saved`. */
type Saved =
  | { is: 'saved'; result: WriteResult }
  /** Another person has changed it since it was read. */
  | { is: 'changed'; current: RawRecord }
  /** A new record has the id of one that there is. */
  | { is: 'taken' }

/** How often it is tried again because some other record of the catalog was written at the same moment. */
const ATTEMPTS = 5

/** The record that has an id now; undefined where there is none. */
async function findRecord(
  client: ServiceClient,
  type: RecordType,
  id: string,
): Promise<RawRecord | undefined> {
  try {
    return await readRecord(client, type, id)
  } catch (error) {
    if (error instanceof ServiceError && error.status === 404) return undefined
    throw error
  }
}

/**
 * Writes one whole record, unless somebody else has changed it in the meantime. A write can be made to depend on the
 * revision of the catalog, not on that of a record: the revision is learned first, then the record is looked at, and the
 * write is refused where anything was written since.
 *
 * @param readAt `updated_at` of the record as it was read; null for a new one
 * @throws ServiceError 400 with the fields that fail; 409 where the catalog is written to all the time
 */
export async function saveRecord(
  client: ServiceClient,
  type: RecordType,
  record: RawRecord,
  readAt: string | null,
): Promise<Saved> {
  const write = (query: { dry_run: true } | { expected_revision: number }) =>
    client.post('/admin/datasets/v1/', { query: { type: type.name, ...query }, body: [record] })
  for (let attempt = 1; ; attempt++) {
    const { revision } = await write({ dry_run: true })
    const current = await findRecord(client, type, String(record[type.idField]))
    if (readAt === null && current !== undefined) return { is: 'taken' }
    if (readAt !== null && current !== undefined && current.updated_at !== readAt) {
      return { is: 'changed', current }
    }
    try {
      return { is: 'saved', result: await write({ expected_revision: revision }) }
    } catch (error) {
      if (!(error instanceof ServiceError && error.status === 409) || attempt === ATTEMPTS) throw error
    }
  }
}

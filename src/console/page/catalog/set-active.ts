import type { ServiceClient } from '#client/client'
import type { RawRecord, RecordType } from '#records/record-type'
import { expecting } from '../service/answers'
import { repeatOnConflict } from '../service/failures'
import { readRecord } from './use-record'

export const MOST_AT_ONCE = 200

const READ_AT_ONCE = 6

async function readRecords(
  client: ServiceClient,
  type: RecordType,
  ids: readonly string[],
): Promise<RawRecord[]> {
  const records: RawRecord[] = []
  for (let from = 0; from < ids.length; from += READ_AT_ONCE) {
    const portion = ids.slice(from, from + READ_AT_ONCE)
    records.push(...(await Promise.all(portion.map((id) => readRecord(client, type, id)))))
  }
  return records
}

/**
 * Makes records active or inactive in one write. All their other values stay: the records are read after the state of
 * the catalog, and the write is refused if anything was written since.
 *
 * @returns the ids of the records that were not in that state before
 * @throws ServiceError 409 if the catalog is written to all the time
 */
export function setActive(
  client: ServiceClient,
  type: RecordType,
  ids: readonly string[],
  active: boolean,
): Promise<string[]> {
  return repeatOnConflict(async () => {
    const state = await client.get('/admin/catalogs/v1/{type}', { params: { type: type.name } })
    const records = await readRecords(client, type, ids)
    const changing = records.filter(({ is_active }) => is_active !== active)
    if (changing.length === 0) return []
    await client.post('/admin/datasets/v1/', {
      query: { type: type.name, ...expecting(state) },
      body: changing.map((record) => ({ ...record, is_active: active })),
    })
    return changing.map((record) => String(record[type.idField]))
  })
}

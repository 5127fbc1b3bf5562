import type { NumericId } from '#files/check/numeric-ids'
import type { LostZeros } from '#files/file-summary'
import type { RecordTypeName } from '#shared/records/record-type'
import { recordTypes } from '#shared/records/record-types'
import { areMostNew, recordWithId } from './better-catalog'
import type { UploadClient } from './held-file'
import type { Check } from './stage'

/** The share of IDs that a catalog must contain with leading zeros before the user is asked. */
const LEAST_KNOWN = 0.9

/** Number of catalog records that determine the number of digits. */
const LOOKED_AT = 25

/** The number of digits of a catalog's IDs; undefined if it varies, or if no ID begins with a zero. */
async function digitsIn(client: UploadClient, type: RecordTypeName, signal: AbortSignal): Promise<number | undefined> {
  const { items } = await client.get('/admin/datasets/v1/', { query: { type, limit: LOOKED_AT }, signal })
  const { idField } = recordTypes[type]
  const ids = items.map((record) => String(new Map(Object.entries(record)).get(idField)))
  const [first] = ids
  const isSame = ids.every((id) => /^\d+$/.test(id) && id.length === first?.length)
  return isSame && ids.some((id) => id.startsWith('0')) ? first?.length : undefined
}

/**
 * Finds out whether the IDs of a file are the catalog's IDs without leading zeros; undefined if not, and also if the
 * service does not respond. Only looks if most IDs are new.
 *
 * @param numbers rows of the file @param check of the file
 */
export async function findLostZeros(
  client: UploadClient,
  type: RecordTypeName,
  numbers: readonly NumericId[],
  check: Check,
  signal: AbortSignal,
): Promise<LostZeros | undefined> {
  const [first] = numbers
  if (first === undefined || !areMostNew(check)) return undefined
  try {
    const digits = await digitsIn(client, type, signal)
    if (digits === undefined || numbers.every(({ id }) => id.length >= digits)) return undefined
    const withZeros = new Map(numbers.map((one) => [one.id.padStart(digits, '0'), one]))
    const { inserted, diff } = await client.post('/admin/datasets/v1/', {
      query: { type, dry_run: true, include: 'diff', keep_missing: true },
      body: Array.from(withZeros, ([id, { name }]) => recordWithId(type, id, name || '?')),
      signal,
    })
    const known = withZeros.size - inserted
    if (known < withZeros.size * LEAST_KNOWN) return undefined
    const renamed = (diff?.updated ?? []).flatMap(({ id, fields }) => {
      const [was, name] = fields?.name ?? []
      const row = withZeros.get(id)?.row
      return typeof was === 'string' && typeof name === 'string' && row !== undefined ? [{ row, id, name, was }] : []
    })
    return { digits, example: first.id, known, compared: withZeros.size, renamed }
  } catch {
    // This is only a hint. If the service is down, the next request reports it.
    return undefined
  }
}

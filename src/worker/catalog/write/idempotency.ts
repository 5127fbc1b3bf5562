import { sql } from 'drizzle-orm'
import { ApiError } from '#shared/errors/errors'
import type { Catalog } from '#worker/catalog/catalog'
import { sha256Hex } from '#worker/crypto/hash'
import { type CommittedRow, committedWrite } from './result'

/** A key names one write of a catalog, so that a client that got no answer can send the same request again. */

/** The key of a write, as its row stores it. */
export interface IdempotencyKey {
  key: string
  /** SHA-256 of what was sent, hexadecimal. */
  digest: string
}

/**
 * The digest of a request to change a catalog.
 *
 * @param query its parameters, checked; those that were not sent, or have the value that they have anyway, do not count
 * @param defaults the values of parameters that are not sent
 * @param body what tells its body, or what it acts on, from others
 */
export function requestDigest(
  query: object,
  defaults: Record<string, unknown>,
  ...body: readonly string[]
): Promise<string> {
  const parameters = Object.entries(query)
    .filter(([name, value]) => value !== undefined && JSON.stringify(value) !== JSON.stringify(defaults[name]))
    .sort(([a], [b]) => (a < b ? -1 : 1))
  return sha256Hex(JSON.stringify([parameters, ...body]))
}

/**
 * The write that a key names.
 *
 * @param key null if the request has none
 * @throws ApiError 422 if the key names a write of another request
 */
export async function findKeyedWrite(
  { db, catalogKey }: Catalog,
  key: IdempotencyKey | null,
): Promise<CommittedRow | undefined> {
  if (key === null) return undefined
  const [row] = await db.all(committedWrite(catalogKey, sql`idempotency_key = ${key.key}`))
  if (row === undefined || row.request_digest === key.digest) return row
  throw new ApiError(
    'unprocessable',
    `The Idempotency-Key names a write that had another body or other parameters (batch_id ${row.upload_id}). ` +
      'Nothing was written; send another key.',
  )
}

/**
 * Looks for the write of a key again after a refusal. Of two requests with one key at the same time, the database
 * refuses the second one, and a refusal may also come from what the first one wrote.
 *
 * @returns the write of the other request; else what is to be answered: the refusal, or ApiError 422 if the key names a
 *   write of another request
 */
export async function findFirstWrite(
  catalog: Catalog,
  key: IdempotencyKey | null,
  refusal: unknown,
): Promise<{ earlier: CommittedRow } | { earlier?: undefined; refusal: unknown }> {
  try {
    const earlier = await findKeyedWrite(catalog, key)
    return earlier === undefined ? { refusal } : { earlier }
  } catch (error) {
    return { refusal: error instanceof ApiError && error.code === 'unprocessable' ? error : refusal }
  }
}

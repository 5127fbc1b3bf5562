import { sql } from 'drizzle-orm'
import { ApiError } from '#shared/errors/errors'
import type { Catalog } from '#worker/catalog/catalog'
import { sha256Hex } from '#worker/crypto/hash'
import { IDEMPOTENCY_HEADER, idempotencyHeader } from '#worker/http/endpoint/idempotency-key'
import { type CommittedRow, committedWrite } from './result'

/** A key names one write of a catalog, so that a client that got no answer can send the same request again. */

export const idempotencyHeaderSchema = idempotencyHeader('Names the write; a dry run ignores it.')

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
    `The ${IDEMPOTENCY_HEADER} names a write that had another body or other parameters (batch_id ${row.upload_id}). ` +
      'Nothing was written; send another key.',
  )
}

/**
 * Looks for the write of a key again after a refusal. Of two requests with one key at the same time, the database
 * refuses the second one, and a refusal may also come from what the first one wrote.
 *
 * @throws the refusal if there is no such write; ApiError 422 if the key names a write of another request
 */
export async function requireKeyedWrite(
  catalog: Catalog,
  key: IdempotencyKey | null,
  refusal: unknown,
): Promise<CommittedRow> {
  const row = await findKeyedWrite(catalog, key).catch((fault: unknown) => {
    throw fault instanceof ApiError && fault.code === 'unprocessable' ? fault : refusal
  })
  if (row === undefined) throw refusal
  return row
}

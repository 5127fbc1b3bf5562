import { sql } from 'drizzle-orm'
import { ApiError } from '#shared/errors/errors'
import type { Catalog } from '#worker/catalog/catalog'
import { sha256Hex } from '#worker/crypto/hash'
import type { AppContext } from '#worker/http/context'
import {
  IDEMPOTENCY_HEADER,
  idempotencyHeader,
  idempotencyKeyOf,
  setReplayed,
} from '#worker/http/endpoint/idempotency-key'
import { note } from '#worker/http/log'
import type { ChangeAnswer, ChangeQuery } from './change-request'
import { type ChangeResult, type CommittedRow, committedWrite, writeMessage } from './result'

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

/** @throws ApiError 422 if the key names a write of another request */
async function findWrite(
  { db, catalogKey }: Catalog,
  { key, digest }: IdempotencyKey,
): Promise<CommittedRow | undefined> {
  const [row] = await db.all(committedWrite(catalogKey, sql`idempotency_key = ${key}`))
  if (row === undefined || row.request_digest === digest) return row
  throw new ApiError(
    'unprocessable',
    `The ${IDEMPOTENCY_HEADER} names a write that had another body or other parameters (batch_id ${row.upload_id}). ` +
      'Nothing was written; send another key.',
  )
}

interface KeyedChange<Result> {
  query: Pick<ChangeQuery, 'dry_run'>
  /** See `requestDigest`. */
  digest: () => Promise<string>
  /** What the write of a row has answered. */
  resultOf: (row: CommittedRow) => Result
  /** Given the key; null if there is none, or for a dry run. */
  change: (key: IdempotencyKey | null) => Promise<ChangeAnswer<Result>>
}

/**
 * Carries out a change unless a write has its key. Of two requests with one key at the same time, the database refuses
 * the second one, and a refusal may also have come from what the first one wrote. So a refused request looks for it
 * again.
 *
 * @throws ApiError 400 for a malformed key; 422 if it names a write of another request; what `change` throws
 */
export async function changeOnce<Result extends ChangeResult>(
  c: AppContext,
  catalog: Catalog,
  { query, digest, resultOf, change }: KeyedChange<Result>,
): Promise<ChangeAnswer<Result>> {
  const name = query.dry_run ? null : idempotencyKeyOf(c)
  if (name === null) return change(null)
  const key = { key: name, digest: await digest() }
  const answerAgain = (row: CommittedRow) => {
    setReplayed(c)
    note(c, { outcome: 'replayed', revision: row.revision })
    const data = resultOf(row)
    return { message: writeMessage(data), data }
  }
  const earlier = await findWrite(catalog, key)
  if (earlier) return answerAgain(earlier)
  try {
    return await change(key)
  } catch (error) {
    const first = await findWrite(catalog, key).catch((fault: unknown) => {
      throw fault instanceof ApiError && fault.code === 'unprocessable' ? fault : error
    })
    if (first) return answerAgain(first)
    throw error
  }
}

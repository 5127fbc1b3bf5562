import { and, eq, gt, inArray, lte } from 'drizzle-orm'
import type { MasterKeys } from '#crypto/master-keys'
import { lookupHashes, rowContext, seal } from '#crypto/seal'
import { ApiError } from '#errors'
import { REGISTRATION_SECONDS } from '#limits'
import { retrying } from '#storage/d1'
import type { Database } from '#storage/database'
import { registrations } from '#storage/schema'
import type { NewRegistration, Registration } from './schemas'

interface StoredRegistration {
  registrationId: string
  expiresAt: number
}

const RETURNED = { registrationId: registrations.registrationId, expiresAt: registrations.expiresAt }

const returned = ({ registrationId, expiresAt }: StoredRegistration): Registration => ({
  registration_id: registrationId,
  status: 'initiated',
  expires_at: new Date(expiresAt).toISOString(),
})

/** The contexts that bind the sealed number and name to their registration. */
export const numberContext = (registrationId: string): string =>
  rowContext('registrations.sealed_number', registrationId)
export const nameContext = (registrationId: string): string =>
  rowContext('registrations.sealed_name', registrationId)

async function findLive(
  { orm }: Database,
  workspaceId: string,
  numberHashes: string[],
  now: Date,
): Promise<StoredRegistration | undefined> {
  const rows = await orm
    .select(RETURNED)
    .from(registrations)
    .where(
      and(
        eq(registrations.workspaceId, workspaceId),
        inArray(registrations.numberHash, numberHashes),
        gt(registrations.expiresAt, now.getTime()),
      ),
    )
  return rows[0]
}

type Row = typeof registrations.$inferInsert

/**
 * Inserts a registration, or replaces an expired one of the same number.
 *
 * @returns undefined when the number has a live registration
 */
async function insert({ orm }: Database, row: Row, now: Date): Promise<StoredRegistration | undefined> {
  const rows = await retrying(() =>
    orm
      .insert(registrations)
      .values(row)
      .onConflictDoUpdate({
        target: [registrations.workspaceId, registrations.numberHash],
        set: row,
        setWhere: lte(registrations.expiresAt, now.getTime()),
      })
      .returning(RETURNED),
  )
  return rows[0]
}

/**
 * Begins a registration, or answers the one that the number already has (docs/contract.md#registration). Of
 * simultaneous calls for one number, one begins it and the others find it.
 *
 * Number and name are stored sealed; a keyed hash finds the number again. The name of a second call is
 * ignored.
 *
 * @param database the workspace's own
 * @throws ApiError 503 when the database cannot be reached
 */
export async function initiateRegistration(
  database: Database,
  keys: MasterKeys,
  workspaceId: string,
  { mobile_number: number, name }: NewRegistration,
  now: Date,
): Promise<Registration> {
  const numberHashes = await lookupHashes(keys, rowContext('registrations.number_hash', workspaceId), number)
  const live = await findLive(database, workspaceId, numberHashes, now)
  if (live) return returned(live)

  const registrationId = crypto.randomUUID()
  const row = {
    registrationId,
    workspaceId,
    numberHash: numberHashes[0],
    sealedNumber: await seal(keys, numberContext(registrationId), number),
    sealedName: name === undefined ? null : await seal(keys, nameContext(registrationId), name),
    createdAt: now.getTime(),
    expiresAt: now.getTime() + REGISTRATION_SECONDS * 1000,
  }
  const registration =
    (await insert(database, row, now)) ?? (await findLive(database, workspaceId, numberHashes, now))
  if (!registration) {
    throw new ApiError('unavailable', 'The registration ended at this very moment; trying again is safe.')
  }
  return returned(registration)
}

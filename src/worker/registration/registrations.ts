import { and, eq, gt, lte, notExists, type SQL, sql } from 'drizzle-orm'
import * as z from 'zod'
import { REGISTRATION_SECONDS } from '#shared/limits'
import { lookupHash } from '#worker/crypto/hash'
import type { MasterKeys } from '#worker/crypto/master-keys'
import { rowContext, seal } from '#worker/crypto/seal'
import { atMost, text, timestampSchema } from '#worker/http/endpoint/values'
import { type Database, rowIf } from '#worker/storage/database'
import { isoTime } from '#worker/storage/list-page'
import type { ScheduledDatabase } from '#worker/storage/placement/served-database'
import { stopBeyondQuota, withinQuota } from '#worker/storage/quotas'
import { registrations } from '#worker/storage/schema/workspace'

/** Body and response of the registration endpoint (docs/contract.md#registration). */

const MOBILE_NUMBER = /^\+[0-9]{8,15}$/

const MAX_PERSON_NAME_LENGTH = 200

export const newRegistrationSchema = z.object({
  mobile_number: text()
    .refine((number) => MOBILE_NUMBER.test(number), {
      error: 'must be + and 8 to 15 digits, such as +919876543210',
      params: { code: 'malformed', min: 8, max: 15 },
    })
    .meta({ description: 'Mobile number with country code.', pattern: MOBILE_NUMBER.source }),
  name: z
    .string({ error: 'must be a string' })
    .refine(...atMost(MAX_PERSON_NAME_LENGTH))
    .optional()
    .meta({ description: `Name of the user, up to ${MAX_PERSON_NAME_LENGTH} characters.` }),
})

export const registrationSchema = z
  .strictObject({ registration_id: z.uuid(), status: z.literal('initiated'), expires_at: timestampSchema })
  .meta({ id: 'Registration', description: 'A registration that has begun.' })

type Registration = z.output<typeof registrationSchema>

export const numberContext = (registrationId: string): string =>
  rowContext('registrations.sealed_number', registrationId)
export const nameContext = (registrationId: string): string => rowContext('registrations.sealed_name', registrationId)

type Row = typeof registrations.$inferInsert

const stopIfTooMany = ({ workspaceId, registrationId }: Row): SQL =>
  stopBeyondQuota('registrations', workspaceId, {
    used: sql`(select count(*) from registrations where workspace_id = ${workspaceId})`,
    added: sql`(select count(*) from registrations where registration_id = ${registrationId})`,
  })

/** Inserts a registration, or replaces an expired one of the same number, unless the number has an active one. */
async function insertOrFind({ orm, retry }: Database, row: Row, now: Date): Promise<Registration> {
  const live = and(
    eq(registrations.workspaceId, row.workspaceId),
    eq(registrations.numberHash, row.numberHash),
    gt(registrations.expiresAt, now.getTime()),
  )
  const begin = () =>
    orm.batch([
      orm
        .insert(registrations)
        .select(rowIf(registrations, row, notExists(orm.select().from(registrations).where(live))))
        .onConflictDoUpdate({
          target: [registrations.workspaceId, registrations.numberHash],
          set: row,
          setWhere: lte(registrations.expiresAt, now.getTime()),
        }),
      orm
        .select({ registration_id: registrations.registrationId, expires_at: isoTime(registrations.expiresAt) })
        .from(registrations)
        .where(live),
      orm.run(stopIfTooMany(row)),
    ])
  const [, [registration]] = await withinQuota(() => retry(begin))
  if (!registration) throw new Error('a registration was neither found nor made')
  return { registration_id: registration.registration_id, status: 'initiated', expires_at: registration.expires_at }
}

/**
 * Creates a registration, or returns the number's active one (docs/contract.md#registration). Number and name are
 * stored encrypted, with a keyed hash to look up the number. The name in a repeated request is ignored.
 */
export async function initiateRegistration(
  database: Database,
  { masterKeys, lookupKey }: { masterKeys: MasterKeys; lookupKey: CryptoKey },
  workspaceId: string,
  { mobile_number: number, name }: z.output<typeof newRegistrationSchema>,
  now: Date,
): Promise<Registration> {
  const context = rowContext('registrations.number_hash', workspaceId)
  const registrationId = crypto.randomUUID()
  const row = {
    registrationId,
    workspaceId,
    numberHash: await lookupHash(lookupKey, context, number),
    sealedNumber: await seal(masterKeys, numberContext(registrationId), number),
    sealedName: name === undefined ? null : await seal(masterKeys, nameContext(registrationId), name),
    createdAt: now.getTime(),
    expiresAt: now.getTime() + REGISTRATION_SECONDS * 1000,
  }
  return insertOrFind(database, row, now)
}

/** Deletes expired registrations with their numbers and names, in every state of a workspace. @returns how many */
export async function purgeExpiredRegistrations(
  { orm, retry, expires }: ScheduledDatabase,
  now: Date,
): Promise<number> {
  const purgedRows = await retry(() =>
    orm
      .delete(registrations)
      .where(and(lte(registrations.expiresAt, now.getTime()), expires(sql`${registrations.workspaceId}`)))
      .returning({ registrationId: registrations.registrationId }),
  )
  return purgedRows.length
}

import { isNotNull, isNull, type SQL, sql } from 'drizzle-orm'
import { importLookupKey } from '#worker/crypto/hash'
import type { MasterKeys } from '#worker/crypto/master-keys'
import { randomSecret } from '#worker/crypto/random'
import { rowContext, seal, unseal } from '#worker/crypto/seal'
import { type Database, rowIf } from './database'
import { deployment, encryptionKeys, partnerCredentials } from './schema/control'

const ROW_NUMBER = 1

const CONTEXT = rowContext('deployment', String(ROW_NUMBER))

/** The number of active secrets in the control database that are encrypted under an unconfigured master key. */
const unopenableSecrets = (masterKeys: MasterKeys): SQL =>
  sql`(select count(*) from (
      select ${deployment.sealedLookupKey} as sealed from ${deployment} where ${isNotNull(deployment.sealedLookupKey)}
      union all select ${partnerCredentials.sealedSecret} from ${partnerCredentials}
        where ${isNull(partnerCredentials.revokedAt)}
      union all select ${encryptionKeys.sealedKey} from ${encryptionKeys} where ${isNull(encryptionKeys.revokedAt)})
    where substr(sealed, 1, instr(sealed, '.') - 1)
      not in (select value from json_each(${JSON.stringify(masterKeys.map(({ id }) => id))})))`

export async function countUnopenable(control: Database, masterKeys: MasterKeys): Promise<number> {
  const { n } = await control.one(sql<{ n: number }>`select ${unopenableSecrets(masterKeys)} as n`)
  return n
}

const notConfigured = (): Error => new Error('configuration: the master key of an encrypted value is not configured')

/** Creates the permanent key, unless one exists or stored secrets need a missing master key. */
async function makeKey(control: Database, masterKeys: MasterKeys): Promise<string | undefined> {
  const sealedLookupKey = await seal(masterKeys, CONTEXT, randomSecret(''))
  const row = { number: ROW_NUMBER, sealedLookupKey }
  await control.retry(() =>
    control.orm
      .insert(deployment)
      .select(rowIf(deployment, row, sql`${unopenableSecrets(masterKeys)} = 0`))
      .onConflictDoUpdate({
        target: deployment.number,
        set: { sealedLookupKey },
        setWhere: isNull(deployment.sealedLookupKey),
      }),
  )
  return storedKey(control)
}

async function storedKey({ orm }: Database): Promise<string | undefined> {
  const [row] = await orm.select({ sealed: deployment.sealedLookupKey }).from(deployment)
  return row?.sealed ?? undefined
}

/**
 * The key of keyed hashes, created when first needed.
 *
 * @throws Error if a master key of stored secrets is missing
 */
export async function readLookupKey(control: Database, masterKeys: MasterKeys): Promise<CryptoKey> {
  const sealed = (await storedKey(control)) ?? (await makeKey(control, masterKeys))
  if (sealed === undefined) throw notConfigured()
  return importLookupKey(await unseal(masterKeys, CONTEXT, sealed))
}

const keyByMasterKeys = new WeakMap<MasterKeys, CryptoKey>()

/** The lookup key, read once per isolate. */
export async function lookupKeyOf(control: Database, masterKeys: MasterKeys): Promise<CryptoKey> {
  const cachedKey = keyByMasterKeys.get(masterKeys)
  if (cachedKey) return cachedKey
  const key = await readLookupKey(control, masterKeys)
  keyByMasterKeys.set(masterKeys, key)
  return key
}

const verifiedKeys = new WeakSet<MasterKeys>()

/**
 * Checks once per isolate that the master keys decrypt the stored secrets, so that none is encrypted under a wrong key.
 *
 * @throws Error if one is not configured
 */
export async function requireMasterKeys(control: Database, masterKeys: MasterKeys): Promise<MasterKeys> {
  if (verifiedKeys.has(masterKeys)) return masterKeys
  if ((await countUnopenable(control, masterKeys)) > 0) throw notConfigured()
  verifiedKeys.add(masterKeys)
  return masterKeys
}

import { type SQL, sql } from 'drizzle-orm'
import { base64url } from 'jose'
import { importLookupKey } from '#worker/crypto/hash'
import type { MasterKeys } from '#worker/crypto/master-keys'
import { rowContext, seal, unseal } from '#worker/crypto/seal'
import type { Database } from './database'
import { retry } from './database-faults'

/** The only row of `deployment`. */
const ROW_NUMBER = 1

const KEY_ROW = sql<{ sealed: string }>`select sealed_lookup_key as sealed from deployment
  where sealed_lookup_key is not null`

const CONTEXT = rowContext('deployment', String(ROW_NUMBER))

/** How many live secrets of the control database are sealed under a master key that is not configured. */
const unopenableSecrets = (masterKeys: MasterKeys): SQL =>
  sql`(select count(*) from (
      select sealed_lookup_key as sealed from deployment where sealed_lookup_key is not null
      union all select sealed_secret from partner_credentials where revoked_at is null
      union all select sealed_key from encryption_keys where revoked_at is null)
    where substr(sealed, 1, instr(sealed, '.') - 1)
      not in (select value from json_each(${JSON.stringify(masterKeys.map(({ id }) => id))})))`

export async function countUnopenable(control: Database, masterKeys: MasterKeys): Promise<number> {
  const { n } = await control.one(sql<{ n: number }>`select ${unopenableSecrets(masterKeys)} as n`)
  return n
}

const notConfigured = (): Error => new Error('configuration: the master key of a sealed value is not configured')

/**
 * Makes and stores a key, unless there is one. Of simultaneous calls one stores its key and all use it.
 *
 * A wrong master key must not seal a key that lasts forever: nothing is stored if a secret is sealed under a master key
 * that is not configured.
 */
async function makeKey(control: Database, masterKeys: MasterKeys): Promise<{ sealed: string } | undefined> {
  const key = base64url.encode(crypto.getRandomValues(new Uint8Array(32)))
  const statement = sql`insert into deployment (number, sealed_lookup_key)
      select ${ROW_NUMBER}, ${await seal(masterKeys, CONTEXT, key)} where ${unopenableSecrets(masterKeys)} = 0
      on conflict (number) do update set sealed_lookup_key = excluded.sealed_lookup_key
      where sealed_lookup_key is null`
  await retry(() => control.batch([statement]))
  return (await control.all(KEY_ROW))[0]
}

/**
 * The key of keyed hashes, from the control database. It is stored sealed under the master key, is made when it is
 * first needed, and never changes.
 *
 * @throws Error when a master key of stored secrets is not configured
 */
export async function readLookupKey(control: Database, masterKeys: MasterKeys): Promise<CryptoKey> {
  const [existingRow] = await control.all(KEY_ROW)
  const row = existingRow ?? (await makeKey(control, masterKeys))
  if (!row) throw notConfigured()
  return importLookupKey(await unseal(masterKeys, CONTEXT, row.sealed))
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
 * Checks once per isolate that the master keys open what is stored, so that nothing is sealed under a wrong one.
 *
 * @returns the same keys
 * @throws Error when a master key of stored secrets is not configured
 */
export async function requireMasterKeys(control: Database, masterKeys: MasterKeys): Promise<MasterKeys> {
  if (verifiedKeys.has(masterKeys)) return masterKeys
  if ((await countUnopenable(control, masterKeys)) > 0) throw notConfigured()
  verifiedKeys.add(masterKeys)
  return masterKeys
}

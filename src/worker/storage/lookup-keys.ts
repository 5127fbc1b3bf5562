import { type SQL, sql } from 'drizzle-orm'
import { importLookupKey, type LookupKeys } from '#worker/crypto/lookup'
import type { MasterKeys } from '#worker/crypto/master-keys'
import { rowContext, seal, unseal } from '#worker/crypto/seal'
import { retrying } from './d1'
import type { Database } from './database'

interface StoredKey {
  number: number
  sealed: string
}

const STORED = sql<StoredKey>`select number, sealed_key as sealed from lookup_keys order by number`

const contextOf = (number: number): string => rowContext('lookup_keys', String(number))

/** Condition: a secret is sealed under a master key that is not configured. */
const hasUnopened = (masterKeys: MasterKeys): SQL =>
  sql`exists (
    select 1 from (
      select sealed_key as sealed from lookup_keys
      union all select sealed_secret from partner_credentials where revoked_at is null
      union all select sealed_key from encryption_keys where revoked_at is null)
    where substr(sealed, 1, instr(sealed, '.') - 1)
      not in (select value from json_each(${JSON.stringify(masterKeys.map(({ id }) => id))})))`

/**
 * Stores the first keys, unless there are some. Of simultaneous calls one stores its keys and all use them.
 *
 * A wrong master key must not become the source of keys that last forever: nothing is stored if a secret is sealed
 * under a master key that is not configured.
 */
const storing = (masterKeys: MasterKeys, first: readonly StoredKey[]): SQL =>
  sql`insert into lookup_keys (number, sealed_key)
      select value ->> 'number', value ->> 'sealed' from json_each(${JSON.stringify(first)})
      where not exists (select 1 from lookup_keys)
        and not ${hasUnopened(masterKeys)}`

/**
 * Makes the first keys: the ones that earlier releases derived from each configured master key for the same purpose, so
 * that the hashes that these releases stored stay valid.
 */
async function makeKeys(control: Database, masterKeys: MasterKeys): Promise<StoredKey[]> {
  const first = masterKeys.map(async ({ firstLookupKey }, index) => {
    const number = index + 1
    return { number, sealed: await seal(masterKeys, contextOf(number), firstLookupKey) }
  })
  const statement = storing(masterKeys, await Promise.all(first))
  await retrying(() => control.batch([statement]))
  return control.all(STORED)
}

/**
 * The keys of keyed hashes, from the control database. They are stored sealed under the master key, and are made when
 * they are first needed.
 *
 * @throws Error when a master key of stored secrets is not configured
 */
export async function readLookupKeys(control: Database, masterKeys: MasterKeys): Promise<LookupKeys> {
  const stored = await control.all(STORED)
  const rows = stored.length > 0 ? stored : await makeKeys(control, masterKeys)
  const opening = rows.map(async ({ number, sealed }) =>
    importLookupKey(await unseal(masterKeys, contextOf(number), sealed)),
  )
  const [current, ...others] = await Promise.all(opening)
  if (!current) throw new Error('configuration: the master key of a sealed value is not configured')
  return [current, ...others]
}

const keysByMasterKeys = new WeakMap<MasterKeys, LookupKeys>()

/** The same, read once per isolate: stored keys never change. */
export async function lookupKeysOf(control: Database, masterKeys: MasterKeys): Promise<LookupKeys> {
  const remembered = keysByMasterKeys.get(masterKeys)
  if (remembered) return remembered
  const keys = await readLookupKeys(control, masterKeys)
  keysByMasterKeys.set(masterKeys, keys)
  return keys
}

const proven = new WeakSet<MasterKeys>()

/**
 * The master keys, if they open what is stored, so that nothing is sealed under a wrong one. Looked at once per
 * isolate.
 *
 * @throws Error when a master key of stored secrets is not configured
 */
export async function provenKeys(control: Database, masterKeys: MasterKeys): Promise<MasterKeys> {
  if (proven.has(masterKeys)) return masterKeys
  const { unopened } = await control.one(
    sql<{ unopened: 0 | 1 }>`select ${hasUnopened(masterKeys)} as unopened`,
  )
  if (unopened === 1) throw new Error('configuration: the master key of a sealed value is not configured')
  proven.add(masterKeys)
  return masterKeys
}

import { env } from 'cloudflare:workers'
import { base64url } from 'jose'
import { expect, it } from 'vitest'
import { lookupHashes } from '#worker/crypto/lookup'
import { importMasterKeys } from '#worker/crypto/master-keys'
import { controlDatabase } from '#worker/storage/database'
import { readLookupKeys } from '#worker/storage/lookup-keys'
import { Meter } from '#worker/storage/meter'
import { newPartner } from '../../support/partners'

const control = controlDatabase(env, new Meter())

const newMasterKey = (): string => base64url.encode(crypto.getRandomValues(new Uint8Array(32)))

const stored = async () => (await env.DB.prepare('select * from lookup_keys order by number').all()).results

const hashesWith = async (...masterKeys: string[]) =>
  lookupHashes(await readLookupKeys(control, await importMasterKeys(masterKeys)), 'context', 'Asha')

/** The hash of an earlier release: under a key derived from the master key (HKDF, RFC 5869). */
async function hashOfEarlierRelease(masterKey: string): Promise<string> {
  const utf8 = new TextEncoder()
  const master = await crypto.subtle.importKey('raw', base64url.decode(masterKey), 'HKDF', false, [
    'deriveKey',
  ])
  const key = await crypto.subtle.deriveKey(
    {
      name: 'HKDF',
      hash: 'SHA-256',
      salt: new Uint8Array(),
      info: utf8.encode('dataset-catalog-service lookup'),
    },
    master,
    { name: 'HMAC', hash: 'SHA-256', length: 256 },
    false,
    ['sign'],
  )
  const hash = await crypto.subtle.sign('HMAC', key, utf8.encode(JSON.stringify(['context', 'Asha'])))
  return base64url.encode(new Uint8Array(hash))
}

it('the first keys find the hashes of earlier releases under every configured master key', async () => {
  const [current, previous] = [newMasterKey(), newMasterKey()]
  expect(await hashesWith(current, previous)).toEqual([
    await hashOfEarlierRelease(current),
    await hashOfEarlierRelease(previous),
  ])
})

it('of keys that several isolates make at once, the first ones are stored and all isolates use them', async () => {
  const [current, previous] = [newMasterKey(), newMasterKey()]
  const calls = Array.from({ length: 8 }, (_, index) =>
    index % 2 === 0 ? hashesWith(current, previous) : hashesWith(previous, current),
  )
  expect(new Set((await Promise.all(calls)).map((hashes) => hashes.join())).size).toBe(1)
  expect(await stored()).toHaveLength(2)
})

it('keys are stored sealed, and cannot change places', async () => {
  const masterKeys = [newMasterKey(), newMasterKey()]
  await hashesWith(...masterKeys)
  const [first, second] = await stored()
  for (const { firstLookupKey } of await importMasterKeys(masterKeys)) {
    expect(JSON.stringify([first, second])).not.toContain(firstLookupKey)
  }
  await env.DB.prepare('update lookup_keys set sealed_key = ? where number = 1')
    .bind(second?.sealed_key)
    .run()
  await expect(hashesWith(...masterKeys)).rejects.toThrow('was altered or belongs elsewhere')
})

it('a master key that does not open the stored secrets makes no keys', async () => {
  await newPartner()
  await expect(hashesWith(newMasterKey())).rejects.toThrow('configuration: the master key')
  expect(await stored()).toEqual([])
  await hashesWith(env.MASTER_KEY)
  expect(await stored()).toHaveLength(1)
})

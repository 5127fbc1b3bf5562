import { env } from 'cloudflare:workers'
import { base64url } from 'jose'
import { expect, it } from 'vitest'
import { lookupHash } from '#worker/crypto/hash'
import { importMasterKeys } from '#worker/crypto/master-keys'
import { rowContext, seal } from '#worker/crypto/seal'
import { readLookupKey } from '#worker/storage/lookup-keys'
import { execute, openControl } from '../../support/databases'
import { newPartner } from '../../support/partners'

const control = openControl()

const newMasterKey = (): string => base64url.encode(crypto.getRandomValues(new Uint8Array(32)))

const stored = async () =>
  (await env.DB.prepare('select * from deployment where sealed_lookup_key is not null').all()).results

const hashWith = async (...masterKeys: string[]) =>
  lookupHash(await readLookupKey(control, await importMasterKeys(masterKeys)), 'context', 'Asha')

it('if several isolates create keys at the same time, one is stored and all isolates use it', async () => {
  const [current, previous] = [newMasterKey(), newMasterKey()]
  const calls = Array.from({ length: 8 }, (_, index) =>
    index % 2 === 0 ? hashWith(current, previous) : hashWith(previous, current),
  )
  expect(new Set(await Promise.all(calls)).size).toBe(1)
  expect(await stored()).toHaveLength(1)
})

it('the key is stored encrypted for its location', async () => {
  const masterKey = newMasterKey()
  await hashWith(masterKey)
  const elsewhere = await seal(await importMasterKeys([masterKey]), rowContext('deployment', '2'), newMasterKey())
  await execute('update deployment set sealed_lookup_key = ?', elsewhere)
  await expect(hashWith(masterKey)).rejects.toThrow('was altered or belongs to another row')
})

it('a master key that cannot decrypt the stored secrets creates no key', async () => {
  await newPartner()
  await expect(hashWith(newMasterKey())).rejects.toThrow('configuration: the master key')
  expect(await stored()).toEqual([])
  await hashWith(env.MASTER_KEY)
  expect(await stored()).toHaveLength(1)
})

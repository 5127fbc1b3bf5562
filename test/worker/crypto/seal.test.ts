import { base64url } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import { importMasterKeys, type MasterKeys } from '#worker/crypto/master-keys'
import { rowContext, seal, unseal } from '#worker/crypto/seal'

const newSecret = (): string => base64url.encode(crypto.getRandomValues(new Uint8Array(32)))

const CONTEXT = rowContext('a_table', 'a-row')
const PLAINTEXT = 'a secret – ünïcode 🙂 \u0000'

const [older, newer] = [newSecret(), newSecret()]
let before: MasterKeys
let rotated: MasterKeys

beforeAll(async () => {
  before = await importMasterKeys([older])
  rotated = await importMasterKeys([newer, older])
})

describe('seal', () => {
  it('returns a different value each time, which unseal decrypts only in the same context', async () => {
    const sealed = await seal(before, CONTEXT, PLAINTEXT)
    expect(sealed).not.toContain('secret')
    expect(await seal(before, CONTEXT, PLAINTEXT)).not.toBe(sealed)
    expect(await unseal(before, CONTEXT, sealed)).toBe(PLAINTEXT)
    for (const context of [rowContext('a_table', 'another-row'), rowContext('another_table', 'a-row'), 'a_table', ''])
      await expect(unseal(before, context, sealed)).rejects.toThrow('was altered or belongs to another row')
  })

  it('names the current master key', async () => {
    const sealed = await seal(rotated, CONTEXT, PLAINTEXT)
    expect(sealed.split('.')[0]).toBe(rotated[0].id)
    expect(rotated[0].id).toMatch(/^[A-Za-z0-9_-]{11}$/)
    await expect(unseal(before, CONTEXT, sealed)).rejects.toThrow('configuration: the master key')
  })

  it('can be decrypted after a rotation, as long as the previous master key is configured', async () => {
    const sealed = await seal(before, CONTEXT, PLAINTEXT)
    expect(sealed.split('.')[0]).toBe(rotated[1]?.id)
    expect(await unseal(rotated, CONTEXT, sealed)).toBe(PLAINTEXT)
    const without = await importMasterKeys([newer])
    await expect(unseal(without, CONTEXT, sealed)).rejects.toThrow('is not configured')
  })
})

it('unseal rejects a value after a change of any part, and reveals nothing about it', async () => {
  const sealed = await seal(before, CONTEXT, PLAINTEXT)
  const changes = [
    ...[sealed.slice(0, -1), `${sealed}AAAA`, sealed.replace(/..$/, (end) => (end === 'AA' ? 'BA' : 'AA'))],
    sealed.replace(/\.(.)/, (_match, first) => (first === 'A' ? '.B' : '.A')),
    ...['', 'x', '..', 'a.b', 'a.b.c.d', 'unknown.AAAA.AAAA'],
  ]
  for (const changed of changes) {
    const error = await unseal(before, CONTEXT, changed).catch((thrown: unknown) => thrown)
    expect(error, changed).toBeInstanceOf(Error)
    if (changed.length > 20) expect(String(error)).not.toContain(changed.slice(-12))
  }
})

it('importMasterKeys always gives the same key the same name', async () => {
  expect((await importMasterKeys([older]))[0].id).toBe(before[0].id)
  expect(before[0].sealingKey.extractable).toBe(false)
  for (const keys of [[older, older], []])
    await expect(importMasterKeys(keys)).rejects.toThrow('configuration: MASTER_KEY')
})

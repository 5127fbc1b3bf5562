import { env } from 'cloudflare:workers'
import { base64url } from 'jose'
import { describe, expect, it } from 'vitest'
import { importMasterKeys, masterKeysOf } from '#worker/crypto/master-keys'
import { rowContext, seal, unseal } from '#worker/crypto/seal'
import { reseal } from '#worker/platform/reseal'
import { controlDatabase, databaseOver, runOn } from '#worker/storage/database'
import { Meter } from '#worker/storage/meter'
import { secretContext } from '#worker/webhooks/make-attempt'
import { callOperator, createWorkspace } from '../../support/credentials'
import { moveToTheEnd } from '../../support/databases'
import { newPartner } from '../../support/partners'
import { operatorData } from '../../support/responses'
import { newWebhook } from '../../support/webhooks'

const database = controlDatabase(env, new Meter())

const newMasterKey = (): string => base64url.encode(crypto.getRandomValues(new Uint8Array(32)))

/** The bindings after a rotation of the master key. */
const rotatedBindings = () => ({
  ...env,
  MASTER_KEY: newMasterKey(),
  PREVIOUS_MASTER_KEYS: `${newMasterKey()}, ${env.MASTER_KEY}`,
})

const STORED =
  'select kid, sealed_secret as sealed from partner_credentials union all select kid, sealed_key from encryption_keys'

const storedRows = async () => (await env.DB.prepare(STORED).all<{ kid: string; sealed: string }>()).results

describe('POST /platform/v1/reseal', () => {
  it('re-encrypts both secrets of webhooks in every database, for workspaces that are not erased', async () => {
    const [here, moved] = [await createWorkspace(), await createWorkspace()]
    const made = []
    for (const workspaceId of [here, moved]) {
      const { webhook_id, secret: before } = await newWebhook(workspaceId)
      const path = `/workspaces/${workspaceId}/webhooks/${webhook_id}/rotate`
      const { secret } = await operatorData<{ secret: string }>(path, {})
      made.push({ webhook_id, secrets: [secret, before] })
    }
    await moveToTheEnd(moved, 'DB_2')
    const masterKeys = await masterKeysOf(rotatedBindings())
    const databases = [env.DB, env.DB_2].map((each) => databaseOver(runOn(each, new Meter())))
    expect(await reseal(database, databases, masterKeys)).toMatchObject({ remaining: 0 })
    for (const [n, { webhook_id, secrets }] of made.entries()) {
      const read = 'select sealed_secret, sealed_previous from webhooks where webhook_id = ?'
      const [sealed] = await [env.DB, env.DB_2][n]!.prepare(read).bind(webhook_id).raw<[string, string]>()
      const open = (text: string) => unseal([masterKeys[0]], secretContext(webhook_id), text)
      expect(await Promise.all(sealed!.map(open))).toEqual(secrets)
    }
  })

  it('keeps revoked secrets destroyed', async () => {
    const partner = await newPartner()
    const path = `/workspaces/${partner.workspaceId}/partner-credentials/${partner.kid}`
    await callOperator(path, undefined, 'DELETE')
    const masterKeys = await masterKeysOf(rotatedBindings())
    expect(await reseal(database, [], masterKeys)).toEqual({ resealed: 0, remaining: 0 })
    expect(await storedRows()).toEqual([{ kid: partner.kid, sealed: '' }])
  })

  it('re-encrypts some secrets per request until none remains', async () => {
    const workspaceId = await createWorkspace()
    const [oldKeys, newKeys] = [await masterKeysOf(env), await masterKeysOf(rotatedBindings())]
    await newPartner({ workspaceId })
    const insert = env.DB.prepare(
      'insert into encryption_keys (kid, workspace_id, sealed_key, created_at) values (?, ?, ?, 0)',
    )
    const sealedOf = (kid: string) => seal(oldKeys, rowContext('encryption_keys', kid), 'a key')
    const kids = Array.from({ length: 200 }, (_, n) => `key-${n}`)
    await env.DB.batch(await Promise.all(kids.map(async (kid) => insert.bind(kid, workspaceId, await sealedOf(kid)))))
    expect(await reseal(database, [], newKeys)).toEqual({ resealed: 200, remaining: 1 })
    expect(await reseal(database, [], newKeys)).toEqual({ resealed: 1, remaining: 0 })
    expect(await reseal(database, [], newKeys)).toEqual({ resealed: 0, remaining: 0 })
  })

  it('stops, with nothing changed, at a secret whose master key is not configured', async () => {
    await newPartner()
    const before = await storedRows()
    const strangers = await importMasterKeys([newMasterKey(), newMasterKey()])
    await expect(reseal(database, [], strangers)).rejects.toThrow('configuration: the master key')
    expect(await storedRows()).toEqual(before)
  })
})

import { createScheduledController } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { importMasterKeys, masterKeysOf } from '#worker/crypto/master-keys'
import { unseal } from '#worker/crypto/seal'
import service from '#worker/index'
import { reseal } from '#worker/platform/reseal'
import {
  initiateRegistration,
  nameContext,
  numberContext,
  registrationSchema,
} from '#worker/registration/registrations'
import { lookupKeyOf } from '#worker/storage/lookup-keys'
import { newWorkspace, workspaceOfEachTest } from '../../support/credentials'
import { openControl, single } from '../../support/databases'
import { bearer, callService, dataFrom, jsonBody } from '../../support/service'
import { lostBefore, serviceWith } from '../storage/faulty-database'

const INIT = '/registration/v1/init'
const NUMBER = '+919812345678'

const workspace = workspaceOfEachTest()

const init = (body: unknown, token = workspace.token) =>
  callService(INIT, { method: 'POST', ...jsonBody(body, bearer(token)) })

const initiated = async (body: unknown = { mobile_number: NUMBER }, token?: string) =>
  registrationSchema.parse(await dataFrom(init(body, token)))

const rows = async () => (await env.DB.prepare('select * from registrations').all<Record<string, string>>()).results

const later = (seconds: number) => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + seconds * 1000 })

const runScheduled = (time: number): Promise<void> =>
  service.scheduled(createScheduledController({ scheduledTime: new Date(time) }), single)

describe('POST /registration/v1/init', () => {
  it('returns the same registration for the same number within ten minutes, and a new one afterwards', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const first = await initiated({ mobile_number: NUMBER, name: 'Zoë' })
    expect(Date.parse(first.expires_at)).toBe(Date.now() + 600_000)
    later(599)
    expect(await initiated({ mobile_number: NUMBER, name: 'another' })).toEqual(first)
    later(1)
    expect((await initiated()).registration_id).not.toBe(first.registration_id)
    expect(await rows()).toHaveLength(1)
  })

  it('begins only one registration for simultaneous requests with one number', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => initiated()))
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    expect(await rows()).toHaveLength(1)
  })

  it('keeps numbers and workspaces apart', async () => {
    const other = await newWorkspace()
    await initiated()
    await initiated({ mobile_number: `${NUMBER}9` })
    await initiated({ mobile_number: NUMBER }, other.token)
    for (const column of ['registration_id', 'number_hash'])
      expect(new Set((await rows()).map((row) => row[column])).size).toBe(3)
  })

  it('stores number and name encrypted for their row and column', async () => {
    const { registration_id: id } = await initiated({ mobile_number: NUMBER, name: 'Zoë Example' })
    const [row] = await rows()
    expect(JSON.stringify(row)).not.toMatch(/9812345678|Zoë/)
    const keys = await masterKeysOf(env)
    expect(await unseal(keys, numberContext(id), row!.sealed_number!)).toBe(NUMBER)
    expect(await unseal(keys, nameContext(id), row!.sealed_name!)).toBe('Zoë Example')
    await expect(unseal(keys, nameContext(id), row!.sealed_number!)).rejects.toThrow()
    await expect(unseal(keys, numberContext('another'), row!.sealed_number!)).rejects.toThrow()
  })

  it('finds a number again after a rotation of the master key', async () => {
    const [before, after] = ['A', 'B'].map((letter) => `${letter.repeat(42)}A`) as [string, string]
    const database = openControl()
    const initiate = async (secrets: string[]) => {
      const masterKeys = await importMasterKeys(secrets)
      const keys = { masterKeys, lookupKey: await lookupKeyOf(database, masterKeys) }
      const body = { mobile_number: NUMBER }
      return initiateRegistration(database, keys, workspace.workspaceId, body, new Date())
    }
    const registration = await initiate([before])
    const rotated = await importMasterKeys([after, before])
    expect(await initiate([after, before])).toEqual(registration)
    await reseal(database, [], rotated)
    expect(await initiate([after])).toEqual(registration)
  })

  it('rejects an invalid number or name, by its field', async () => {
    const numbers = [undefined, null, 919812345678, '919812345678', '+1234567', '+1234567890123456']
    const bodies = [
      ...[...numbers, '+12345678 ', '+12345678\n', '+١٢٣٤٥٦٧٨'].map((mobile_number) => ({ mobile_number })),
      ...[7, 'x'.repeat(201)].map((name) => ({ mobile_number: NUMBER, name })),
    ]
    for (const body of bodies) {
      const response = await init(body)
      expect(response.status, JSON.stringify(body)).toBe(400)
      expect(await response.json()).toMatchObject({ errors: [{ field: 'name' in body ? 'name' : 'mobile_number' }] })
    }
    expect(await rows()).toEqual([])
    await initiated({ mobile_number: '+12345678' })
    await initiated({ mobile_number: '+123456789012345', name: '😀'.repeat(200) })
  })

  it('leaves neither number nor name in the log, for successes and failures', async () => {
    const log = vi.spyOn(console, 'log').mockImplementation(() => undefined)
    await init({ mobile_number: NUMBER, name: 'Zoë Example' })
    await init({ mobile_number: `${NUMBER}99999`, name: 'Zoë Example' })
    const fault = lostBefore('D1_ERROR: no such table: registrations: SQLITE_ERROR')
    const broken = serviceWith(({ writes, run }) => (writes ? fault() : run()))
    const body = jsonBody({ mobile_number: NUMBER, name: 'Zoë Example' }, bearer(workspace.token))
    expect((await broken(INIT, { method: 'POST', ...body })).status).toBe(500)
    const lines = log.mock.calls.map(([line]) => String(line))
    expect(lines).toHaveLength(3)
    expect(lines.join('\n')).not.toMatch(/9812345678|Zoë/)
  })
})

describe('the scheduled handler', () => {
  it('deletes registrations after they have expired, and no earlier', async () => {
    const log = vi.spyOn(console, 'log').mockImplementation(() => undefined)
    const { expires_at } = await initiated()
    const expiresAt = Date.parse(expires_at)
    await runScheduled(expiresAt - 1)
    expect(await rows()).toHaveLength(1)
    await runScheduled(expiresAt)
    expect(await rows()).toEqual([])
    const line = JSON.parse(String(log.mock.calls.at(-1)![0]))
    expect(line).toMatchObject({ scheduled: 'housekeeping', purged_registrations: 1 })
  })
})

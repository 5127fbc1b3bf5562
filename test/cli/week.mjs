import { mkdir } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { CatalogClient, clientCredentials } from '../../scripts/client/client.mjs'
import { dcs, dcsJson, inFront, isWrite, operator, putAgo, said, setClock, started, statusOf } from './started.mjs'

const HOUR_MS = 3_600_000
let began

/** Sets the clocks of the service and of this machine to some hours after the beginning. */
async function passHours(hours) {
  vi.setSystemTime(began + hours * HOUR_MS)
  await setClock(hours * HOUR_MS)
}

const rows = (count) => `symptom_id,name\n${Array.from({ length: count }, (_, n) => `S${n},Symptom ${n}\n`).join('')}`

/** Writes the export of a night, some hours before the clock. */
const exportFile = (content, name = 'catalog.csv', hours = 1) => putAgo(hours, `week/${name}`, content)

const NEWEST = ['week/catalog*.csv', '--newest', '--max-age', '20h']
const JOB = ['push', 'symptom', ...NEWEST, '--reconcile', '--max-shrink', '10']
const CHECK = ['status', '--check', '--allow-unwatched', 'medication,lab_test,diagnosis']
const job = (...more) => dcsJson([...JOB, ...more])

const expectCatalog = async (revision, active_records, state) =>
  expect(await statusOf('symptom')).toMatchObject({ revision, active_records, sync: { state } })

/** They follow each other in a workspace of their own. Its clock jumps, so tests that need the time come before. */
describe('the nights of a job', () => {
  beforeAll(async () => {
    began = Date.now()
    const platform = operator()
    const { workspace_id } = await platform.post('/platform/v1/workspaces', { body: { name: 'Week' } })
    const made = { params: { workspace_id }, body: { client_name: 'nightly' } }
    const key = await platform.post('/platform/v1/workspaces/{workspace_id}/api-keys', made)
    const { client_id: clientId, client_secret: clientSecret, api_key: apiKey } = key
    const baseUrl = started.origin
    const tokens = clientCredentials({ baseUrl, clientId, clientSecret, apiKey })
    started.client = new CatalogClient({ baseUrl, tokens })
    const secrets = { DCS_CLIENT_ID: clientId, DCS_CLIENT_SECRET: clientSecret, DCS_API_KEY: apiKey }
    Object.assign(started.environment, secrets)
    const watch = { params: { type: 'symptom' }, body: { every_hours: 24, grace_hours: 1 } }
    await started.client.put('/admin/catalogs/v1/{type}/watch', watch)
    await mkdir('week')
    vi.useFakeTimers({ toFake: ['Date'] })
    // The waits of dcs are a random part of a longest one.
    vi.spyOn(Math, 'random').mockReturnValue(0.01)
  })

  afterAll(() => {
    vi.useRealTimers()
    vi.restoreAllMocks()
  })

  it('have one without a file, after which the check of a monitor is critical until a file comes', async () => {
    await exportFile(rows(40))
    expect(await job()).toMatchObject({ exit: 0, results: [{ written: { inserted: 40 } }] })
    await passHours(26)
    await expectCatalog(1, 40, 'late')
    expect(await dcs(CHECK)).toMatchObject(said(2, /^CRITICAL - symptom: nothing came since/))
    await exportFile(rows(41))
    expect(await job()).toMatchObject({ exit: 0 })
    await expectCatalog(2, 41, 'on_time')
    expect(await dcs(CHECK)).toMatchObject({ code: 0 })
  })

  it('have two runs after each other and two at once: nothing is written twice', async () => {
    expect(await job()).toMatchObject({ exit: 0, results: [{ written: { unchanged: 41, inserted: 0 } }] })
    await exportFile(rows(45))
    expect((await Promise.all([job(), job()])).map(({ exit }) => exit)).toEqual([0, 0])
    await expectCatalog(3, 45, 'on_time')
  })

  it("let no older file win: yesterday's job still tries when that of today has written", async () => {
    await passHours(28)
    await exportFile(rows(45).replace('Symptom 1\n', 'Symptom 1 (older)\n'), undefined, 3)
    let today
    const slow = await inFront(async (request) => {
      if (!isWrite(request) || today !== undefined) return 'pass'
      await exportFile(rows(46), 'catalog-2.csv', 2)
      today = dcs(JOB)
      await today
      return 'pass'
    })
    expect(await job('--url', slow)).toMatchObject({ exit: 4, newest_write: expect.any(String) })
    expect(await today).toMatchObject({ code: 0 })
    expect((await dcs(['pull', 'symptom'])).stdout).not.toContain('older')
    expect(await statusOf('symptom')).toMatchObject({ revision: 4, active_records: 46 })
  })
})

import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { FILES_ARE_BUILT, setClock, startService } from './service.mjs'
import { dcs, dcsJson, inFront, isWrite, putAgo, said, statusOf, withWorkspace, workspace } from './workspace.mjs'

const HOUR_MS = 3_600_000
let began

// Its clock jumps, so no other tests use it.
let service
withWorkspace({
  service: async () => {
    service = await startService(await mkdtemp(path.join(tmpdir(), 'week-')), undefined, FILES_ARE_BUILT)
    return service
  },
  isEmpty: true,
})
afterAll(async () => {
  service.kill()
  await rm(service.state, { recursive: true, force: true })
})

/** Sets the clocks of the service and of this machine to some hours after the start. */
async function passHours(hours) {
  vi.setSystemTime(began + hours * HOUR_MS)
  await setClock(service, hours * HOUR_MS)
}

const rows = (count) => `symptom_id,name\n${Array.from({ length: count }, (_, n) => `S${n},Symptom ${n}\n`).join('')}`

/** Writes the file of a nightly export, with a time some hours in the past. */
const exportFile = (content, name = 'catalog.csv', hours = 1) => putAgo(hours, `week/${name}`, content)

const NEWEST = ['week/catalog*.csv', '--newest', '--max-age', '20h']
const JOB = ['push', 'symptom', ...NEWEST, '--reconcile', '--max-shrink', '10']
const CHECK = ['status', '--check', '--allow-unwatched', 'medication,lab_test,diagnosis']
const job = (...more) => dcsJson([...JOB, ...more])

const expectCatalog = async (revision, active_records, state) =>
  expect(await statusOf('symptom')).toMatchObject({ revision, active_records, sync: { state } })

/** The tests build on each other. */
describe('the nightly runs of a job', () => {
  beforeAll(async () => {
    began = Date.now()
    const watch = { params: { type: 'symptom' }, body: { every_hours: 24, grace_hours: 1 } }
    await workspace.client.put('/admin/catalogs/v1/{type}/watch', watch)
    await mkdir('week')
    vi.useFakeTimers({ toFake: ['Date'] })
    // The waits of dcs are a random fraction of a maximum.
    vi.spyOn(Math, 'random').mockReturnValue(0.01)
  })

  afterAll(() => {
    vi.useRealTimers()
    vi.restoreAllMocks()
  })

  it("make a monitor's check critical after a night without a file, until a file arrives", async () => {
    await exportFile(rows(40))
    expect(await job()).toMatchObject({ exit: 0, results: [{ written: { inserted: 40 } }] })
    await passHours(26)
    await expectCatalog(1, 40, 'late')
    expect(await dcs(CHECK)).toMatchObject(said(2, /^CRITICAL - symptom: no sync since/))
    await exportFile(rows(41))
    expect(await job()).toMatchObject({ exit: 0 })
    await expectCatalog(2, 41, 'on_time')
    expect(await dcs(CHECK)).toMatchObject({ code: 0 })
  })

  it('write nothing twice, whether two run one after the other or at the same time', async () => {
    expect(await job()).toMatchObject({ exit: 0, results: [{ written: { unchanged: 41, inserted: 0 } }] })
    await exportFile(rows(45))
    expect((await Promise.all([job(), job()])).map(({ exit }) => exit)).toEqual([0, 0])
    await expectCatalog(3, 45, 'on_time')
  })

  it("let no older file win if yesterday's job is still retrying when today's has written", async () => {
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

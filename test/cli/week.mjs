import { mkdir, utimes, writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { CLOCK_PATH, CONTROL } from '../../scripts/local/control.mjs'
import {
  dcs,
  dcsJson,
  forDcs,
  inFront,
  isWrite,
  losing,
  newWorkspace,
  said,
  started,
  statusOf,
  warned,
} from './started.mjs'

/**
 * Nights of a job, with a clock that jumps. They follow each other, and are the last tests of their service, whose clock
 * they set.
 */

const HOUR_MS = 3_600_000
let began

beforeAll(() => {
  began = Date.now()
})

/** Sets the clocks of the service and of this machine to some hours after the beginning. */
async function setClock(hours) {
  vi.setSystemTime(began + hours * HOUR_MS)
  await fetch(`${started.origin}${CLOCK_PATH}?ahead=${hours * HOUR_MS}`, CONTROL)
}

const rows = (count) => `symptom_id,name\n${Array.from({ length: count }, (_, n) => `S${n},Symptom ${n}\n`).join('')}`

/** Writes the export of a night, some hours before the clock. */
async function exportFile(content, name = 'catalog.csv', hours = 1) {
  await writeFile(`week/${name}`, content)
  const time = new Date(Date.now() - hours * HOUR_MS)
  await utimes(`week/${name}`, time, time)
}

const JOB = [
  'push',
  'symptom',
  'week/catalog*.csv',
  '--newest',
  '--max-age',
  '20h',
  '--reconcile',
  '--max-shrink',
  '10',
]
const CHECK = ['status', '--check', '--allow-unwatched', 'medication,lab_test,diagnosis']
const job = (...more) => dcsJson([...JOB, ...more])

const expectCatalog = async (revision, active_records, state) =>
  expect(await statusOf('symptom')).toMatchObject({ revision, active_records, sync: { state } })

describe('a week of nights', () => {
  beforeAll(async () => {
    const { client, secrets } = await newWorkspace('Week')
    const watch = { params: { type: 'symptom' }, body: { every_hours: 24, grace_hours: 1 } }
    await client.put('/admin/catalogs/v1/{type}/watch', watch)
    Object.assign(started, { client, environment: { ...started.environment, ...forDcs(secrets) } })
    await mkdir('week')
    vi.useFakeTimers({ toFake: ['Date'] })
    // The waits of dcs are a random part of a longest one.
    vi.spyOn(Math, 'random').mockReturnValue(0.01)
  })

  afterAll(() => {
    vi.useRealTimers()
    vi.restoreAllMocks()
  })

  it('has a night without a file, after which the check of a monitor is critical until a file comes', async () => {
    await exportFile(rows(40))
    expect(await job()).toMatchObject({ exit: 0, results: [{ written: { inserted: 40 } }] })
    await setClock(26)
    await expectCatalog(1, 40, 'late')
    expect(await dcs(CHECK)).toMatchObject(said(2, /^CRITICAL - symptom: nothing came since/))
    await exportFile(rows(41))
    expect(await job()).toMatchObject({ exit: 0 })
    await expectCatalog(2, 41, 'on_time')
    expect(await dcs(CHECK)).toMatchObject({ code: 0 })
  })

  it('has a file that leaves out too much, which is a warning until somebody approves it', async () => {
    await setClock(48)
    await exportFile(rows(30))
    const stopped = await job()
    expect(stopped).toMatchObject({ exit: 4, results: [{ stops: [{ code: 'shrink_guard', would_deactivate: 11 }] }] })
    await expectCatalog(2, 41, 'refused')
    expect(await dcs(CHECK)).toMatchObject(said(1, /^WARNING/))
    const { uploadId } = stopped.results[0].waiting
    expect(await dcs(['approve', uploadId, '--confirm-shrink'])).toMatchObject({ code: 0 })
    await expectCatalog(3, 30, 'on_time')
  })

  it('has a service that is down until the time is over, and answers that are lost in the next run', async () => {
    await setClock(72)
    await exportFile(rows(31))
    const down = await dcs([...JOB, '--timeout', '1s'], { env: { DCS_URL: 'http://127.0.0.1:9' } })
    expect(down).toMatchObject(warned(6, '--timeout'))
    await expectCatalog(3, 30, 'on_time')
    // The 31st was left out the night before.
    const written = { reactivated: 1, unchanged: 30 }
    expect(await job('--url', await losing(2))).toMatchObject({ exit: 0, results: [{ written }] })
    await expectCatalog(4, 31, 'on_time')
  })

  it('has two runs after each other and two at once: nothing is written twice', async () => {
    expect(await job()).toMatchObject({ exit: 0, results: [{ written: { unchanged: 31, inserted: 0 } }] })
    await exportFile(rows(35))
    expect((await Promise.all([job(), job()])).map(({ exit }) => exit)).toEqual([0, 0])
    await expectCatalog(5, 35, 'on_time')
  })

  it("lets no older file win: yesterday's job still tries when that of today has written", async () => {
    await setClock(74)
    await exportFile(rows(35).replace('Symptom 1\n', 'Symptom 1 (older)\n'), undefined, 3)
    let today
    const slow = await inFront(async (request) => {
      if (!isWrite(request) || today !== undefined) return 'pass'
      await exportFile(rows(36), 'catalog-2.csv', 2)
      today = dcs(JOB)
      await today
      return 'pass'
    })
    expect(await job('--url', slow)).toMatchObject({ exit: 4, newest_write: expect.any(String) })
    expect(await today).toMatchObject({ code: 0 })
    expect((await dcs(['pull', 'symptom'])).stdout).not.toContain('older')
    expect(await statusOf('symptom')).toMatchObject({ revision: 6, active_records: 36 })
  })
})

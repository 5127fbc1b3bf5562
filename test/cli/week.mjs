import { mkdir, utimes, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { json } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { CLOCK_PATH, CONTROL, SCHEDULED_PATH } from '../../scripts/local/control.mjs'
import { serve } from '../support/proxy.mjs'
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
 * A week of a nightly job, with a clock that jumps: what each night ends with, what the service says of the catalog after
 * it, and which messages it sends. The nights follow each other. They are the last tests of their service, whose clock
 * they set.
 */

const HOUR_MS = 3_600_000

/** How often to look for a message, every 50 milliseconds. */
const LOOKS = 200

const messages = []
let began
let receiver

/** Makes a workspace whose symptoms are watched and whose messages come here. */
async function beginWeek() {
  began = Date.now()
  const { platform, params, client, secrets } = await newWorkspace('Week')
  receiver = await serve(receive)
  await platform.post('/platform/v1/workspaces/{workspace_id}/webhooks', {
    params,
    body: { url: `${receiver.origin}/`, events: ['sync.late', 'sync.refused', 'sync.recovered'] },
  })
  started.client = client
  await client.put('/admin/catalogs/v1/{type}/watch', {
    params: { type: 'symptom' },
    body: { every_hours: 24, grace_hours: 1 },
  })
  started.environment = { ...started.environment, ...forDcs(secrets) }
  await mkdir('week/export', { recursive: true })
  process.chdir('week')
  vi.useFakeTimers({ toFake: ['Date'] })
  // The waits of dcs are a random part of a longest one.
  vi.spyOn(Math, 'random').mockReturnValue(0.01)
}

function endWeek() {
  vi.useRealTimers()
  vi.restoreAllMocks()
  receiver.close()
}

async function receive(request, response) {
  messages.push((await json(request)).type)
  response.writeHead(204).end()
}

/** Sets the clocks of the service and of this machine to some hours after the beginning. */
async function setClock(hours) {
  vi.setSystemTime(began + hours * HOUR_MS)
  await fetch(`${started.origin}${CLOCK_PATH}?ahead=${hours * HOUR_MS}`, CONTROL)
}

const rows = (count, more = () => '') =>
  `symptom_id,name,icd10,gender\n${Array.from({ length: count }, (_, n) => `S${n},Symptom ${n},R${n},${more(n)}\n`).join('')}`

/** Writes the export of a night, an hour before the clock. */
async function exportFile(content, name = 'catalog.csv', ageMs = HOUR_MS) {
  const file = path.join('export', name)
  await writeFile(file, content)
  const time = new Date(Date.now() - ageMs)
  await utimes(file, time, time)
  return file
}

const JOB = [
  'push',
  'symptom',
  'export/catalog*.csv',
  '--newest',
  '--max-age',
  '20h',
  '--reconcile',
  '--max-shrink',
  '10',
]

const CHECK = ['status', '--check', '--allow-unwatched', 'medication,lab_test,diagnosis']

const job = (...more) => dcsJson([...JOB, ...more])

/**
 * How a catalog stands after a night, and which messages came.
 *
 * @param expected revision, active records, state of the watch, outcome of the newest file
 */
async function expectMorning(expected, ...types) {
  // The service does this every ten minutes.
  await fetch(`${started.origin}${SCHEDULED_PATH}?time=${Date.now()}`, CONTROL)
  // Not by the time, which is set.
  for (let looks = 0; messages.length < types.length && looks < LOOKS; looks++) await sleep(50)
  const { revision, active_records, sync } = await statusOf('symptom')
  expect([revision, active_records, sync.state, sync.last_upload?.outcome]).toEqual(expected)
  expect(messages.splice(0)).toEqual(types)
}

/** The job with the right file of a night. */
async function runWell(count) {
  await exportFile(rows(count))
  expect(await job()).toMatchObject({ exit: 0 })
}

describe('a week of nights', () => {
  beforeAll(beginWeek)
  afterAll(endWeek)

  it('begins with a whole catalog', async () => {
    await setClock(0)
    await exportFile(rows(40))
    expect(await job()).toMatchObject({ exit: 0, results: [{ written: { inserted: 40 } }] })
    await expectMorning([1, 40, 'on_time', 'written'])
  })

  it('on Monday the job does not run: the catalog is late until it does', async () => {
    await setClock(26)
    await expectMorning([1, 40, 'late', 'written'], 'sync.late')
    const check = await dcs(CHECK)
    expect(check).toMatchObject(said(2, /^CRITICAL - symptom: nothing came since/))
    await runWell(41)
    await expectMorning([2, 41, 'on_time', 'written'], 'sync.recovered')
    expect(await dcs(CHECK)).toMatchObject({ code: 0 })
  })

  it('on Tuesday the file is cut off: nothing is written, and it is told', async () => {
    await setClock(48)
    await exportFile(rows(42).slice(0, -8))
    expect(await job()).toMatchObject({ exit: 3 })
    await expectMorning([2, 41, 'refused', 'invalid'], 'sync.refused')
    expect(await dcs(CHECK)).toMatchObject(said(1, '(invalid'))
    await runWell(42)
    await expectMorning([3, 42, 'on_time', 'written'], 'sync.recovered')
  })

  it('on Wednesday the file leaves out too much: it waits, and a person lets it in', async () => {
    await setClock(72)
    await exportFile(rows(30))
    const stopped = await job()
    expect(stopped).toMatchObject({
      exit: 4,
      results: [{ stops: [{ code: 'shrink_guard', would_deactivate: 12 }] }],
    })
    await expectMorning([3, 42, 'refused', 'held'], 'sync.refused')
    const { uploadId } = stopped.results[0].waiting
    expect(await dcs(['approve', uploadId, '--confirm-shrink'])).toMatchObject({ code: 0 })
    await expectMorning([4, 30, 'on_time', 'approved'], 'sync.recovered')
  })

  it('on Thursday the file takes a value away: it waits, and a person discards it', async () => {
    await setClock(96)
    await exportFile(rows(30).replace(',R7,', ',,'))
    const stopped = await job()
    expect(stopped).toMatchObject({
      exit: 4,
      results: [{ stops: [{ code: 'emptied_guard', field: 'icd10', emptied: 1 }] }],
    })
    await expectMorning([4, 30, 'refused', 'held'], 'sync.refused')
    expect(await dcs(['discard', stopped.results[0].waiting.uploadId])).toMatchObject({ code: 0 })
    await runWell(31)
    await expectMorning([5, 31, 'on_time', 'written'], 'sync.recovered')
  })

  it('on Friday two rows are wrong: nothing is written, and each is named', async () => {
    await setClock(120)
    await exportFile(rows(32, (n) => (n > 29 ? 'other' : '')))
    const { exit, errors } = await job()
    expect({ exit, rows: errors.map(({ row, field }) => [row, field]) }).toEqual({
      exit: 3,
      rows: [
        [32, 'gender'],
        [33, 'gender'],
      ],
    })
    await expectMorning([5, 31, 'refused', 'invalid'], 'sync.refused')
    await runWell(32)
    await expectMorning([6, 32, 'on_time', 'written'], 'sync.recovered')
  })

  it('on Saturday the service is down until the time is over, and an answer is lost in the next run', async () => {
    await setClock(144)
    await exportFile(rows(33))
    const down = await dcs([...JOB, '--timeout', '1s'], { env: { DCS_URL: 'http://127.0.0.1:9' } })
    expect(down).toMatchObject(warned(6, '--timeout'))
    await expectMorning([6, 32, 'on_time', 'written'])
    // The 33rd was left out on Wednesday.
    expect(await job('--url', await losing(2))).toMatchObject({
      exit: 0,
      results: [{ written: { reactivated: 1, unchanged: 32 } }],
    })
    await expectMorning([7, 33, 'on_time', 'written'])
  })

  it('on Sunday it runs twice, and two at once: nothing is written twice', async () => {
    await setClock(168)
    await runWell(34)
    expect(await job()).toMatchObject({ exit: 0, results: [{ written: { unchanged: 34, inserted: 0 } }] })
    await expectMorning([8, 34, 'on_time', 'unchanged'])
    await exportFile(rows(35))
    const both = await Promise.all([job(), job()])
    expect(both.map(({ exit }) => exit)).toEqual([0, 0])
    expect(await statusOf('symptom')).toMatchObject({
      revision: 9,
      active_records: 35,
      sync: { state: 'on_time' },
    })
  })

  it("lets no older file win: yesterday's job still tries when that of today has written", async () => {
    await setClock(170)
    await exportFile(rows(35).replace('Symptom 1,', 'Older symptom,'), 'catalog.csv', 3 * HOUR_MS)
    let today
    const slow = await inFront(async (request) => {
      if (!isWrite(request) || today !== undefined) return 'pass'
      await exportFile(rows(36), 'catalog-2.csv', 2 * HOUR_MS)
      today = dcs(JOB)
      await today
      return 'pass'
    })
    expect(await job('--url', slow)).toMatchObject({ exit: 4, newest_write: expect.any(String) })
    expect(await today).toMatchObject({ code: 0 })
    expect((await dcs(['pull', 'symptom'])).stdout).not.toContain('Older')
    expect(await statusOf('symptom')).toMatchObject({ revision: 10, active_records: 36 })
  })
})

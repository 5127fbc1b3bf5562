import { mkdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { root } from '../../scripts/wrangler.mjs'
import { startProxy } from '../support/proxy.mjs'
import { Random } from '../support/random.mjs'
import { dcs, forDcs, isWrite, newWorkspace, runProgram, started } from './started.mjs'

/**
 * Nights through a network that fails, with files that are right or not, for `dcs` and the jobs of docs/sync.md. After
 * each one: an exit of 0 means that the catalog is what the file of that night says, any other that nothing was written,
 * and the service knows of both. `NIGHTS=30 NIGHTS_SEED=2` are other nights than those of the tests.
 */

const NIGHTS = Number(process.env.NIGHTS ?? 7)

const HOUR_MS = 3_600_000

const random = new Random(Number(process.env.NIGHTS_SEED ?? 1))

/** What becomes of requests on their way. */
const FAULTS = ['refused', 'stalled', 'lose', 'cut', 'twice', 'bare', 'page', 'empty', 'down', 'late']

/** Files of a night, and how `dcs` ends with them. The others end with 0 or not. */
const FILES = [
  { is: 'right', exit: 0 },
  { is: 'right', exit: 0 },
  { is: 'as yesterday', exit: 0 },
  { is: 'missing', exit: 2 },
  { is: 'of yesterday', exit: 2 },
  { is: 'half', exit: 3 },
  { is: 'unclear', exit: 3, alone: 'dcs' },
  { is: 'other names', exit: 3, alone: 'dcs' },
  { is: 'too short', exit: 4 },
  { is: 'emptied', exit: 4 },
  { is: 'refused by a proxy', exit: 3 },
  { is: 'sent to nobody', exit: 6 },
]

const JOBS = ['dcs', 'dcs', 'curl', 'dcs', 'dcs', 'python', 'dcs']

const FILE = 'nights/formulary.csv'

/** What the catalog should have: names by their ids. */
let records = new Map()
let client
let proxy
let environment
let before
/** The file of the night, and what will happen to its requests. */
let file
let faults = []
/** Requests that arrive once more in the next night. */
const late = []

const csvOf = (given) =>
  `medication_id,name,aliases\n${[...given].map(([id, name]) => `${id},${name},Other ${id}\n`).join('')}`

/** The catalog of the next day: some names differ, one record is new, one is gone. */
function nextDay() {
  const next = new Map(records)
  for (let change = random.between(0, 3); change > 0; change--)
    next.set(random.of([...next.keys()]), `Medication ${random.between(0, 999_999)}`)
  next.set(`N${random.between(0, 999_999_999)}`, 'Medication that is new')
  if (next.size > 60) next.delete([...next.keys()][0])
  return next
}

async function answer(request, response) {
  const { method, url, headers, body } = request
  if (file.is === 'sent to nobody') return response.destroy() && 'none'
  if (file.is === 'refused by a proxy' && isWrite(request)) return response.writeHead(413).end('too large') && 'none'
  const fault = faults.shift()
  if (fault === 'refused') return response.destroy() && 'none'
  if (fault === 'page') return response.end('<html>Log in</html>') && 'none'
  if (fault === 'empty') return response.end('{}') && 'none'
  if (fault === 'down') return response.writeHead(503).end('{"message": "Down for maintenance"}') && 'none'
  if (fault === 'stalled') return sleep(100).then(() => response.destroy() && 'none')
  if (fault === 'late' && isWrite(request)) late.push({ url, init: { method, headers: { ...headers }, body } })
  return fault === undefined || fault === 'late' ? 'pass' : fault
}

async function beginNights() {
  const { secrets, ...made } = await newWorkspace('Nights')
  client = made.client
  await client.put('/admin/catalogs/v1/{type}/watch', { params: { type: 'medication' }, body: { every_hours: 24 } })
  proxy = await startProxy(started.origin, answer)
  environment = started.environment
  started.environment = {
    ...environment,
    ...secrets,
    ...forDcs(secrets),
    SERVICE: proxy.origin,
    DCS_URL: proxy.origin,
    SETTINGS: './settings',
  }
  process.chdir(started.folder)
  await mkdir('nights', { recursive: true })
  await writeFile('settings', 'sleep() { :; }\n')
  const job = (name) => readFile(path.join(root, 'samples', 'nightly', name), 'utf8')
  await writeFile('nightly.sh', await job('nightly.sh'))
  await writeFile('nightly.py', `import time\ntime.sleep = lambda _: None\n${await job('nightly.py')}`)
  // The waits of dcs are a random part of a longest one.
  vi.spyOn(Math, 'random').mockReturnValue(0.01)
}

function endNights() {
  vi.restoreAllMocks()
  started.environment = environment
  proxy.close()
}

const DCS_JOB = ['push', 'medication', 'nights/formulary*.csv', '--newest', '--max-age', '20h', '--lists', 'keep']

const run = {
  dcs: () => {
    const time = file.is === 'sent to nobody' ? ['--timeout', '1s'] : []
    return dcs([...DCS_JOB, '--reconcile', '--max-shrink', '5', ...time])
  },
  curl: () => runProgram('sh', ['nightly.sh', FILE]),
  python: () => runProgram('python3', ['nightly.py', FILE]),
}

const stateOf = async () => {
  const { revision, sync } = await client.get('/admin/catalogs/v1/{type}', { params: { type: 'medication' } })
  return { revision, success: sync.last_success_at, upload: sync.last_upload }
}

/** Writes the export of a night. @returns what the catalog should be after it if it is written */
async function exportFile() {
  const tonight = file.is === 'as yesterday' ? records : nextDay()
  const content = csvOf(tonight)
  const contents = {
    half: content.slice(0, content.lastIndexOf(',')),
    unclear: content.replace(',aliases', ',Dubious'),
    'other names': content.replace(/Medication \d+,Other \w+/, 'Something,Else'),
    'too short': csvOf([...tonight].slice(0, tonight.size / 2)),
    emptied: content.replace(/,Other \w+\n/, ',\n'),
  }
  await writeFile(FILE, contents[file.is] ?? content)
  const at = new Date(Date.now() - (file.is === 'of yesterday' ? 24.75 : 1) * HOUR_MS)
  await utimes(FILE, at, at)
  if (file.is === 'missing') await rm(FILE)
  return tonight
}

/** What a person does in the morning. */
async function discardHeld() {
  const params = { type: 'medication' }
  const { items } = await client.get('/admin/catalogs/v1/{type}/uploads', { params, query: { outcome: 'held' } })
  for (const { upload_id } of items)
    await client.delete('/admin/catalogs/v1/{type}/uploads/{upload_id}', { params: { ...params, upload_id } })
}

async function expectWhole() {
  const stored = new Map()
  for await (const { medication_id, name } of client.records('medication')) stored.set(medication_id, name)
  expect([...stored].sort()).toEqual([...records].sort())
}

describe('nights through a network that fails', () => {
  beforeAll(beginNights)
  afterAll(endNights)

  it('begin with a whole catalog', async () => {
    records = new Map(Array.from({ length: 60 }, (_, n) => [`M${n}`, `Medication ${n}`]))
    file = { is: 'right' }
    await writeFile(FILE, csvOf(records))
    const at = new Date(Date.now() - HOUR_MS)
    await utimes(FILE, at, at)
    expect(await run.dcs()).toMatchObject({ code: 0 })
    before = await stateOf()
  })

  it.each(Array.from({ length: NIGHTS }, (_, night) => night + 1))('night %i', async (night) => {
    const job = JOBS[night % JOBS.length]
    file = random.of(FILES.filter(({ alone = job }) => alone === job))
    faults = Array.from({ length: random.between(0, 5) }, () => random.of(FAULTS))
    const again = late.splice(0)
    const tonight = await exportFile()
    const shown = `${job}: ${file.is}, ${faults.join(' ')}`
    const { code, stdout, stderr } = await run[job]()
    faults = []
    for (const { url, init } of again) await fetch(`${started.origin}${url}`, init)
    const { revision, success, upload } = await stateOf()
    if (job === 'dcs') expect(code, `${shown}\n${stderr}`).toBe(file.exit)
    else expect(code === 0, `${shown}\n${stdout}${stderr}`).toBe(file.exit === 0)
    if (code === 0) {
      records = tonight
      expect(upload, shown).toMatchObject({ outcome: file.is === 'right' ? 'written' : 'unchanged' })
      expect(revision, shown).toBe(before.revision + (file.is === 'right' ? 1 : 0))
      expect(success, shown).not.toBe(before.success)
    } else {
      expect(revision, shown).toBe(before.revision)
      // So the watch says that it is late.
      expect(success, shown).toBe(before.success)
      const isListed = upload.last_at !== before.upload.last_at && !['written', 'unchanged'].includes(upload.outcome)
      if (job === 'dcs' && code !== 6) expect(isListed, shown).toBe(true)
    }
    await expectWhole()
    await discardHeld()
    before = await stateOf()
  })
})

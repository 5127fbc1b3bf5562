/**
 * Isolation: what another tenant does to the reads of one. The other one has records that make searches as slow as the
 * limits permit, and eight clients that search, export and ask for dry runs without end.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { bodyOf, resized } from './catalogs.mjs'
import { expectStatus, HttpClient } from './http-client.mjs'
import { Service } from './service.mjs'
import { median, ratioRow } from './table.mjs'

const ATTACKERS = 8
const UPLOADS = 12
const VICTIM_RECORDS = 10_000
/** Reads of each kind in one measurement, and how many measurements there are at most. */
const SAMPLES = { quick: 40, full: 120 }
const MOST_RUNS = 3
/** How long the clients work before anything is measured, in milliseconds. */
const WARM_UP_MS = 4000
/** Bar of the requirements: the median beside the clients, as a multiple of the one without. */
const MOST_RATIO = 2

const DATASETS = '/admin/datasets/v1/?type=medication'
const CATALOG = '/admin/catalogs/v1/medication'

/** Folding makes eighteen letters of two bytes each of this one. */
const LIGATURE = '\ufdfa'
const FOLDED = 18
/** Folded characters that the records of one file may have, a little less than the limit. */
const FILE_CHARACTERS = 10_400_000
/** Aliases of a record: as many as one may have, or as many as searches of frequent words still read. */
const ALIASES = [27, 2]

/** A file of records whose names and aliases take as much room in the search as they may. */
function oddFile(upload) {
  const count = ALIASES[upload % ALIASES.length]
  const text = LIGATURE.repeat(180)
  const recordCharacters = (count + 1) * (FOLDED * 180 + 20)
  const records = Array.from({ length: Math.floor(FILE_CHARACTERS / recordCharacters) }, (_, number) => ({
    medication_id: `odd-${upload}-${number}`,
    name: `odd ${number} ${text}`,
    aliases: Array.from({ length: count }, (_, place) => `${place}x${number} ${text}`),
  }))
  return Buffer.from(JSON.stringify(records))
}

/** Fills a workspace with odd files, or until its quota stops it. */
async function storeOddFiles(workspace, say) {
  for (let upload = 0; upload < UPLOADS; upload++) {
    say(`isolation, odd file ${upload + 1} of ${UPLOADS}`)
    try {
      await workspace.write({ format: 'json', bytes: oddFile(upload) })
    } catch (error) {
      if (error.status === 409) return upload
      throw error
    }
  }
  return UPLOADS
}

/** What the clients ask for, by turns; each begins at another one. */
function attacksOf(workspace) {
  const file = oddFile(0)
  const get = (target) => ({ target, init: { headers: workspace.headers } })
  const post = (target, body) => ({
    target,
    init: { method: 'POST', headers: { ...workspace.headers, 'Content-Type': 'application/json' }, body },
  })
  return [
    get(`${DATASETS}&q=nowhere&limit=1000`),
    get(`${DATASETS}&q=x&limit=1000&show_inactive=1`),
    get(`/medical-db/v1/search/?type=medication&q=${encodeURIComponent('ل')}&limit=50`),
    get(`${DATASETS}&format=csv&q=nowhere`),
    get(`${DATASETS}&format=csv`),
    post(`${DATASETS}&dry_run=true&mode=reconcile&include=diff`, file),
    post(`${DATASETS}&dry_run=true&mode=reconcile&include=diff&format=csv`, file),
    post(`${CATALOG}/restore?revision=1&dry_run=true&include=diff`, undefined),
    get(`${CATALOG}/changes?since_revision=0&limit=1000`),
    post(`${CATALOG}/restore?revision=1&dry_run=true&include=diff&format=csv`, undefined),
  ]
}

/** Clients that ask without end. @returns a function that stops them, and tells the statuses of their answers */
function startAttackers(origin, workspace) {
  const attacks = attacksOf(workspace)
  let stopping = false
  const statuses = new Map()
  const run = async (number) => {
    const client = new HttpClient(origin)
    for (let turn = number; !stopping; turn++) {
      const { target, init } = attacks[turn % attacks.length]
      const status = await client.send(target, init).then(
        (answer) => answer.status,
        (error) => error.code,
      )
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
    client.close()
  }
  const clients = Promise.all(Array.from({ length: ATTACKERS }, (_, number) => run(number)))
  return async () => {
    stopping = true
    await clients
    return [...statuses].map(([status, count]) => `${status}: ${count}`).join(', ')
  }
}

/** The reads of the tenant that is measured; `turn` keeps the same thing from being asked for twice in a row. */
function readsOf(catalog) {
  const id = catalog.columns.indexOf('medication_id')
  const name = catalog.columns.indexOf('name')
  const cell = (turn, column) => encodeURIComponent(catalog.rows[(turn * 7919) % catalog.rows.length][column])
  return {
    list: () => `${DATASETS}&limit=100`,
    get: (turn) => `/admin/datasets/v1/${cell(turn, id)}/?type=medication`,
    'partner search': (turn) => `/medical-db/v1/search/?type=medication&q=${cell(turn, name).slice(0, 4)}`,
    'list with q': (turn) => `${DATASETS}&limit=100&q=${cell(turn, name).slice(0, 4)}`,
  }
}

/** @returns {Promise<Record<string, number>>} the median of each read, in milliseconds */
async function medians(service, reads, headers, samples, offset) {
  await service.wake()
  const times = Object.fromEntries(Object.keys(reads).map((name) => [name, []]))
  for (let turn = 0; turn < samples; turn++) {
    for (const [name, target] of Object.entries(reads)) {
      const answer = await service.client.send(target(turn + offset), { headers })
      times[name].push(expectStatus(answer, 200, name).ms)
    }
  }
  return Object.fromEntries(Object.entries(times).map(([name, list]) => [name, median(list)]))
}

/**
 * Measures the reads of one tenant alone and beside the clients of another.
 *
 * @param {import('./catalogs.mjs').Catalog} medications
 * @param {{ runs: number, quick: boolean, say: (text: string) => void }} options
 * @returns {Promise<{ rows: import('./table.mjs').Row[], notes: string[] }>}
 */
export async function measureIsolation(medications, { runs, quick, say }) {
  const service = await Service.start()
  try {
    const catalog = resized(medications, VICTIM_RECORDS)
    const [victim, attacker] = [await service.newWorkspace(), await service.newWorkspace()]
    await victim.write(bodyOf(catalog, 'csv'))
    for (const workspace of [victim, attacker]) await workspace.enableSearch()
    const files = await storeOddFiles(attacker, say)
    const reads = readsOf(catalog)
    const samples = quick ? SAMPLES.quick : SAMPLES.full
    const measured = []
    const notes = [`the other tenant stores ${files} of ${UPLOADS} odd files`]
    for (let run = 0; run < Math.min(runs, MOST_RUNS); run++) {
      say(`isolation, run ${run + 1}`)
      const alone = await medians(service, reads, victim.headers, samples, run * 1000)
      const stop = startAttackers(service.origin, attacker)
      await sleep(WARM_UP_MS)
      const beside = await medians(service, reads, victim.headers, samples, run * 1000 + 500)
      notes.push(`run ${run + 1}, answers to the clients: ${await stop()}`)
      measured.push({ alone, beside })
    }
    const rows = Object.keys(reads).map((name) => {
      const ratio = median(measured.map(({ alone, beside }) => beside[name] / alone[name]))
      const work = `${name}, beside ${ATTACKERS} clients of another tenant`
      const samples = measured.map(({ beside }) => beside[name])
      return ratioRow(work, samples, ratio, MOST_RATIO, 'alone')
    })
    return { rows, notes }
  } finally {
    await service.stop()
  }
}

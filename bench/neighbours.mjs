/**
 * Neighbors: how long one workspace's reads take while clients of another workspace in the same database send expensive
 * requests, and how long its own reads take with many parallel clients and a distant database.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { allChanged, bodyOf, resized, searchable } from './catalogs.mjs'
import { expectStatus, HttpClient } from './http-client.mjs'
import { Service } from './service.mjs'
import { limitRow, median } from './table.mjs'

const RECORDS = 40_000
/** Duration of one measurement, in milliseconds. */
const DURATION_MS = { quick: 5000, full: 20_000 }
const WARM_UP_MS = 1000
const BETWEEN_READS_MS = 10
/** Delay after which a rejected client tries again. */
const REFUSED_MS = 1000
/** Milliseconds of a round trip to a distant database. */
const DISTANCE_MS = 30

/** Limits of the requirements: milliseconds of a neighbor's read by ID, and multiples of one client's figures. */
const BARS = { median: 60, worst: 500, exports: 100, refused: 1000, answers: 6, slower: 3 }

const DATASETS = '/admin/datasets/v1'
const CATALOG = '/admin/catalogs/v1/medication'

/** Normalization turns this character into eighteen letters of two bytes: the most text that a search may compare. */
const LIGATURE = '\ufdfa'.repeat(180)
const ODD_FILES = 12

/** A file of records whose names and aliases use the most space in the search text that the limits allow. */
function oddFile(file) {
  const aliases = [27, 2][file % 2]
  const records = Array.from({ length: Math.floor(10_400_000 / ((aliases + 1) * 3260)) }, (_, n) => ({
    medication_id: `odd-${file}-${n}`,
    name: `odd ${n} ${LIGATURE}`,
    aliases: Array.from({ length: aliases }, (_, place) => `${place}x${n} ${LIGATURE}`),
  }))
  return Buffer.from(JSON.stringify(records))
}

/**
 * Clients that send requests in a loop, or once, each over its own connection.
 *
 * @param {(turn: number) => { target: string, init?: { method?: string, headers?: Record<string, string>, body?: any }
 *   }} request
 * @returns a function that stops them, and returns the number of responses by status and the times of those with 200
 */
function startClients(service, { headers }, count, request, repeats = true) {
  let stopping = !repeats
  let turn = 0
  const statuses = {}
  const times = []
  const run = async () => {
    const client = new HttpClient(service.origin)
    do {
      const { target, init = {} } = request(turn++)
      const sent = { ...init, headers: { ...headers, ...init.headers, 'X-Request-Id': randomUUID() } }
      const { status, ms } = await client.send(target, sent).catch(({ code }) => ({ status: code, ms: 0 }))
      statuses[status] = (statuses[status] ?? 0) + 1
      if (status === 200) times.push(ms)
      else if (!stopping) await sleep(REFUSED_MS)
    } while (!stopping)
    client.close()
  }
  const ended = Promise.all(Array.from({ length: count }, run))
  return {
    ended,
    stop: async () => {
      stopping = true
      await ended
      return { statuses, times }
    },
  }
}

/** Durations of consecutive reads by ID until a promise settles. */
async function readTimes(service, { headers }, ids, until) {
  const client = new HttpClient(service.origin)
  const times = []
  let hasEnded = false
  void until.finally(() => {
    hasEnded = true
  })
  for (let turn = 0; !hasEnded; turn++) {
    const id = encodeURIComponent(ids[(turn * 7919) % ids.length])
    const answer = await client.send(`${DATASETS}/${id}/?type=medication`, { headers })
    times.push(expectStatus(answer, 200, 'a read of the neighbour').ms)
    await sleep(BETWEEN_READS_MS)
  }
  client.close()
  return times
}

const get = (target) => ({ target })
const post = (target, body, type = 'application/json') => ({
  target,
  init: { method: 'POST', headers: { 'Content-Type': type }, body },
})

/**
 * @typedef {object} Kind the requests of the other workspace's clients
 * @property {number} count of clients
 * @property {(turn: number) => any} request
 * @property {boolean} [once] whether each sends only one request
 * @property {number} [stores] number of odd files that the workspace receives first
 * @property {Partial<Record<'median' | 'longest', number>>} [limits]
 */

/** @returns {Record<string, Kind>} */
function kindsOf(files, columns, rows) {
  const type = 'type=medication'
  const list = `${DATASETS}/?${type}`
  const name = (turn) => encodeURIComponent(rows[(turn * 7919) % rows.length][columns.indexOf('name')].slice(0, 4))
  const [odd] = [oddFile(0)]
  const attacks = [
    get(`${list}&q=nowhere&limit=1000`),
    get(`${list}&q=x&limit=1000&show_inactive=1`),
    get(`/medical-db/v1/search/?${type}&q=${encodeURIComponent('ل')}&limit=50`),
    get(`${list}&format=csv&q=nowhere`),
    post(`${list}&dry_run=true&mode=reconcile&include=diff`, odd),
    post(`${list}&dry_run=true&mode=reconcile&include=diff&format=csv`, odd),
    post(`${CATALOG}/restore?revision=1&dry_run=true&include=diff`),
    get(`${CATALOG}/changes?since_revision=0&limit=1000`),
    post(`${CATALOG}/restore?revision=1&dry_run=true&include=diff&format=csv`),
  ]
  const reconcile = (turn) => post(`${list}&mode=reconcile`, files[turn % 2], 'text/csv')
  const ends = { limits: { longest: BARS.refused }, once: true }
  return {
    'restores in turn': { count: 4, request: (turn) => post(`${CATALOG}/restore?revision=${1 + (turn % 2)}`) },
    'reconciles in turn': { count: 4, request: reconcile },
    exports: { count: 4, request: () => get(`${list}&format=csv&show_inactive=1`) },
    'sixteen exports': {
      ...{ count: 16, request: () => get(`${list}&format=csv&show_inactive=1`) },
      limits: { median: BARS.exports },
    },
    'pages of a mirror': { count: 4, request: () => get(`${CATALOG}/changes?since_revision=0&limit=1000`) },
    'refused restores': { count: 12, request: () => post(`${CATALOG}/restore?revision=0`), ...ends },
    'refused reconciles': { count: 70, request: () => post(`${list}&mode=reconcile&hold=false`, '[]'), ...ends },
    'searches at once': {
      ...{ count: 200, request: (turn) => get(`/medical-db/v1/search/?${type}&q=${name(turn)}%20${turn}`), ...ends },
    },
    'the slowest records': { count: 8, request: (turn) => attacks[turn % attacks.length], stores: ODD_FILES },
  }
}

/** Fills the workspace with odd files, or until its quota is reached. */
async function storeOddFiles(workspace, count) {
  for (let file = 0; file < count; file++) {
    try {
      await workspace.write({ format: 'json', bytes: oddFile(file) })
    } catch (error) {
      if (error.status !== 409) throw error
    }
  }
}

async function measureNear(medications, { durationMs, say }) {
  const service = await Service.start()
  try {
    const neighbour = await service.newMeasuredWorkspace()
    const small = resized(medications, 1000)
    const ids = small.rows.map((row) => row[small.columns.indexOf('medication_id')])
    await neighbour.write(bodyOf(small, 'csv'))
    const catalog = resized(medications, RECORDS)
    const files = [catalog, allChanged(catalog)].map((one) => bodyOf(one, 'csv').bytes)
    const newFilled = async () => {
      const workspace = await service.newMeasuredWorkspace()
      for (const bytes of files) await workspace.write({ format: 'csv', bytes })
      await workspace.enableSearch()
      return workspace
    }
    const sharedByKinds = await newFilled()
    const rows = []
    const notes = []
    for (const [name, kind] of Object.entries(kindsOf(files, catalog.columns, catalog.rows))) {
      const { count, request, once = false, stores = 0 } = kind
      const limits = kind.limits ?? { median: BARS.median, longest: BARS.worst }
      say(`neighbours, ${name}`)
      // The others have used up what a workspace may add to its history in ten minutes.
      const workspace = stores > 0 ? await newFilled() : sharedByKinds
      await storeOddFiles(workspace, stores)
      await service.wake()
      const alone = await readTimes(service, neighbour, ids, sleep(2000))
      const clients = startClients(service, workspace, count, request, !once)
      if (!once) await sleep(WARM_UP_MS)
      const times = await readTimes(service, neighbour, ids, once ? clients.ended : sleep(durationMs))
      const { statuses } = await clients.stop()
      const figures = { median: median(times), longest: Math.max(...times) }
      for (const [figure, limit] of Object.entries(limits))
        rows.push(limitRow(`read by id beside ${name}: ${figure}`, [figures[figure]], limit, 'ms'))
      notes.push(
        `${name}: median ${figures.median.toFixed(1)}, longest ${figures.longest.toFixed(0)}; alone ` +
          `${median(alone).toFixed(1)} and ${Math.max(...alone).toFixed(0)} ms; answers ${JSON.stringify(statuses)}`,
      )
    }
    return { rows, notes }
  } finally {
    await service.stop()
  }
}

/** Requests of one workspace. Each is a function of a number, so that no response is cached. */
function ownRequests({ columns, rows }) {
  const cell = (turn, column) => rows[(turn * 7919) % rows.length][columns.indexOf(column)]
  const text = (turn) =>
    encodeURIComponent(cell(turn, 'name').slice(0, 3 + (turn % 6)) + (turn % 2 ? '' : ` ${turn % 97}`))
  const id = (turn) => encodeURIComponent(cell(turn, 'medication_id'))
  const five = bodyOf(resized({ columns, rows }, 5), 'json').bytes
  return {
    'partner search': (turn) => get(`/medical-db/v1/search/?type=medication&q=${text(turn)}`),
    'list with q': (turn) => get(`${DATASETS}/?type=medication&limit=100&q=${text(turn)}`),
    'history of a record': (turn) => get(`${CATALOG}/records/${id(turn)}/history`),
    'dry run of five records': () => post(`${DATASETS}/?type=medication&dry_run=true`, five),
    'plain list': () => get(`${DATASETS}/?type=medication&limit=100`),
    'get by id': (turn) => get(`${DATASETS}/${id(turn)}/?type=medication`),
  }
}

/** Sixteen clients of one workspace with a distant database, compared with one client. */
async function measureFar(medications, { durationMs, say }) {
  const catalog = searchable(resized(medications, RECORDS / 2))
  const service = await Service.start({ distance: DISTANCE_MS })
  try {
    const workspace = await service.newWorkspace()
    await workspace.write(bodyOf(catalog, 'csv'))
    await workspace.enableSearch()
    const rows = []
    for (const [name, request] of Object.entries(ownRequests(catalog))) {
      say(`neighbours at a distance, ${name}`)
      const together = async (count, first) => {
        await service.wake()
        const { stop } = startClients(service, workspace, count, (turn) => request(first + turn))
        await sleep(durationMs / 4)
        const { statuses, times } = await stop()
        if (Object.keys(statuses).some((status) => status !== '200')) throw new Error(JSON.stringify(statuses))
        return { answers: times.length, ms: median(times) }
      }
      const [one, sixteen] = [await together(1, 0), await together(16, 100_000)]
      const [answers, slower] = [sixteen.answers / one.answers, sixteen.ms / one.ms]
      const far = `${name}, ${DISTANCE_MS} ms away, 16 clients:`
      const row = { unit: 'x', samples: [answers], compared: `${answers.toFixed(1)} x` }
      rows.push(
        { ...row, work: `${far} answers`, bar: `>= ${BARS.answers} x`, met: answers >= BARS.answers },
        limitRow(`${far} median`, [slower], BARS.slower, 'x'),
      )
    }
    return { rows, notes: [] }
  } finally {
    await service.stop()
  }
}

/** @type {import('./table.mjs').Measure} */
export const measureNeighbours = async (medications, { quick, say }) => {
  const options = { durationMs: quick ? DURATION_MS.quick : DURATION_MS.full, say }
  const [near, far] = [await measureNear(medications, options), await measureFar(medications, options)]
  return { rows: [...near.rows, ...far.rows], notes: [...near.notes, ...far.notes] }
}

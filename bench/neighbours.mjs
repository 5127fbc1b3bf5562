/**
 * Neighbours: how long a read by id of one workspace takes while four clients of another one, whose records are in the
 * same database, keep asking for the same expensive thing.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { allChanged, bodyOf, resized } from './catalogs.mjs'
import { HttpClient } from './http-client.mjs'
import { Service } from './service.mjs'
import { limitRow, median } from './table.mjs'

const CLIENTS = 4
const EXPORTS = 16
const RECORDS = { quick: 10_000, full: 40_000 }
const DURATION_MS = { quick: 10_000, full: 20_000 }
/** How long the clients work before anything is measured, and a pause between two reads, in milliseconds. */
const WARM_UP_MS = 1000
const BETWEEN_READS_MS = 10

/** Limits of the requirements, in milliseconds. */
const BARS = { median: 60, worst: 500, exports: 100 }

const DATASETS = '/admin/datasets/v1'
const CATALOG = '/admin/catalogs/v1/medication'

/** How long reads by id of a workspace take, until a promise is settled. */
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
    if (answer.status !== 200) throw new Error(`neighbours: the neighbour got ${answer.status}`)
    times.push(answer.ms)
    await sleep(BETWEEN_READS_MS)
  }
  client.close()
  return times
}

/**
 * Clients that ask without end, each for the next thing when its last answer has come.
 *
 * @returns a function that stops them, and tells how many answers had each status and how long those with 200 took
 */
function startClients(service, count, request) {
  let stopping = false
  let turn = 0
  const statuses = {}
  const times = []
  const run = async () => {
    const client = new HttpClient(service.origin)
    while (!stopping) {
      const { target, init } = request(turn++)
      const { status, ms } = await client.send(target, init).catch(({ code }) => ({ status: code, ms: 0 }))
      statuses[status] = (statuses[status] ?? 0) + 1
      if (status === 200) times.push(ms)
      // As a client does that is told to come again.
      else await sleep(1000)
    }
    client.close()
  }
  const clients = Promise.all(Array.from({ length: count }, run))
  return async () => {
    stopping = true
    await clients
    return { statuses, times }
  }
}

/**
 * @param {import('./catalogs.mjs').Catalog} medications
 * @param {{ runs: number, quick: boolean, say: (text: string) => void }} options
 * @returns {Promise<{ rows: import('./table.mjs').Row[], notes: string[] }>}
 */
export async function measureNeighbours(medications, { quick, say }) {
  const size = quick ? 'quick' : 'full'
  const service = await Service.start()
  try {
    const small = resized(medications, 1000)
    const ids = small.rows.map((row) => row[small.columns.indexOf('medication_id')])
    const neighbour = await service.newMeasuredWorkspace()
    await neighbour.write(bodyOf(small, 'csv'))
    const workspace = await service.newMeasuredWorkspace()
    const catalog = resized(medications, RECORDS[size])
    const files = [catalog, allChanged(catalog)].map((one) => bodyOf(one, 'csv').bytes)
    for (const bytes of files) await workspace.write({ format: 'csv', bytes })
    const post = (target, body) => ({
      target,
      init: { method: 'POST', headers: { ...workspace.headers, 'Content-Type': 'text/csv' }, body },
    })
    const get = (target) => ({ target, init: { headers: workspace.headers } })
    const kinds = {
      'restores in turn': [CLIENTS, (turn) => post(`${CATALOG}/restore?revision=${1 + (turn % 2)}`)],
      'reconciles in turn': [CLIENTS, (turn) => post(`${DATASETS}/?type=medication&mode=reconcile`, files[turn % 2])],
      exports: [CLIENTS, () => get(`${DATASETS}/?type=medication&format=csv&show_inactive=1`)],
      'sixteen exports': [EXPORTS, () => get(`${DATASETS}/?type=medication&format=csv&show_inactive=1`)],
    }
    const rows = []
    const notes = []
    for (const [name, [count, request]] of Object.entries(kinds)) {
      await service.wake()
      const alone = await readTimes(service, neighbour, ids, sleep(3000))
      say(`neighbours, ${name}`)
      const bytesBefore = await service.databaseBytes()
      const stop = startClients(service, count, request)
      await sleep(WARM_UP_MS)
      const times = await readTimes(service, neighbour, ids, sleep(DURATION_MS[size]))
      const { statuses, times: own } = await stop()
      const grown = ((await service.databaseBytes()) - bytesBefore) / 1e6
      notes.push(
        `${name}: median ${median(times).toFixed(1)}, worst ${Math.max(...times).toFixed(0)}, alone ${median(alone).toFixed(1)} / ${Math.max(...alone).toFixed(0)}; ` +
          `${JSON.stringify(statuses)}; ${own.map((ms) => ms.toFixed(0)).join(' ')}; +${grown.toFixed(1)} MB`,
      )
      rows.push(
        limitRow(`read by id beside ${name}`, [median(times)], BARS.median, 'ms'),
        limitRow(`the same, the longest`, [Math.max(...times)], BARS.worst, 'ms'),
      )
    }
    return { rows, notes }
  } finally {
    await service.stop()
  }
}

/**
 * Many clients of one workspace on one isolate, with the databases 30 ms away: people who type into a search box, the
 * other reads that may look at a whole catalog, cheap reads and writes.
 */
import { randomUUID } from 'node:crypto'
import { bodyOf, resized, searchable } from './catalogs.mjs'
import { expectStatus, HttpClient } from './http-client.mjs'
import { Service } from './service.mjs'
import { aligned, median } from './table.mjs'

/** Milliseconds of a round trip to a database. */
const DISTANCE_MS = 30
const RECORDS = 20_000
/** Clients that work at the same time. */
const TYPISTS = [1, 16, 64]
const READERS = [1, 16]
const MOST_RUNS = 3
/** How long the clients of one measurement work, in milliseconds. */
const DURATION_MS = { quick: 1500, full: 4000 }

/** Limits of the requirements. */
const BARS = {
  /** Answers of sixteen clients, as a multiple of those of one, and their median time. */
  answers: 6,
  median: 3,
  /** Answers of 64 typists, as a part of those of sixteen. */
  crowd: 0.8,
}

const DATASETS = '/admin/datasets/v1'
const HISTORY = '/admin/catalogs/v1/medication'

/** The writes of a catalog are carried out one after another, so that more clients wait longer at any distance. */
const WRITE = 'write of five records'

/** The requests; each is a function of a number that no other request has. */
function requestsOf(catalog) {
  const { columns, rows } = catalog
  const cell = (turn, column) => rows[(turn * 7919) % rows.length][columns.indexOf(column)]
  const id = (turn) => encodeURIComponent(cell(turn, 'medication_id'))
  // Every text is another one, so that no answer is remembered.
  const text = (turn) =>
    encodeURIComponent(cell(turn, 'name').slice(0, 3 + (turn % 6)) + (turn % 2 ? '' : ` ${turn % 97}`))
  const five = bodyOf(resized(catalog, 5), 'json').bytes
  const get = (target) => (turn) => ({ target: target(turn) })
  const write = (query) => () => ({
    target: `${DATASETS}/?type=medication${query}`,
    init: { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: five },
  })
  return {
    'partner search': get((turn) => `/medical-db/v1/search/?type=medication&q=${text(turn)}`),
    'list with q': get((turn) => `${DATASETS}/?type=medication&limit=100&q=${text(turn)}`),
    'list of writes': get(() => `${HISTORY}/writes`),
    'history of a record': get((turn) => `${HISTORY}/records/${id(turn)}/history`),
    'dry run of five records': write('&dry_run=true'),
    'plain list': get(() => `${DATASETS}/?type=medication&limit=100`),
    'get by id': get((turn) => `${DATASETS}/${id(turn)}/?type=medication`),
    'status of a catalog': get(() => HISTORY),
    [WRITE]: write(''),
  }
}

/** Clients that ask again and again, each over a connection of its own. */
async function together(origin, count, headers, request, durationMs) {
  const times = []
  const refused = []
  const first = Math.floor(Math.random() * 1_000_000)
  const until = performance.now() + durationMs
  const client = async (number) => {
    const connection = new HttpClient(origin)
    for (let turn = first + number; performance.now() < until; turn += count) {
      const { target, init = {} } = request(turn)
      const sent = { ...init, headers: { ...headers, ...init.headers, 'X-Request-Id': randomUUID() } }
      const answer = await connection.send(target, sent)
      if (answer.status === 429) refused.push(target)
      else times.push(expectStatus(answer, 200, target).ms)
    }
    connection.close()
  }
  await Promise.all(Array.from({ length: count }, (_, number) => client(number)))
  return {
    perSecond: (times.length * 1000) / durationMs,
    ms: median(times),
    refused: refused.length,
  }
}

/** A row of ratios, with a bar if `isMet` tells whether their median meets it. */
function multipleRow(work, ratios, bar, isMet) {
  const multiple = median(ratios)
  const row = { work, unit: 'x', samples: ratios, compared: `${multiple.toFixed(2)} x` }
  return isMet === undefined ? row : { ...row, bar, met: isMet(multiple) }
}

/** The rows of one kind of request: sixteen clients compared with one, and 64 with sixteen. */
function rowsOf(name, runs) {
  const ratios = (count, other, key) => runs.map((run) => run[count][key] / run[other][key])
  const isAnswersMet = name === WRITE ? undefined : (multiple) => multiple >= BARS.answers
  const refused = runs.flatMap((run) => Object.values(run)).reduce((sum, run) => sum + run.refused, 0)
  const rows = [
    { work: `${name}, one client`, samples: runs.map((run) => run[1].ms) },
    multipleRow(
      `${name}, answers of 16 as a multiple of those of one`,
      ratios(16, 1, 'perSecond'),
      `>= ${BARS.answers} x`,
      isAnswersMet,
    ),
    multipleRow(
      `${name}, median of 16 as a multiple of that of one`,
      ratios(16, 1, 'ms'),
      `<= ${BARS.median} x`,
      (multiple) => multiple <= BARS.median,
    ),
    { work: `${name}, answers 429`, unit: '', samples: [refused], bar: 'none', met: refused === 0 },
  ]
  if (runs[0][64] === undefined) return rows
  const work = `${name}, answers of 64 as a multiple of those of 16`
  const isMet = (multiple) => multiple >= BARS.crowd
  return [...rows, multipleRow(work, ratios(64, 16, 'perSecond'), `>= ${BARS.crowd} x`, isMet)]
}

/**
 * @param {import('./catalogs.mjs').Catalog} medications
 * @param {{ runs: number, quick: boolean, say: (text: string) => void }} options
 * @returns {Promise<{ rows: import('./table.mjs').Row[], notes: string[] }>}
 */
export async function measureDistance(medications, { runs, quick, say }) {
  const catalog = searchable(resized(medications, RECORDS))
  const durationMs = quick ? DURATION_MS.quick : DURATION_MS.full
  const service = await Service.start({ distance: DISTANCE_MS })
  try {
    const workspace = await service.newWorkspace()
    await workspace.write(bodyOf(catalog, 'csv'))
    await workspace.enableSearch()
    const rows = []
    const details = []
    for (const [name, request] of Object.entries(requestsOf(catalog))) {
      const measured = []
      for (let run = 0; run < Math.min(runs, MOST_RUNS); run++) {
        say(`distance, ${name}, run ${run + 1}`)
        const results = {}
        for (const count of name === 'partner search' ? TYPISTS : READERS) {
          await service.wake()
          const result = await together(service.origin, count, workspace.headers, request, durationMs)
          results[count] = result
          details.push([name, ...[count, result.perSecond.toFixed(0), result.ms.toFixed(0)].map(String)])
        }
        measured.push(results)
      }
      rows.push(...rowsOf(name, measured))
    }
    return { rows, notes: [aligned(['request', 'clients', 'answers a second', 'median ms'], details)] }
  } finally {
    await service.stop()
  }
}

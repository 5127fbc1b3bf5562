/**
 * Many clients of one workspace on one isolate, with the databases next door and 30 ms away: people who type into a
 * search box, the other reads that may look at a whole catalog, cheap reads and writes.
 */
import { randomUUID } from 'node:crypto'
import { bodyOf, resized, searchable } from './catalogs.mjs'
import { expectStatus, HttpClient } from './http-client.mjs'
import { Service } from './service.mjs'
import { median, percentile } from './table.mjs'

/** Milliseconds of a trip to a database. */
const DISTANCES = [0, 30]
const RECORDS = 20_000
/** Clients that work at the same time. */
const TYPISTS = [1, 4, 16, 64]
const READERS = [1, 16]
const MOST_RUNS = 3
/** How long the clients of one measurement work, in milliseconds. */
const DURATION_MS = { quick: 1500, full: 4000 }

/** Limits of the requirements, far away. Near by, two cores answer one client nearly as often as sixteen. */
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
    ms: percentile(times, 0.5),
    refused: refused.length,
  }
}

const ratioRow = (work, ratios, bar, met) => ({
  work,
  unit: 'x',
  samples: ratios,
  compared: `${median(ratios).toFixed(2)} x`,
  ...(bar === undefined ? {} : { bar, met }),
})

/** The rows of one kind of request: sixteen clients compared with one, and 64 with sixteen. */
function rowsOf(name, distance, runs, isFar) {
  const work = (text) => `${name}, ${text}; ${distance} ms away`
  const of = (count, key) => runs.map((run) => run[count][key])
  const ratios = (count, other, key) => runs.map((run) => run[count][key] / run[other][key])
  const [answers, times] = [ratios(16, 1, 'perSecond'), ratios(16, 1, 'ms')]
  const refused = runs.flatMap((run) => Object.values(run)).reduce((sum, run) => sum + run.refused, 0)
  const rows = [
    { work: work('one client'), samples: of(1, 'ms') },
    { work: work('16 clients'), samples: of(16, 'ms') },
    ratioRow(
      work('answers of 16 as a multiple of those of one'),
      answers,
      ...(isFar && name !== WRITE ? [`>= ${BARS.answers} x`, median(answers) >= BARS.answers] : []),
    ),
    ratioRow(
      work('median of 16 as a multiple of that of one'),
      times,
      ...(isFar ? [`<= ${BARS.median} x`, median(times) <= BARS.median] : []),
    ),
    { work: work('answers 429'), unit: '', samples: [refused], bar: 'none', met: refused === 0 },
  ]
  if (runs[0][64] === undefined) return rows
  const crowd = ratios(64, 16, 'perSecond')
  const met = median(crowd) >= BARS.crowd
  return [...rows, ratioRow(work('answers of 64 as a multiple of those of 16'), crowd, `>= ${BARS.crowd} x`, met)]
}

/**
 * @param {number} distance
 * @param {import('./catalogs.mjs').Catalog} catalog
 * @param {{ runs: number, quick: boolean, work?: string[], say: (text: string) => void }} options
 */
async function measureAt(distance, catalog, { runs, quick, say, work }) {
  const service = await Service.start({ distance })
  try {
    const workspace = await service.newWorkspace()
    await workspace.write(bodyOf(catalog, 'csv'))
    await workspace.enableSearch()
    const durationMs = quick ? DURATION_MS.quick : DURATION_MS.full
    const rows = []
    const details = []
    for (const [name, request] of Object.entries(requestsOf(catalog))) {
      if (work !== undefined && !work.some((part) => name.includes(part))) continue
      const measured = []
      for (let run = 0; run < runs; run++) {
        say(`distance ${distance} ms, ${name}, run ${run + 1}`)
        const results = {}
        for (const count of name === 'partner search' ? TYPISTS : READERS) {
          await service.wake()
          const one = await together(service.origin, count, workspace.headers, request, durationMs)
          results[count] = one
          const figures = `${one.perSecond.toFixed(0)} a second, median ${one.ms.toFixed(0)} ms, ${one.refused} refused`
          details.push(`${distance} ms away, ${name}, ${count} clients: ${figures}`)
        }
        measured.push(results)
      }
      rows.push(...rowsOf(name, distance, measured, distance > 0))
    }
    return { rows, details }
  } finally {
    await service.stop()
  }
}

/**
 * @param {import('./catalogs.mjs').Catalog} medications
 * @param {{ runs: number, quick: boolean, work?: string[], say: (text: string) => void }} options
 * @returns {Promise<{ rows: import('./table.mjs').Row[], notes: string[] }>}
 */
export async function measureDistance(medications, options) {
  const catalog = searchable(resized(medications, RECORDS))
  const results = []
  for (const distance of DISTANCES) {
    results.push(await measureAt(distance, catalog, { ...options, runs: Math.min(options.runs, MOST_RUNS) }))
  }
  return {
    rows: results.flatMap(({ rows }) => rows),
    notes: [results.flatMap(({ details }) => details).join('\n')],
  }
}

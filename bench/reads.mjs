/**
 * Reads: single ones, one after another, and as many as eight connections allow, at several sizes of the database.
 */
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { bodyOf, ofWorkspace, resized, searchable } from './catalogs.mjs'
import { Floor } from './floor.mjs'
import { CONNECTIONS, expectStatus } from './http-client.mjs'
import { scratchDirectory } from './scratch.mjs'
import { Service } from './service.mjs'
import { aligned, median, multipleRow, percentile } from './table.mjs'

/** Records of a small and of a large catalog. */
const SMALL = 1000
const LARGE = 50_000
/** Number of hits of a selective word. */
const SELECTIVE = { atLeast: 3, atMost: 300 }
/** Number of words and ids that are used in turn. */
const VARIETY = 40

/**
 * Limits, as multiples of a route that does one trivial query: machines differ in milliseconds, and less in these. From
 * the limits in milliseconds that held before (2, 2, 3, 25 in all and 5), on a machine whose trivial query takes 1.5.
 */
const BARS = { page: 2.3, get: 2.3, selective: 3, anyWord: 16.7, keystroke: 4.3 }

const BASE = '/admin/datasets/v1'

/** Up to `VARIETY` four-letter words of the names, each in few records. */
function selectiveWords({ columns, rows }) {
  const name = columns.indexOf('name')
  const texts = rows.map((cells) => cells[name].toLowerCase())
  const words = new Set(texts.flatMap((text) => text.match(/\b[a-z]{4}\b/g) ?? []))
  const selective = []
  for (const word of words) {
    const hits = texts.filter((text) => text.includes(word)).length
    if (hits >= SELECTIVE.atLeast && hits <= SELECTIVE.atMost) selective.push(word)
    if (selective.length === VARIETY) break
  }
  return selective
}

/**
 * The reads of one catalog. `target` and `floor` take the number of the request, so that two requests in a row
 * differ; `row` makes the line of the table.
 */
function readsOf(catalog, floorId) {
  const id = catalog.columns.indexOf('medication_id')
  const size = catalog.rows.length
  const idOf = (turn) => catalog.rows[(turn * 7919) % size][id]
  const words = selectiveWords(catalog)
  const wordOf = (turn) => words[turn % words.length]
  const deep = Math.floor(size * 0.9) - 100
  const list = (parameters) => `${BASE}/?type=medication&limit=100${parameters}`
  const atMost = (limit) => (work, samples, nothing, floor) => multipleRow(work, samples, nothing, floor, limit)
  const nameOf = (turn) => catalog.rows[(turn * 7919) % size][catalog.columns.indexOf('name')]
  const typed = (letters) => ({
    target: (turn) => `/medical-db/v1/search/?type=medication&q=${encodeURIComponent(nameOf(turn).slice(0, letters))}`,
    row: atMost(BARS.keystroke),
  })
  return {
    'list page of 100': {
      target: () => list(''),
      floor: (db) => db.page(floorId),
      row: atMost(BARS.page),
    },
    'get by id': {
      target: (turn) => `${BASE}/${encodeURIComponent(idOf(turn))}/?type=medication`,
      floor: (db, turn) => db.get(floorId, idOf(turn)),
      row: atMost(BARS.get),
    },
    'q, four letters, selective': {
      target: (turn) => list(`&q=${wordOf(turn)}`),
      floor: (db, turn) => db.search(floorId, wordOf(turn)),
      row: atMost(BARS.selective),
    },
    'q, word in half of the records': {
      target: () => list('&q=tablet'),
      floor: (db) => db.search(floorId, 'tablet'),
      row: atMost(BARS.anyWord),
    },
    'q, one letter': {
      target: (turn) => list(`&q=${'aeiou'[turn % 5]}`),
      floor: (db, turn) => db.search(floorId, 'aeiou'[turn % 5]),
      row: atMost(BARS.anyWord),
    },
    'partner search, one letter of a name': typed(1),
    'partner search, two letters': typed(2),
    'partner search, four letters': typed(4),
    'partner search, word in half of the records': {
      target: () => '/medical-db/v1/search/?type=medication&q=tablet',
      row: atMost(BARS.keystroke),
    },
    'list at a deep offset': {
      target: () => list(`&offset=${deep}`),
      floor: (db) => db.page(floorId, { offset: deep }),
      row: atMost(),
    },
    'list with show_inactive': {
      target: () => list('&show_inactive=1'),
      floor: (db) => db.page(floorId, { showInactive: true }),
      row: atMost(),
    },
  }
}

const NOTHING = { target: () => '/health' }

/** Runs actions in turn, so that all have the same conditions. */
async function alternating(actions, count) {
  const times = actions.map(() => [])
  for (let turn = 0; turn < count; turn++) {
    for (const [which, action] of actions.entries()) times[which].push(await action(turn))
  }
  return times
}

/** Sends requests over `CONNECTIONS` connections for a time and counts the answers. */
async function saturated(send, durationMs) {
  const times = []
  const started = performance.now()
  let turn = 0
  const client = async () => {
    while (performance.now() - started < durationMs) times.push(await send(turn++))
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, client))
  return { times, perSecond: (times.length * 1000) / (performance.now() - started) }
}

/** The figures of one kind of read, one for each run. `nothing`: the do-nothing route, measured alternately with it. */
const newFigures = () => ({ p50: [], p99: [], nothing: [], floor: [], perSecond: [], p50At8: [], p99At8: [] })

/** Sends a read, by its turn. @returns milliseconds */
const senderOf =
  ({ service, headers }, { target }) =>
  async (turn) => {
    const path = target(turn)
    return expectStatus(await service.client.send(path, { headers }), 200, path).ms
  }

async function measureRead(phase, read, figures, { count }) {
  const actions = [senderOf(phase, read), senderOf(phase, NOTHING)]
  await alternating(actions, 5)
  const [times, nothing] = await alternating(actions, count)
  figures.p50.push(percentile(times, 0.5))
  figures.p99.push(percentile(times, 0.99))
  figures.nothing.push(percentile(nothing, 0.5))
  if (read.floor) figures.floor.push(percentile(await floorTimes(read, phase.floor, count), 0.5))
}

async function measureSaturated(phase, read, figures, { durationMs }) {
  const { times: timesAt8, perSecond } = await saturated(senderOf(phase, read), durationMs)
  figures.perSecond.push(perSecond)
  figures.p50At8.push(percentile(timesAt8, 0.5))
  figures.p99At8.push(percentile(timesAt8, 0.99))
}

/** Not between the requests: a search of the floor takes 24 ms, and leaves nothing in the caches of the processor. */
async function floorTimes(read, floor, count) {
  const [times] = await alternating([(turn) => timed(() => read.floor(floor, turn))], count)
  return times
}

function timed(run) {
  const started = performance.now()
  run()
  return performance.now() - started
}

/** @throws {Error} when the floor finds another number of records than the service */
async function expectSameTotals({ service, headers, floor }, reads) {
  for (const [name, { target, floor: onFloor }] of Object.entries(reads)) {
    const expected = onFloor?.(floor, 0)?.total
    if (expected === undefined) continue
    const { body } = expectStatus(await service.client.send(target(0), { headers }), 200, name)
    const { total } = JSON.parse(body)
    if (total !== expected) throw new Error(`${name}: ${total} hits, and ${expected} on the floor`)
  }
}

/** All reads of one catalog in the present state of the database. */
async function measurePhase(context, condition, { workspace, catalog, floorId }, options) {
  options.say(`reads, ${condition}`)
  const reads = { 'do-nothing route': NOTHING, ...readsOf(catalog, floorId) }
  const figures = Object.fromEntries(Object.keys(reads).map((name) => [name, newFigures()]))
  const phase = { ...context, headers: workspace.headers }
  await expectSameTotals(phase, reads)
  // Eight clients at once take more than the share of a workspace, whose next reads then wait: they come last.
  for (const measure of [measureRead, measureSaturated])
    for (let run = 0; run < options.runs; run++)
      for (const [name, read] of Object.entries(reads)) await measure(phase, read, figures[name], options)
  const rows = Object.entries(reads).map(([name, { row }]) => {
    const work = `${name}; ${condition}`
    const { p50, nothing, floor } = figures[name]
    return row ? row(work, p50, nothing, floor.length > 0 ? floor : undefined) : { work, samples: p50 }
  })
  const details = Object.entries(figures).map(([name, figure]) => [
    `${name}; ${condition}`,
    ...['p50', 'p99', 'perSecond', 'p50At8', 'p99At8'].map((key) =>
      median(figure[key]).toFixed(key === 'perSecond' ? 0 : 1),
    ),
  ])
  return { rows, details }
}

const DETAILS = ['read', 'p50 ms', 'p99 ms', 'requests/s at 8', 'p50 ms at 8', 'p99 ms at 8']

/** Puts a catalog into a new workspace and into the floor's database. */
async function loaded({ service, floor }, catalog) {
  // The floor's load blocks this process for seconds, and meanwhile the service closes idle connections.
  await service.wake()
  const workspace = await service.newWorkspace()
  const body = bodyOf(catalog, 'csv')
  await service.wake()
  await workspace.write(body)
  await workspace.enableSearch()
  const floorId = floor.newCatalog()
  const file = path.join(scratchDirectory('catalog'), 'medications.csv')
  writeFileSync(file, body.bytes)
  floor.load(floorId, file)
  return { workspace, catalog, floorId }
}

/**
 * Measures the reads against a separate service.
 *
 * @param {import('./catalogs.mjs').Catalog} medications
 * @param {{ runs: number, workspaces: number, quick: boolean, distance: number, say: (text: string) => void }} options
 * @returns {Promise<{ rows: import('./table.mjs').Row[], notes: string[] }>}
 */
export async function measureReads(medications, { runs, workspaces, quick, distance, say }) {
  const options = { runs, say, count: quick ? 40 : 100, durationMs: quick ? 300 : 1000 }
  const floor = new Floor(path.join(scratchDirectory('floor'), 'floor.sqlite'))
  const service = await Service.start({ distance })
  const context = { service, floor }
  try {
    const large = searchable(resized(medications, LARGE))
    const phases = []
    const measure = async (condition, catalog) => phases.push(await measurePhase(context, condition, catalog, options))

    const small = await loaded(context, resized(large, SMALL))
    await measure('1,000 records', small)
    const full = await loaded(context, large)
    await measure('50,000 records', full)
    for (let number = 1; number <= workspaces; number++) {
      say(`loading the catalogs of other workspaces, ${number} of ${workspaces}`)
      await loaded(context, ofWorkspace(large, number))
    }
    await measure(`1,000 beside ${workspaces} x 50,000`, small)
    await measure(`50,000 beside ${workspaces} x 50,000`, full)
    return {
      rows: phases.flatMap(({ rows }) => rows),
      notes: [
        aligned(
          DETAILS,
          phases.flatMap(({ details }) => details),
        ),
      ],
    }
  } finally {
    await service.stop()
    floor.close()
  }
}

/**
 * Reads: one after another at several sizes of the database, and as many as eight connections allow beside the catalogs
 * of other workspaces.
 */
import { bodyOf, ofWorkspace, resized, searchable } from './catalogs.mjs'
import { CONNECTIONS, expectStatus } from './http-client.mjs'
import { Service } from './service.mjs'
import { aligned, median, multipleRow, percentile } from './table.mjs'

/** Records of a small and of a large catalog. */
const SMALL = 1000
const LARGE = 50_000
/** Number of hits of a selective word. */
const SELECTIVE = { atLeast: 3, atMost: 300 }
/** Number of words that are used in turn. */
const VARIETY = 40
/** Requests of each kind in a run, and how long eight connections ask for one kind, in milliseconds. */
const SAMPLES = { quick: 40, full: 60 }
const SATURATED_MS = { quick: 300, full: 600 }

/**
 * Limits, as multiples of a route that does one trivial query: machines differ in milliseconds, and less in these. From
 * the limits in milliseconds that held before (2, 2, 3, 25 in all, 5 and 10), on a machine whose trivial query takes 1.5.
 */
const BARS = { page: 2.3, get: 2.3, selective: 3, anyWord: 16.7, keystroke: 4.3, misspelt: 7.7 }

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

/** The first long word of a name, with two of its letters swapped. */
const misspelt = (name) => name.match(/[a-z]{6,}/i)?.[0].replace(/^(...)(.)(.)/, '$1$3$2') ?? name

/**
 * The reads of one catalog. `target` takes the number of the request, so that two requests in a row differ; `bar` is the
 * limit, if there is one.
 */
function readsOf(catalog) {
  const { columns, rows } = catalog
  const cell = (turn, column) => rows[(turn * 7919) % rows.length][columns.indexOf(column)]
  const words = selectiveWords(catalog)
  const list = (parameters) => `${BASE}/?type=medication&limit=100${parameters}`
  const search = (query) => `/medical-db/v1/search/?type=medication&q=${encodeURIComponent(query)}`
  const typed = (letters) => ({
    target: (turn) => search(cell(turn, 'name').slice(0, letters)),
    bar: BARS.keystroke,
  })
  return {
    'list page of 100': { target: () => list(''), bar: BARS.page },
    'get by id': {
      target: (turn) => `${BASE}/${encodeURIComponent(cell(turn, 'medication_id'))}/?type=medication`,
      bar: BARS.get,
    },
    'q, four letters, selective': {
      target: (turn) => list(`&q=${words[turn % words.length]}`),
      bar: BARS.selective,
    },
    'q, word in half of the records': { target: () => list('&q=tablet'), bar: BARS.anyWord },
    'q, one letter': { target: (turn) => list(`&q=${'aeiou'[turn % 5]}`), bar: BARS.anyWord },
    'partner search, one letter of a name': typed(1),
    'partner search, two letters': typed(2),
    'partner search, four letters': typed(4),
    'partner search, misspelt': { target: (turn) => search(misspelt(cell(turn, 'name'))), bar: BARS.misspelt },
    'partner search, word in half of the records': { target: () => search('tablet'), bar: BARS.keystroke },
    'list at a deep offset': { target: () => list(`&offset=${Math.floor(rows.length * 0.9) - 100}`) },
    'list with show_inactive': { target: () => list('&show_inactive=1') },
  }
}

const NOTHING = { target: () => '/health' }

/** Sends a read, by its turn. @returns milliseconds */
const senderOf =
  ({ service, headers }, { target }) =>
  async (turn) => {
    const path = target(turn)
    return expectStatus(await service.client.send(path, { headers }), 200, path).ms
  }

/** Sends a read and the trivial one in turn, so that both have the same conditions. */
async function measureRead(context, read, count) {
  const senders = [senderOf(context, read), senderOf(context, NOTHING)]
  const times = [[], []]
  const warmUp = 5
  for (let turn = 0; turn < warmUp + count; turn++) {
    for (const [which, send] of senders.entries()) {
      const ms = await send(turn)
      if (turn >= warmUp) times[which].push(ms)
    }
  }
  const [ours, nothing] = times
  return { p50: percentile(ours, 0.5), p99: percentile(ours, 0.99), nothing: percentile(nothing, 0.5) }
}

/** Sends a read over `CONNECTIONS` connections for a time, and counts the answers. */
async function measureSaturated(context, read, durationMs) {
  const send = senderOf(context, read)
  const times = []
  const started = performance.now()
  let turn = 0
  const client = async () => {
    while (performance.now() - started < durationMs) times.push(await send(turn++))
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, client))
  const perSecond = (times.length * 1000) / (performance.now() - started)
  return { perSecond, p50: percentile(times, 0.5), p99: percentile(times, 0.99) }
}

/** Measures each read some times. @returns {Promise<Record<string, any[]>>} the figures of each run, by read */
async function inRuns(runs, reads, measure) {
  /** @type {Record<string, any[]>} */
  const figures = Object.fromEntries(Object.keys(reads).map((name) => [name, []]))
  for (let run = 0; run < runs; run++)
    for (const [name, read] of Object.entries(reads)) figures[name].push(await measure(read))
  return figures
}

const figure = (runs, key) => median(runs.map((run) => run[key])).toFixed(1)

/** All reads of one catalog in the present state of the database, one after another. */
async function measurePhase(service, condition, { workspace, catalog }, { runs, say, quick }) {
  say(`reads, ${condition}`)
  const context = { service, headers: workspace.headers }
  const reads = { 'trivial query': NOTHING, ...readsOf(catalog) }
  const count = quick ? SAMPLES.quick : SAMPLES.full
  const measured = await inRuns(runs, reads, (read) => measureRead(context, read, count))
  const rows = Object.entries(measured).map(([name, results]) => {
    const samples = results.map(({ p50 }) => p50)
    const work = `${name}; ${condition}`
    if (reads[name] === NOTHING) return { work, samples }
    const nothing = results.map((run) => run.nothing)
    return multipleRow(work, samples, nothing, reads[name].bar)
  })
  const details = Object.entries(measured).map(([name, results]) => [
    `${name}; ${condition}`,
    ...['p50', 'p99'].map((key) => figure(results, key)),
  ])
  return { rows, details }
}

/** All reads of one catalog, each by eight connections at once. @returns lines of the notes */
async function measureCrowd(service, condition, { workspace, catalog }, { runs, say, quick }) {
  say(`reads of eight connections, ${condition}`)
  const context = { service, headers: workspace.headers }
  const durationMs = quick ? SATURATED_MS.quick : SATURATED_MS.full
  const measured = await inRuns(runs, { 'trivial query': NOTHING, ...readsOf(catalog) }, (read) =>
    measureSaturated(context, read, durationMs),
  )
  return Object.entries(measured).map(([name, results]) => [
    `${name}; ${condition}`,
    ...['perSecond', 'p50', 'p99'].map((key) => figure(results, key)),
  ])
}

/** Puts a catalog into a new workspace. */
async function loaded(service, catalog) {
  const workspace = await service.newWorkspace()
  const body = bodyOf(catalog, 'csv')
  await service.wake()
  await workspace.write(body)
  await workspace.enableSearch()
  return { workspace, catalog }
}

/**
 * Measures the reads against a separate service.
 *
 * @param {import('./catalogs.mjs').Catalog} medications
 * @param {{ runs: number, workspaces: number, quick: boolean, distance: number, say: (text: string) => void }} options
 * @returns {Promise<{ rows: import('./table.mjs').Row[], notes: string[] }>}
 */
export async function measureReads(medications, options) {
  const { workspaces, distance, say } = options
  const service = await Service.start({ distance })
  try {
    const large = searchable(resized(medications, LARGE))
    const phases = []
    const measure = async (condition, catalog) => {
      phases.push(await measurePhase(service, condition, catalog, options))
    }
    const small = await loaded(service, resized(large, SMALL))
    await measure('1,000 records', small)
    const full = await loaded(service, large)
    await measure('50,000 records', full)
    for (let number = 1; number <= workspaces; number++) {
      say(`loading the catalogs of other workspaces, ${number} of ${workspaces}`)
      await loaded(service, ofWorkspace(large, number))
    }
    const beside = `beside ${workspaces} x 50,000`
    await measure(`1,000 ${beside}`, small)
    await measure(`50,000 ${beside}`, full)
    // Eight clients at once take more than the share of a workspace, whose next reads then wait: they come last.
    const crowd = [
      ...(await measureCrowd(service, `1,000 ${beside}`, small, options)),
      ...(await measureCrowd(service, `50,000 ${beside}`, full, options)),
    ]
    return {
      rows: phases.flatMap(({ rows }) => rows),
      notes: [
        aligned(
          ['read', 'p50 ms', 'p99 ms'],
          phases.flatMap(({ details }) => details),
        ),
        aligned(['read at eight connections', 'answers a second', 'p50 ms', 'p99 ms'], crowd),
      ],
    }
  } finally {
    await service.stop()
  }
}

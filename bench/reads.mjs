/** Consecutive reads, at several sizes of the database. */
import { randomUUID } from 'node:crypto'
import { bodyOf, nextNight, ofWorkspace, resized, searchable } from './catalogs.mjs'
import { expectStatus } from './http-client.mjs'
import { Service } from './service.mjs'
import { aligned, median, ratioRow } from './table.mjs'

/** Number of records in a small and in a large catalog. */
const SMALL = 1000
const LARGE = 50_000
/** Number of hits of a selective word. */
const SELECTIVE = { atLeast: 3, atMost: 300 }
/** Number of words to use in turn. */
const VARIETY = 40
/** Requests of each kind per run. */
const SAMPLES = { quick: 40, full: 60 }
/** Number of other workspaces with their own catalogs. */
const WORKSPACES = { quick: 3, full: 20 }

/**
 * Limits, as multiples of a route with one trivial query: such ratios differ less between machines than milliseconds.
 * Derived from the former limits in milliseconds (2, 2, 3, 25 in all, 5 and 10), on a machine with a trivial query of
 * 1.5.
 */
const BARS = { page: 2.3, get: 2.3, selective: 3, anyWord: 10, keystroke: 4.3, misspelt: 7.7 }

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
 * The reads of one catalog. `target` receives the number of the request, so that consecutive requests differ. `bar` is
 * the limit, if there is one.
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
    'partner search, word in few records': { target: () => search('metformin'), bar: BARS.keystroke },
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

/** Alternates a read and the trivial one, so that both have the same conditions. @returns the medians */
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
  const [ours, nothing] = times.map(median)
  return { ours, nothing }
}

/** All reads of one catalog in the present state of the database, one after another. */
async function measurePhase(service, condition, { workspace, catalog }, { runs, say, quick }) {
  say(`reads, ${condition}`)
  const context = { service, headers: workspace.headers }
  const count = quick ? SAMPLES.quick : SAMPLES.full
  const reads = Object.entries({ 'trivial query': NOTHING, ...readsOf(catalog) })
  const measured = reads.map(() => [])
  for (let run = 0; run < runs; run++)
    for (const [which, [, read]] of reads.entries()) measured[which].push(await measureRead(context, read, count))
  return reads.map(([name, { bar }], which) => {
    const samples = measured[which].map(({ ours }) => ours)
    const multiple = median(measured[which].map(({ ours, nothing }) => ours / nothing))
    return ratioRow(`${name}; ${condition}`, samples, multiple, bar, 'trivial')
  })
}

/** The rows that the database reads for each read, the first and the second time. @returns lines of the notes */
async function costsOfReads(service, { workspace, catalog }) {
  const lines = []
  for (const [name, { target }] of Object.entries(readsOf(catalog))) {
    const costs = []
    for (let time = 0; time < 2; time++) {
      const requestId = randomUUID()
      const headers = { ...workspace.headers, 'X-Request-Id': requestId }
      expectStatus(await service.client.send(target(1), { headers }), 200, name)
      costs.push(String((await service.costOf(requestId)).rowsRead))
    }
    lines.push([name, ...costs, '0'])
  }
  return lines
}

/** The rows that a first load and the next nightly reconcile read and write. @returns lines of the notes */
async function costsOfWrites(service, { workspace, catalog, requestId }) {
  await service.wake()
  const night = bodyOf(nextNight(catalog).catalog, 'csv')
  const reconcile = await workspace.write(night, { query: '&mode=reconcile' })
  const lines = []
  for (const [name, id] of Object.entries({ 'first load': requestId, reconcile: reconcile.requestId })) {
    const { rowsRead, rowsWritten } = await service.costOf(id)
    lines.push([name, String(rowsRead), '', String(rowsWritten)])
  }
  return lines
}

/** Writes a catalog to a new workspace. */
async function loaded(service, catalog) {
  const workspace = await service.newWorkspace()
  const body = bodyOf(catalog, 'csv')
  await service.wake()
  const { requestId } = await workspace.write(body)
  await workspace.enableSearch()
  return { workspace, catalog, requestId }
}

/** Measures the reads against a separate service. @type {import('./table.mjs').Measure} */
export const measureReads = async (medications, options) => {
  const workspaces = options.quick ? WORKSPACES.quick : WORKSPACES.full
  const service = await Service.start()
  try {
    const catalog = searchable(resized(medications, LARGE))
    const small = await loaded(service, resized(catalog, SMALL))
    const rows = await measurePhase(service, '1,000 records', small, options)
    const large = await loaded(service, catalog)
    const costs = await costsOfReads(service, large)
    rows.push(...(await measurePhase(service, '50,000 records', large, options)))
    for (let number = 1; number <= workspaces; number++) {
      options.say(`loading the catalogs of other workspaces, ${number} of ${workspaces}`)
      await loaded(service, ofWorkspace(catalog, number))
    }
    rows.push(...(await measurePhase(service, `50,000 beside ${workspaces} x 50,000`, large, options)))
    costs.push(...(await costsOfWrites(service, large)))
    return { rows, notes: [aligned(['beside 50,000 records', 'rows read', 'once more', 'rows written'], costs)] }
  } finally {
    await service.stop()
  }
}

/**
 * How well and how fast partner search finds what people mean: queries made from the real catalogs, sent to the
 * service and to MiniSearch (prefix and fuzzy search) on the same data.
 */
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import MiniSearch from 'minisearch'
import Papa from 'papaparse'
import { bodyOf, ofWorkspace, resized, searchable } from './catalogs.mjs'
import { askCodes, codeRows } from './code-queries.mjs'
import { expectStatus } from './http-client.mjs'
import { nameOf, queriesFrom } from './quality-queries.mjs'
import { Service } from './service.mjs'
import { aligned, multipleRow, percentile } from './table.mjs'

const QUERIES = 500
/** A result among the first `FIRST` counts as found at once. `ASKED` results are requested. */
const FIRST = 5
const ASKED = 20
const LARGE = 50_000
/** Limits, as multiples of the do-nothing route: for a query that records match, and for one that they nearly match. */
const BARS = { exact: 2, approximate: 4.4 }

const CATALOGS = { medication: 'medications.csv', diagnosis: 'diagnoses.csv' }
/** Searched by codes only. */
const CODED = { symptom: 'symptoms.csv', lab_test: 'lab-tests.csv' }

const fold = (text) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()

/** The fields of a file's active records that search reads, the rows of these records, and the file. */
async function readCatalog(directory, file) {
  const bytes = await readFile(path.join(directory, file))
  const { data } = Papa.parse(bytes.toString(), { header: true, skipEmptyLines: true })
  const rows = data.filter(({ is_active }) => is_active !== 'no')
  const records = rows.map(({ name, display_name, aliases }) => ({
    name,
    display_name: display_name || undefined,
    aliases: aliases ? aliases.split('|') : [],
  }))
  return { bytes, records, rows }
}

/** @returns {(text: string) => string[]} names of the results of MiniSearch, best first */
function miniSearch(records) {
  const index = new MiniSearch({
    fields: ['name', 'display_name', 'aliases'],
    processTerm: fold,
    searchOptions: { prefix: true, fuzzy: 0.2, boost: { name: 2, display_name: 2 } },
  })
  index.addAll(
    records.map(({ name, display_name = '', aliases }, id) => ({
      id,
      name,
      display_name,
      aliases: aliases.join(' '),
    })),
  )
  return (text) =>
    index
      .search(text)
      .slice(0, ASKED)
      .map(({ id }) => nameOf(records[id]))
}

/** @returns {(text: string) => Promise<object[]>} the results of the service */
function serviceSearch(workspace, type) {
  return async (q) => {
    const { items } = await workspace.api.get('/medical-db/v1/search/', { query: { type, limit: ASKED, q } })
    return items
  }
}

/** Reciprocal ranks of the queries of each kind, and whether a wanted record was among the first. */
class Score {
  #byKind = new Map()

  add(kind, names, wanted) {
    const place = names.findIndex((name) => wanted.has(name))
    for (const key of ['all', kind]) {
      const sum = this.#byKind.get(key) ?? { count: 0, reciprocal: 0, first: 0 }
      sum.count++
      if (place >= 0) sum.reciprocal += 1 / (place + 1)
      if (place >= 0 && place < FIRST) sum.first++
      this.#byKind.set(key, sum)
    }
  }

  kinds = () => [...this.#byKind.keys()]

  of(kind) {
    const { count, reciprocal, first } = this.#byKind.get(kind)
    return { count, meanReciprocal: reciprocal / count, share: first / count }
  }
}

/** @returns a row whose bar is the figure of the other system */
const betterRow = (work, ours, theirs) => ({
  work,
  unit: '',
  samples: [ours],
  floor: [theirs],
  compared: `${(ours - theirs).toFixed(3)} more`,
  bar: '> MiniSearch',
  met: ours > theirs,
})

async function load(workspace, type, bytes) {
  await workspace.write({ format: 'csv', bytes }, { type })
  await workspace.enableSearch(type)
}

async function measureCodes(workspace, type, { rows }, sums) {
  const search = serviceSearch(workspace, type)
  const ids = async (text) => (await search(text)).map((item) => item[`${type}_id`])
  await askCodes(ids, rows, sums)
}

async function measureQuality(workspace, type, { records }) {
  const ask = serviceSearch(workspace, type)
  const askMini = miniSearch(records)
  const ours = new Score()
  const theirs = new Score()
  for (const { kind, text, wanted } of queriesFrom(records, QUERIES)) {
    ours.add(kind, (await ask(text)).map(nameOf), wanted)
    theirs.add(kind, askMini(text), wanted)
  }
  const figures = (kind) => [ours.of(kind), theirs.of(kind)]
  const [own, other] = figures('all')
  const lines = ours.kinds().map((kind) => {
    const [a, b] = figures(kind)
    const cells = [a.meanReciprocal, b.meanReciprocal, a.share, b.share].map((value) => value.toFixed(3))
    return [`${type}, ${kind}`, String(a.count), ...cells]
  })
  return {
    rows: [
      betterRow(`${type}: mean reciprocal rank`, own.meanReciprocal, other.meanReciprocal),
      betterRow(`${type}: share among the first ${FIRST}`, own.share, other.share),
    ],
    lines,
  }
}

const HEAD = ['queries', 'number', 'rank', 'MiniSearch', `first ${FIRST}`, 'MiniSearch']

/**
 * Times of queries that were not sent before, alternately with the do-nothing route; then of the same queries again.
 */
async function measureSpeed(service, workspace, records, condition, { runs, count, seed }) {
  const ask = async (target) =>
    expectStatus(await service.client.send(target, { headers: workspace.headers }), 200, target)
  const kinds = { exact: [], approximate: [], again: [] }
  const nothing = { exact: [], approximate: [], again: [] }
  for (let run = 0; run < runs; run++) {
    const times = { exact: [], approximate: [], again: [] }
    const floors = { exact: [], approximate: [], again: [] }
    for (const { text } of queriesFrom(records, count, seed + run)) {
      const target = `/medical-db/v1/search/?type=medication&limit=${ASKED}&q=${encodeURIComponent(text)}`
      const floor = (await service.client.send('/health')).ms
      const answer = await ask(target)
      const kind = JSON.parse(answer.body).data.approximate > 0 ? 'approximate' : 'exact'
      times[kind].push(answer.ms)
      floors[kind].push(floor)
      times.again.push((await ask(target)).ms)
      floors.again.push(floor)
    }
    for (const kind of Object.keys(kinds)) {
      kinds[kind].push(percentile(times[kind], 0.5))
      nothing[kind].push(percentile(floors[kind], 0.5))
    }
  }
  const row = (kind, name, bar) =>
    multipleRow(`partner search, ${name}; ${condition}`, kinds[kind], nothing[kind], undefined, bar)
  return [
    row('exact', 'exact', BARS.exact),
    row('approximate', 'approximate', BARS.approximate),
    row('again', 'asked again'),
  ]
}

/**
 * @param {import('./catalogs.mjs').Catalog} medications
 * @param {{ runs: number, workspaces: number, quick: boolean, data: string, say: (text: string) => void }} options
 * @returns {Promise<{ rows: import('./table.mjs').Row[], notes: string[] }>}
 */
export async function measureSearchQuality(medications, { runs, workspaces, quick, data, say }) {
  const service = await Service.start()
  try {
    const rows = []
    const lines = []
    const codes = new Map()
    const workspace = await service.newWorkspace()
    let records = []
    for (const [type, file] of Object.entries(CATALOGS)) {
      say(`quality of search, ${file}`)
      const catalog = await readCatalog(data, file)
      await service.wake()
      await load(workspace, type, catalog.bytes)
      const measured = await measureQuality(workspace, type, catalog)
      rows.push(...measured.rows)
      lines.push(...measured.lines)
      await measureCodes(workspace, type, catalog, codes)
      if (type === 'medication') records = catalog.records
    }
    for (const [type, file] of Object.entries(CODED)) {
      const catalog = await readCatalog(data, file)
      await load(workspace, type, catalog.bytes)
      await measureCodes(workspace, type, catalog, codes)
    }
    rows.push(...codeRows(codes))
    const large = searchable(resized(medications, LARGE))
    const measured = await service.newWorkspace()
    await measured.write(bodyOf(large, 'csv'))
    await measured.enableSearch()
    const options = { runs, count: quick ? 60 : 150, seed: 7000 }
    say('speed of search, 50,000 records')
    rows.push(...(await measureSpeed(service, measured, records, '50,000 records', options)))
    for (let number = 1; number <= workspaces; number++) {
      say(`loading the catalogs of other workspaces, ${number} of ${workspaces}`)
      await service.wake()
      await (await service.newWorkspace()).write(bodyOf(ofWorkspace(large, number), 'csv'))
    }
    const beside = `50,000 beside ${workspaces} x 50,000`
    // Other queries: the results of the first ones are remembered.
    rows.push(...(await measureSpeed(service, measured, records, beside, { ...options, seed: 8000 })))
    return { rows, notes: [aligned(HEAD, lines)] }
  } finally {
    await service.stop()
  }
}

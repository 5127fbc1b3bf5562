/**
 * What a workspace costs and how throughput grows: bytes and rows per record on the real catalogs, rows of each request,
 * and searches and writes spread over workspaces in n databases, each in a process of its own.
 */
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { cpus } from 'node:os'
import path from 'node:path'
import {
  allChanged,
  bodyOf,
  columnsToDrop,
  nextNight,
  ofWorkspace,
  resized,
  searchable,
} from './catalogs.mjs'
import { expectStatus } from './http-client.mjs'
import { Service } from './service.mjs'
import { aligned } from './table.mjs'

/** Databases at the same time. */
const DATABASES = [1, 2, 4]
const WORKSPACES = 4
const RECORDS = 5000
/** Clients of each database, and what each does: so many searches for each write of so many records. */
const CLIENTS = 4
const SEARCHES = 9
const WRITTEN = 20

const FILES = {
  medication: 'medications.csv',
  diagnosis: 'diagnoses.csv',
  symptom: 'symptoms.csv',
  lab_test: 'lab-tests.csv',
}

const searchPath = (q) => `/medical-db/v1/search/?type=medication&q=${encodeURIComponent(q)}`

/** Bytes that a write adds to the database, for each of its records. */
async function bytesPerRecord(service, records, write) {
  const before = await service.databaseBytes()
  await service.wake()
  await write()
  return ((await service.databaseBytes()) - before) / records
}

/** Bytes per record of each real catalog in a database of its own, and per earlier version of a medication. */
async function measureBytes(medications, { data, say }) {
  const rows = []
  for (const [type, file] of Object.entries(FILES)) {
    say(`bytes per record, ${file}`)
    const service = await Service.start()
    try {
      const workspace = await service.newMeasuredWorkspace()
      const bytes = await readFile(path.join(data, file))
      let records = 0
      const load = async () => {
        const { body } = await workspace.write({ format: 'csv', bytes }, { type })
        records = JSON.parse(body).data.total
      }
      const total = await bytesPerRecord(service, 1, load)
      rows.push({
        work: `bytes per record, ${records} of ${type}`,
        unit: 'bytes',
        samples: [total / records],
      })
      if (type !== 'medication') continue
      const changed = allChanged(medications)
      const body = bodyOf(changed, 'csv', columnsToDrop(changed, 'csv'))
      const version = await bytesPerRecord(service, changed.rows.length, () => workspace.write(body))
      rows.push({ work: 'bytes per earlier version of a medication', unit: 'bytes', samples: [version] })
    } finally {
      await service.stop()
    }
  }
  return rows
}

/** Rows that the database reads and writes for each kind of request, beside 50,000 records. */
async function measureRows(medications, { say }) {
  say('rows per request')
  const service = await Service.start()
  try {
    const catalog = searchable(resized(medications, 50_000))
    const workspace = await service.newMeasuredWorkspace()
    const costs = []
    const add = async (work, requestId) => {
      const { rowsRead, rowsWritten } = await service.costOf(requestId)
      costs.push([work, String(rowsRead), String(rowsWritten)])
    }
    const write = async (work, body, query) => {
      await service.wake()
      await add(work, (await workspace.write(body, { query })).requestId)
    }
    const read = async (work, target) => {
      const requestId = randomUUID()
      const headers = { ...workspace.headers, 'X-Request-Id': requestId }
      expectStatus(await service.client.send(target, { headers }), 200, target)
      await add(work, requestId)
    }
    await write('first load of 50,000', bodyOf(catalog, 'csv'), '')
    const night = nextNight(catalog).catalog
    await write('reconcile, 1 % changed and 0.5 % left out', bodyOf(night, 'csv'), '&mode=reconcile')
    await workspace.enableSearch()
    await read('get', `/admin/datasets/v1/${catalog.rows[0][0]}/?type=medication`)
    await read('list page of 100', '/admin/datasets/v1/?type=medication&limit=100')
    await read('partner search, few records', searchPath('metformin'))
    await read('partner search, the same again', searchPath('metformin'))
    await read('partner search, one letter', searchPath('m'))
    await read('partner search, misspelt', searchPath('metfromin'))
    await read('partner search, word in half of the records', searchPath('tablet'))
    return aligned(['request at 50,000 records', 'rows read', 'rows written'], costs)
  } finally {
    await service.stop()
  }
}

/** A database in a process of its own, with its workspaces. */
async function newDatabase(catalog, number) {
  const service = await Service.start()
  const workspaces = []
  for (let i = 0; i < WORKSPACES; i++) {
    const workspace = await service.newMeasuredWorkspace()
    await workspace.write(bodyOf(ofWorkspace(catalog, number * WORKSPACES + i), 'csv'))
    await workspace.enableSearch()
    workspaces.push(workspace)
  }
  return { service, workspaces }
}

/** Words of which no two searches in a row are the same. */
const wordsOf = (catalog) => {
  const name = catalog.columns.indexOf('name')
  return [
    ...new Set(catalog.rows.map((cells) => cells[name].split(/\s+/)[0].slice(0, 7).toLowerCase())),
  ].filter((word) => word.length >= 4)
}

/** One client: searches and writes over all workspaces by turns, for a time. */
async function useDatabase({ service, workspaces }, client, words, bodies, until, done) {
  for (let turn = client; performance.now() < until; turn += CLIENTS) {
    const workspace = workspaces[turn % workspaces.length]
    const [round, step] = [Math.floor(turn / (SEARCHES + 1)), turn % (SEARCHES + 1)]
    if (step === SEARCHES) {
      await workspace.write(bodies[round % bodies.length])
      done.writes++
    } else {
      const target = searchPath(words[(turn * 7) % words.length])
      expectStatus(await service.client.send(target, { headers: workspace.headers }), 200, target)
      done.searches++
    }
  }
}

async function throughput(databases, words, bodies, durationMs) {
  const done = { searches: 0, writes: 0 }
  const started = performance.now()
  const clients = databases.flatMap((database) =>
    Array.from({ length: CLIENTS }, (_, client) =>
      useDatabase(database, client, words, bodies, started + durationMs, done),
    ),
  )
  await Promise.all(clients)
  return ((done.searches + done.writes) * 1000) / (performance.now() - started)
}

/** Runs take turns over the numbers of databases, so that each meets the same load of the machine. */
async function measureThroughput(medications, { runs, quick, say }) {
  const catalog = resized(medications, RECORDS)
  const words = wordsOf(catalog)
  const bodies = [catalog, allChanged(catalog)].map((each) => bodyOf(resized(each, WRITTEN), 'json'))
  const databases = []
  try {
    for (let number = 0; number < Math.max(...DATABASES); number++) {
      say(`database ${number + 1} of ${Math.max(...DATABASES)}`)
      databases.push(await newDatabase(catalog, number))
    }
    const samples = new Map(DATABASES.map((count) => [count, []]))
    for (let run = 0; run < runs; run++) {
      say(`throughput, run ${run + 1} of ${runs}`)
      for (const count of DATABASES) {
        const used = databases.slice(0, count)
        for (const { service } of used) await service.wake()
        samples.get(count).push(await throughput(used, words, bodies, quick ? 1000 : 3000))
      }
    }
    const [base] = DATABASES
    return DATABASES.map((count) => {
      const ratios = samples.get(count).map((value, run) => value / samples.get(base)[run])
      const ratio = ratios.sort((a, b) => a - b)[ratios.length >> 1]
      const row = {
        work: `searches and writes, ${count} database${count === 1 ? '' : 's'}`,
        unit: '/s',
        samples: samples.get(count),
        compared: `${ratio.toFixed(2)} x one`,
      }
      // Up to the cores of the machine, more databases do more; beyond them they share.
      return count > base && count <= cpus().length ? { ...row, bar: '> 1 x one', met: ratio > 1 } : row
    })
  } finally {
    for (const { service } of databases) await service.stop()
  }
}

/**
 * @param {import('./catalogs.mjs').Catalog} medications
 * @param {{ runs: number, quick: boolean, data: string, say: (text: string) => void }} options
 * @returns {Promise<{ rows: import('./table.mjs').Row[], notes: string[] }>}
 */
export async function measureScale(medications, options) {
  const bytes = await measureBytes(medications, options)
  const note = await measureRows(medications, options)
  return { rows: [...bytes, ...(await measureThroughput(medications, options))], notes: [note] }
}

/** What a workspace costs: bytes per record of the real catalogs, and rows of each request. */
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { allChanged, bodyOf, columnsToDrop, nextNight, resized, searchable } from './catalogs.mjs'
import { expectStatus } from './http-client.mjs'
import { Service } from './service.mjs'
import { aligned } from './table.mjs'

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
        records = JSON.parse(String(body)).data.total
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

/**
 * @param {import('./catalogs.mjs').Catalog} medications
 * @param {{ runs: number, quick: boolean, data: string, say: (text: string) => void }} options
 * @returns {Promise<{ rows: import('./table.mjs').Row[], notes: string[] }>}
 */
export async function measureScale(medications, options) {
  const bytes = await measureBytes(medications, options)
  const note = await measureRows(medications, options)
  return { rows: bytes, notes: [note] }
}

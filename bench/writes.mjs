/** Writes: first load, the same file again, reconcile and rejection, each compared with the floor. */
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { allChanged, bodyOf, columnsToDrop, faulty, fewChanged, nextNight, nonLatin } from './catalogs.mjs'
import { Floor } from './floor.mjs'
import { ownCpu, scratchDirectory, tellsCpu } from './processes.mjs'
import { Service } from './service.mjs'
import { floorRow, median, ratioRow } from './table.mjs'

/** Limits of the requirements, as multiples of the floor and of a first load. */
const MOST_FLOOR = 1.6
const MOST_SHARE = { restore: 1, refused: 0.8 }

/** Milliseconds that a workspace must wait after a reconcile before it may restore. They are not measured. */
const AFTER_RECONCILE_MS = 5000

/** Columns that a nightly file may lack. A CSV file then keeps the stored values. */
const FURTHER_COLUMNS = ['generic_name', 'manufacturer', 'sku', 'form_name', 'generic_list', 'display_name', 'otc']

const noTimes = () => ({
  samples: { first: [], again: [], reordered: [], reconcile: [], fewer: [], changed: [], restore: [], refused: [] },
  floor: { first: [], again: [], reordered: [], reconcile: [], fewer: [], changed: [] },
})

/** Wall-clock times, and CPU times. */
const noSamples = () => ({ ...noTimes(), cpu: noTimes() })

/** The bodies of one catalog in one format. */
function variantOf({ catalog, text }, format) {
  const dropped = columnsToDrop(catalog, format)
  const night = nextNight(catalog)
  const second = fewChanged(night.catalog)
  const reordered = { ...catalog, rows: catalog.rows.toReversed() }
  const bodies = {
    full: bodyOf(catalog, format, dropped),
    reordered: bodyOf(reordered, format, dropped),
    second: bodyOf(second.catalog, format, dropped),
    fewer: bodyOf(second.catalog, format, FURTHER_COLUMNS),
    next: bodyOf(night.catalog, format, dropped),
    changed: bodyOf(allChanged(catalog), format, dropped),
    faulty: bodyOf(faulty(catalog), format, dropped),
  }
  return { label: `${format.toUpperCase()}, ${text}`, bodies, night, second, cost: {}, ...noSamples() }
}

const variantsOf = (medications) =>
  [
    { catalog: medications, text: 'medications' },
    { catalog: nonLatin(medications), text: 'non-Latin' },
  ].flatMap((source) => ['csv', 'json'].map((format) => variantOf(source, format)))

/** @throws {Error} if the service did not do the measured work */
function expectCounts({ body }, expected) {
  const { data } = JSON.parse(body)
  for (const [name, value] of Object.entries(expected)) {
    if (data[name] !== value) throw new Error(`${name} is ${data[name]} instead of ${value}`)
  }
}

/** @throws {Error} if the floor did not do the same as the service */
function expectSame(result, expected) {
  if (isDeepStrictEqual(result, expected)) return
  throw new Error(`The floor did ${JSON.stringify(result)} instead of ${JSON.stringify(expected)}.`)
}

/**
 * The tasks of one run in a new workspace, in order. Each returns its milliseconds.
 *
 * @param {Service} service
 * @param {import('./workspace.mjs').Workspace} workspace
 */
function worksOf(service, workspace, { bodies, night, second, cost }) {
  const { full, next, changed, reordered, fewer } = bodies
  const note = async (name, { requestId, ms }) => {
    cost[name] = await service.costOf(requestId)
    return ms
  }
  const write = async (name, body, query, expected) => {
    const answer = await workspace.write(body, { query })
    expectCounts(answer, { total: body.records, ...expected })
    return note(name, answer)
  }
  return {
    first: () => write('first', full, '', { inserted: full.records }),
    again: () => write('again', full, '', { inserted: 0, unchanged: full.records }),
    reordered: () => write('reordered', reordered, '', { inserted: 0, unchanged: full.records }),
    reconcile: () =>
      write('reconcile', next, '&mode=reconcile', {
        unchanged: next.records - night.changed,
        deactivated: night.deactivated,
      }),
    // A JSON record that lacks fields clears them.
    ...(fewer.format === 'csv' && {
      fewer: () =>
        write('fewer', fewer, '&mode=reconcile&keep_missing=true', {
          unchanged: fewer.records - second.changed,
          deactivated: 0,
        }),
    }),
    changed: () => write('changed', changed, '', { inserted: 0, unchanged: 0 }),
    restore: async () => {
      await sleep(AFTER_RECONCILE_MS)
      // Restores the first load. The second revision is that of the reconcile.
      const answer = await workspace.restore(1)
      expectCounts(answer, { total: full.records, inserted: 0 })
      return note('restore', answer)
    },
    refused: async () => {
      const answer = await workspace.write(bodies.faulty, { status: 400 })
      const { errors } = JSON.parse(String(answer.body))
      if (errors.length === full.records) return answer.ms
      throw new Error(`${errors.length} errors reported instead of ${full.records}`)
    },
  }
}

/** The same tasks for the floor, as far as it supports them. */
function floorWorksOf(floor, { bodies, night, second }) {
  const catalog = floor.newCatalog()
  const { changed, deactivated } = night
  return {
    first: () => expectSame(floor.write(catalog, bodies.full), { changed: bodies.full.records, deactivated: 0 }),
    again: () => expectSame(floor.write(catalog, bodies.full), { changed: 0, deactivated: 0 }),
    reordered: () => expectSame(floor.write(catalog, bodies.reordered), { changed: 0, deactivated: 0 }),
    reconcile: () => expectSame(floor.write(catalog, bodies.next, { reconcile: true }), { changed, deactivated }),
    fewer: () =>
      expectSame(floor.write(catalog, bodies.second, { reconcile: true }), { changed: second.changed, deactivated: 0 }),
    changed: () => expectSame(floor.write(catalog, bodies.changed), { changed: bodies.full.records, deactivated: 0 }),
  }
}

/** One run of all tasks. Service and floor take turns in going first. */
async function runOnce(service, floor, variant, floorFirst) {
  const workspace = await service.newWorkspace()
  const floorWorks = floorWorksOf(floor, variant)
  for (const [name, ours] of Object.entries(worksOf(service, workspace, variant))) {
    const theirs = floorWorks[name]
    const runFloor = () => {
      if (!theirs) return
      const started = performance.now()
      const cpu = ownCpu()
      theirs()
      variant.floor[name].push(performance.now() - started)
      variant.cpu.floor[name].push(ownCpu() - cpu)
    }
    if (floorFirst) runFloor()
    await service.wake()
    const cpu = service.cpu()
    variant.samples[name].push(await ours())
    variant.cpu.samples[name].push(service.cpu() - cpu)
    if (!floorFirst) runFloor()
  }
}

/** The tasks that the floor also does, by CPU time. */
function cpuRowsOf({ label, cpu: { samples, floor } }) {
  if (!tellsCpu) return []
  return [
    floorRow(`CPU of first load, ${label}`, samples.first, floor.first, MOST_FLOOR),
    floorRow(`CPU of same file again, ${label}`, samples.again, floor.again, MOST_FLOOR),
    floorRow(`CPU of reconcile, ${label}`, samples.reconcile, floor.reconcile, MOST_FLOOR),
  ]
}

function rowsOf({ label, samples, floor }) {
  const shareRow = (work, times, limit) =>
    ratioRow(`${work}, ${label}`, times, median(times) / median(samples.first), limit, 'first load')
  return [
    floorRow(`first load, ${label}`, samples.first, floor.first, MOST_FLOOR),
    floorRow(`same file again, ${label}`, samples.again, floor.again, MOST_FLOOR),
    floorRow(`same file in another order, ${label}`, samples.reordered, floor.reordered, MOST_FLOOR),
    floorRow(`reconcile, ${label}`, samples.reconcile, floor.reconcile, MOST_FLOOR),
    ...(samples.fewer.length > 0
      ? [floorRow(`reconcile with seven columns fewer, ${label}`, samples.fewer, floor.fewer)]
      : []),
    floorRow(`every record changed, ${label}`, samples.changed, floor.changed),
    shareRow('all records restored', samples.restore, MOST_SHARE.restore),
    shareRow('every row refused', samples.refused, MOST_SHARE.refused),
  ]
}

function noteOf({ label, bodies: { full }, night, cost }) {
  const size = (full.bytes.byteLength / 2 ** 20).toFixed(1)
  const without = full.dropped.length > 0 ? ` without ${full.dropped.join(', ')} (10 MB limit)` : ''
  const rows = Object.entries(cost).map(([name, { rowsRead, rowsWritten }]) => `${name} ${rowsRead} and ${rowsWritten}`)
  return (
    `${label}: ${full.records} records, ${size} MB${without}. The reconcile changes ${night.changed} records and ` +
    `deactivates ${night.deactivated}. Rows that D1 reads and writes, indexes included: ${rows.join('; ')}.`
  )
}

/** Bytes that a record uses in a database, and those of an earlier version of it. */
async function bytesNote(service, { bodies: { full, changed }, label }) {
  const workspace = await service.newMeasuredWorkspace()
  const added = async (body) => {
    const before = await service.databaseBytes()
    await workspace.write(body)
    return (((await service.databaseBytes()) - before) / body.records).toFixed(0)
  }
  return `${label}: ${await added(full)} bytes per record, ${await added(changed)} per earlier version.`
}

/** Measures the writes against a separate service. @type {import('./table.mjs').Measure} */
export const measureWrites = async (medications, { runs, say }) => {
  const floor = new Floor(path.join(scratchDirectory('floor'), 'floor.sqlite'))
  const service = await Service.start()
  try {
    const variants = variantsOf(medications)
    // The first writes of a new process are the slowest, and are not measured.
    for (const variant of variants) {
      await runOnce(service, floor, { ...variant, ...noSamples() }, false)
    }
    for (let run = 0; run < runs; run++) {
      say(`writes, run ${run + 1} of ${runs}`)
      for (const variant of variants) await runOnce(service, floor, variant, run % 2 === 1)
    }
    return {
      rows: [...variants.flatMap(rowsOf), ...variants.flatMap(cpuRowsOf)],
      notes: [...variants.map(noteOf), await bytesNote(service, variants[0])],
    }
  } finally {
    await service.stop()
    floor.close()
  }
}

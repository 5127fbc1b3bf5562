/** Writes: first load, the same file again, reconcile and refusal, each compared with the floor. */
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { allChanged, bodyOf, columnsToDrop, faulty, nextNight, nonLatin } from './catalogs.mjs'
import { Floor } from './floor.mjs'
import { ownCpu, tellsCpu } from './processes.mjs'
import { scratchDirectory } from './scratch.mjs'
import { Service } from './service.mjs'
import { ratioRow, shareRow } from './table.mjs'

/** Limits of the requirements, as ratios. */
const BARS = { first: 1.6, again: 1.6, reconcile: 1.6, restore: 1, refused: 0.8 }

const noTimes = () => ({
  samples: { first: [], again: [], reconcile: [], changed: [], restore: [], refused: [] },
  floor: { first: [], again: [], reconcile: [], changed: [] },
})

/** Times on the clock, and CPU times. */
const noSamples = () => ({ ...noTimes(), cpu: noTimes() })

/** The bodies of one catalog in one format, and files with the same bytes for the floor. */
async function variantOf({ catalog, text }, format, directory) {
  const dropped = columnsToDrop(catalog, format)
  const night = nextNight(catalog)
  const bodies = {
    full: bodyOf(catalog, format, dropped),
    next: bodyOf(night.catalog, format, dropped),
    changed: bodyOf(allChanged(catalog), format, dropped),
    faulty: bodyOf(faulty(catalog), format, dropped),
  }
  const files = {}
  for (const name of ['full', 'next', 'changed']) {
    files[name] = path.join(directory, `${text}-${name}.${format}`)
    await writeFile(files[name], bodies[name].bytes)
  }
  return {
    label: `${format.toUpperCase()}, ${text}`,
    bodies,
    files,
    night,
    rowsWritten: {},
    ...noSamples(),
  }
}

/** @param {string} directory for the files of the floor */
async function variantsOf(medications, directory) {
  const variants = []
  for (const source of [
    { catalog: medications, text: 'medications' },
    { catalog: nonLatin(medications), text: 'non-Latin' },
  ]) {
    for (const format of ['csv', 'json']) variants.push(await variantOf(source, format, directory))
  }
  return variants
}

/** @throws {Error} when the service did not do the work that is measured */
function expectCounts({ body }, expected) {
  const { data } = JSON.parse(body)
  for (const [name, value] of Object.entries(expected)) {
    if (data[name] !== value) throw new Error(`${name} is ${data[name]} instead of ${value}`)
  }
}

/** @throws {Error} when the floor did not do the same as the service */
function expectSame(result, expected) {
  if (isDeepStrictEqual(result, expected)) return
  throw new Error(`The floor did ${JSON.stringify(result)} instead of ${JSON.stringify(expected)}.`)
}

/**
 * The works of one run in a new workspace, in order. Each returns its milliseconds.
 *
 * @param {Service} service
 * @param {import('./workspace.mjs').Workspace} workspace
 */
function worksOf(service, workspace, { bodies, night, rowsWritten }) {
  const { full, next, changed } = bodies
  const write = async (name, body, query, expected) => {
    const answer = await workspace.write(body, { query })
    expectCounts(answer, { total: body.records, ...expected })
    rowsWritten[name] = (await service.costOf(answer.requestId)).rowsWritten
    return answer.ms
  }
  return {
    first: () => write('first', full, '', { inserted: full.records }),
    again: () => write('again', full, '', { inserted: 0, unchanged: full.records }),
    reconcile: () =>
      write('reconcile', next, '&mode=reconcile', {
        unchanged: next.records - night.changed,
        deactivated: night.deactivated,
      }),
    changed: () => write('changed', changed, '', { inserted: 0, unchanged: 0 }),
    restore: async () => {
      // Goes back to the first load: the second revision is the one of the reconcile.
      const answer = await workspace.restore(1)
      expectCounts(answer, { total: full.records, inserted: 0 })
      rowsWritten.restore = (await service.costOf(answer.requestId)).rowsWritten
      return answer.ms
    },
    refused: async () => {
      const answer = await workspace.write(bodies.faulty, { status: 400 })
      const { errors } = JSON.parse(String(answer.body))
      if (errors.length === full.records) return answer.ms
      throw new Error(`${errors.length} errors reported instead of ${full.records}`)
    },
  }
}

/** The same works of the floor, as far as it does them. */
function floorWorksOf(floor, { bodies, files, night }) {
  const catalog = floor.newCatalog()
  const { changed, deactivated } = night
  return {
    first: () => floor.load(catalog, files.full),
    again: () => expectSame(floor.update(catalog, files.full), { changed: 0, deactivated: 0 }),
    reconcile: () => expectSame(floor.update(catalog, files.next, { reconcile: true }), { changed, deactivated }),
    changed: () => expectSame(floor.update(catalog, files.changed), { changed: bodies.full.records, deactivated: 0 }),
  }
}

/** One run of all works. Service and floor go first in turn. */
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

/** The works that the floor does too, by their CPU time. */
function cpuRowsOf({ label, cpu: { samples, floor } }) {
  if (!tellsCpu) return []
  return [
    ratioRow(`CPU of first load, ${label}`, samples.first, floor.first, BARS.first),
    ratioRow(`CPU of same file again, ${label}`, samples.again, floor.again, BARS.again),
    ratioRow(`CPU of reconcile, ${label}`, samples.reconcile, floor.reconcile, BARS.reconcile),
  ]
}

function rowsOf({ label, samples, floor }) {
  return [
    ratioRow(`first load, ${label}`, samples.first, floor.first, BARS.first),
    ratioRow(`same file again, ${label}`, samples.again, floor.again, BARS.again),
    ratioRow(`reconcile, ${label}`, samples.reconcile, floor.reconcile, BARS.reconcile),
    ratioRow(`every record changed, ${label}`, samples.changed, floor.changed),
    shareRow(`all records restored, ${label}`, samples.restore, samples.first, BARS.restore),
    shareRow(`every row refused, ${label}`, samples.refused, samples.first, BARS.refused),
  ]
}

function noteOf({ label, bodies: { full }, night, rowsWritten }) {
  const size = (full.bytes.byteLength / 2 ** 20).toFixed(1)
  const without = full.dropped.length > 0 ? ` without ${full.dropped.join(', ')} (10 MB limit)` : ''
  return (
    `${label}: ${full.records} records, ${size} MB${without}. Rows written by D1, indexes included: first load ` +
    `${rowsWritten.first}; same again ${rowsWritten.again}; reconcile ${rowsWritten.reconcile} for ${night.changed} ` +
    `records changed and ${night.deactivated} deactivated; every record changed ${rowsWritten.changed}; all restored ` +
    `${rowsWritten.restore}.`
  )
}

/**
 * Measures the writes against a separate service.
 *
 * @param {import('./catalogs.mjs').Catalog} medications
 * @param {{ runs: number, distance: number, say: (text: string) => void }} options
 * @returns {Promise<{ rows: import('./table.mjs').Row[], notes: string[] }>}
 */
export async function measureWrites(medications, { runs, distance, say }) {
  const directory = scratchDirectory('floor')
  const floor = new Floor(path.join(directory, 'floor.sqlite'))
  const service = await Service.start({ distance })
  try {
    const variants = await variantsOf(medications, directory)
    // The first writes of a new process are the slowest and do not count.
    for (const variant of variants) {
      await runOnce(service, floor, { ...variant, ...noSamples() }, false)
    }
    for (let run = 0; run < runs; run++) {
      say(`writes, run ${run + 1} of ${runs}`)
      for (const variant of variants) await runOnce(service, floor, variant, run % 2 === 1)
    }
    return {
      rows: [...variants.flatMap(rowsOf), ...variants.flatMap(cpuRowsOf)],
      notes: variants.map(noteOf),
    }
  } finally {
    await service.stop()
    floor.close()
  }
}

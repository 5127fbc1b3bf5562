/**
 * Writes, in turn with those of another checkout: a machine may become slower by half within minutes, and two runs,
 * one after the other, tell little.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { scratchDirectory } from './scratch.mjs'
import { Service } from './service.mjs'
import { aligned, median } from './table.mjs'
import { variantsOf, worksOf } from './writes.mjs'

/** Until what a write does after its answer has ended. */
const SETTLED_MS = 300

/** Both do a work, one after the other. @returns for each its milliseconds, and those of the CPU of the service */
async function bothDo(sides, name, order) {
  const results = []
  for (const side of order) {
    const { service, works } = sides[side]
    await sleep(SETTLED_MS)
    await service.wake()
    const cpu = service.cpu()
    const ms = await works[name]()
    results[side] = { ms, cpu: service.cpu() - cpu }
  }
  return results
}

/** One line: the medians of both, and the median of the ratios of each run. */
function lineOf(work, pairs) {
  const cells = ['ms', 'cpu'].flatMap((figure) => {
    const [now, before] = [0, 1].map((side) => pairs.map((pair) => pair[side][figure]))
    const ratio = median(now.map((value, run) => value / before[run]))
    return [median(before).toFixed(0), median(now).toFixed(0), `${ratio.toFixed(2)} x`]
  })
  return [work, ...cells]
}

const HEAD = ['work', 'ms before', 'now', 'ratio', 'CPU ms before', 'now', 'ratio']

/**
 * Measures the writes of two checkouts.
 *
 * @param {import('./catalogs.mjs').Catalog} medications
 * @param {{ runs: number, against: string, say: (text: string) => void }} options `against` is the other checkout,
 * with its
 *   packages installed
 * @returns {Promise<{ rows: import('./table.mjs').Row[], notes: string[] }>}
 */
export async function measureAgainst(medications, { runs, against, say }) {
  const services = [await Service.start(), await Service.start({ directory: against })]
  try {
    const variants = await variantsOf(medications, scratchDirectory('bodies'))
    const figures = new Map()
    // The first run does not count.
    for (let run = 0; run <= runs; run++) {
      say(`writes in turn, run ${run} of ${runs}`)
      for (const variant of variants) {
        const sides = []
        for (const service of services)
          sides.push({ service, works: worksOf(service, await service.newWorkspace(), variant) })
        for (const name of Object.keys(sides[0].works)) {
          const pair = await bothDo(sides, name, run % 2 === 0 ? [0, 1] : [1, 0])
          const work = `${name}, ${variant.label}`
          if (run > 0) figures.set(work, [...(figures.get(work) ?? []), pair])
        }
      }
    }
    const lines = [...figures].map(([work, pairs]) => lineOf(work, pairs))
    return { rows: [], notes: [aligned(HEAD, lines)] }
  } finally {
    for (const service of services) await service.stop()
  }
}

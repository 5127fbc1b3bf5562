/** Memory: the smallest heap with which an isolate can handle a catalog of 50,000 records, and two at the same time. */
import { accented, fittingBody, nonLatin, resized } from './catalogs.mjs'
import { IsolateHost } from './isolate.mjs'
import { limitRow } from './table.mjs'
import { Operator } from './workspace.mjs'

const ROWS = 50_000
/** Limits of the search for the smallest heap, in megabytes. */
const SEARCHED = { fails: 8, serves: 256 }
/** Precision of the result, in megabytes. */
const RESOLUTION = { quick: 8, full: 1 }

/** Bars of the requirements: megabytes of heap, by the number of simultaneous requests. */
const BARS = { 1: 100, 2: 128 }

/** How a client sees a server that dies, or that only collects garbage. */
export const CONNECTION_FAULTS = ['ECONNRESET', 'ECONNREFUSED', 'EPIPE', 'ETIMEDOUT']

/** The write that uses most memory: a whole catalog with the list of its IDs. */
const RECONCILE = '&mode=reconcile&confirm_shrink=true'

/**
 * Whether an isolate with this heap handles all requests when they are sent at the same time. Each goes to a new
 * workspace: the service does not read the same file again.
 */
async function serves(host, heapMegabytes, body, count) {
  try {
    await host.withIsolate(heapMegabytes, async (client) => {
      const operator = new Operator(client, host.operatorToken)
      const workspaces = await Promise.all(Array.from({ length: count }, () => operator.newWorkspace()))
      await Promise.all(workspaces.map((workspace) => workspace.write(body, { query: RECONCILE })))
    })
    return true
  } catch (error) {
    if (CONNECTION_FAULTS.includes(error.code) || error.status >= 500) return false
    throw error
  }
}

/**
 * The smallest sufficient heap, in megabytes. Results vary by a few megabytes between runs.
 *
 * @param {(megabytes: number) => Promise<boolean>} attempt
 * @param {number} resolution
 */
async function smallest(attempt, resolution) {
  let { fails, serves: enough } = SEARCHED
  while (enough - fails > resolution) {
    const middle = (fails + enough) >> 1
    if (await attempt(middle)) enough = middle
    else fails = middle
  }
  return enough
}

/** Measures the memory of isolates with a heap limit. @type {import('./table.mjs').Measure} */
export const measureMemory = async (medications, { quick, say }) => {
  const resolution = quick ? RESOLUTION.quick : RESOLUTION.full
  const catalog = resized(medications, ROWS)
  const texts = {
    Latin: catalog,
    'one ā in each name': accented(catalog),
    'Devanagari and Cyrillic': nonLatin(catalog),
  }
  const host = await IsolateHost.prepare()
  try {
    const rows = []
    for (const [text, source] of Object.entries(texts)) {
      for (const format of ['csv', 'json']) {
        const body = fittingBody(source, format)
        const name = `${ROWS} records as ${format.toUpperCase()}, ${text}`
        for (const [count, limit] of Object.entries(BARS)) {
          const work = `${name}, ${count === '1' ? 'one request' : 'two at once'}`
          say(`memory, ${work}`)
          const attempt = (megabytes) => serves(host, megabytes, body, Number(count))
          rows.push(limitRow(work, [await smallest(attempt, resolution)], limit, 'MB'))
        }
      }
    }
    return { rows, notes: [NOTE] }
  } finally {
    await host.close()
  }
}

const NOTE =
  'Memory is the smallest --max-heap-size at which workerd still answers a reconcile of the whole body. The Worker is ' +
  'the only one in its process; D1 is a stand-in outside of it. The bytes of a body lie outside of the heap.'

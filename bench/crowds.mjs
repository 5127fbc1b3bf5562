/**
 * Many requests at the same moment: of many workspaces, of one token beside a neighbour, and changes that are refused.
 * On one isolate, whose CPU time can be told from that of its database.
 */
import { bodyOf, resized, searchable } from './catalogs.mjs'
import { HttpClient } from './http-client.mjs'
import { IsolateHost } from './isolate.mjs'
import { cpuOf } from './processes.mjs'
import { median } from './table.mjs'
import { Operator } from './workspace.mjs'

const WORKSPACES = 20
const REQUESTS_OF_EACH = 50
const REQUESTS_OF_ONE_TOKEN = 2000
const RECORDS = { each: 1000, large: 40_000 }
const REFUSED = { restore: 12, reconcile: 70 }
const MOST_RUNS = 3

/** Limits of the requirements. */
const BARS = {
  /** CPU time of the searches, as a multiple of that of as many reads by id. */
  searches: 2,
  /** CPU time for which a neighbour waits, in milliseconds. */
  neighbourCpuMs: 120,
  /** The neighbour's read beside refused changes, in milliseconds. */
  neighbourMs: 1000,
}

const DATASETS = '/admin/datasets/v1'

/** Sends each request over a connection of its own, all at once. @returns the number of answers of each status */
async function atOnce(origin, requests) {
  const statuses = {}
  const send = async ({ target, init }) => {
    const client = new HttpClient(origin)
    const { status } = await client.send(target, init).catch(({ code }) => ({ status: code }))
    statuses[status] = (statuses[status] ?? 0) + 1
    client.close()
  }
  await Promise.all(requests.map(send))
  return statuses
}

/** A row whose bar is also that the answers were these. */
function row(work, unit, samples, limit, isAnswered) {
  const value = median(samples)
  return {
    work,
    unit,
    samples,
    compared: `${value.toFixed(unit === 'x' ? 2 : 0)} ${unit}`,
    bar: `<= ${limit} ${unit}`,
    met: value <= limit && isAnswered,
  }
}

/** The requests of one round; no text of a search comes twice, so that no answer is remembered. */
function requestsOf({ columns, rows }) {
  let turn = 0
  const cell = (column) => rows[(turn++ * 7919) % rows.length][columns.indexOf(column)]
  const search = () =>
    `/medical-db/v1/search/?type=medication&q=${encodeURIComponent(`${cell('name').slice(0, 4)} ${turn.toString(36)}`)}`
  const get = () => `${DATASETS}/${encodeURIComponent(cell('medication_id'))}/?type=medication`
  return { search, get }
}

async function measureMany(isolate, workspaces, { search, get }) {
  const requestsFor = (target) =>
    workspaces.flatMap(({ headers }) =>
      Array.from({ length: REQUESTS_OF_EACH }, () => ({ target: target(), init: { headers } })),
    )
  const cpuFor = async (target) => {
    const before = isolate.cpu()
    const statuses = await atOnce(isolate.origin, requestsFor(target))
    return { ms: isolate.cpu() - before, statuses }
  }
  const [gets, searches] = [await cpuFor(get), await cpuFor(search)]
  return { ratio: searches.ms / gets.ms, getsMs: gets.ms, searchesMs: searches.ms, statuses: searches.statuses }
}

/** How long a neighbour's read takes while a crowd is served, in CPU time of the isolate and as it sees it. */
async function beside(isolate, neighbour, crowd, target) {
  const client = new HttpClient(isolate.origin)
  const read = async () => {
    const before = isolate.cpu()
    const { ms, status } = await client.send(target(), { headers: neighbour.headers })
    if (status !== 200) throw new Error(`crowds: the neighbour got ${status}`)
    return { ms, cpu: isolate.cpu() - before }
  }
  await read()
  let hasEnded = false
  const answers = atOnce(isolate.origin, crowd).finally(() => {
    hasEnded = true
  })
  const reads = []
  do reads.push(await read())
  while (!hasEnded)
  client.close()
  return {
    statuses: await answers,
    cpu: Math.max(...reads.map((one) => one.cpu)),
    ms: Math.max(...reads.map((one) => one.ms)),
  }
}

/**
 * @param {import('./catalogs.mjs').Catalog} medications
 * @param {{ runs: number, say: (text: string) => void }} options
 * @returns {Promise<{ rows: import('./table.mjs').Row[], notes: string[] }>}
 */
export async function measureCrowds(medications, { runs, say }) {
  const small = searchable(resized(medications, RECORDS.each))
  const host = await IsolateHost.prepare()
  try {
    return await host.withIsolate(undefined, async (client, pid) => {
      const isolate = { origin: client.origin, cpu: () => cpuOf([pid]) }
      const operator = new Operator(client, host.operatorToken)
      const workspaces = []
      for (let number = 0; number < WORKSPACES; number++) {
        const workspace = await operator.newWorkspace()
        await workspace.write(bodyOf(small, 'csv'))
        await workspace.enableSearch()
        workspaces.push(workspace)
      }
      const [neighbour, crowded] = workspaces
      const large = await operator.newWorkspace()
      await large.write(bodyOf(resized(medications, RECORDS.large), 'csv'))
      const requests = requestsOf(small)
      const change = (target, body) => ({
        target,
        init: { method: 'POST', headers: { ...large.headers, 'Content-Type': 'application/json' }, body },
      })
      const restore = change('/admin/catalogs/v1/medication/restore?revision=0')
      const reconcile = change(`${DATASETS}/?type=medication&mode=reconcile&hold=false`, '[]')
      const results = { many: [], token: [], restores: [], reconciles: [] }
      const notes = []
      for (let run = 0; run < Math.min(runs, MOST_RUNS); run++) {
        say(`crowds, run ${run + 1}`)
        results.many.push(await measureMany(isolate, workspaces, requests))
        const searches = Array.from({ length: REQUESTS_OF_ONE_TOKEN }, () => ({
          target: requests.search(),
          init: { headers: crowded.headers },
        }))
        results.token.push(await beside(isolate, neighbour, searches, requests.get))
        const repeated = (request, length) => Array.from({ length }, () => request)
        results.restores.push(await beside(isolate, neighbour, repeated(restore, REFUSED.restore), requests.get))
        results.reconciles.push(await beside(isolate, neighbour, repeated(reconcile, REFUSED.reconcile), requests.get))
        const last = Object.entries(results).map(([name, list]) => `${name} ${JSON.stringify(list.at(-1))}`)
        notes.push(`run ${run + 1}: ${last.join('; ')}`)
      }
      const all = (list, isRight) => list.every(({ statuses }) => isRight(statuses))
      const only = (count, status) => (statuses) => statuses[status] === count
      const either = (count, status) => (statuses) => (statuses[status] ?? 0) + (statuses[429] ?? 0) === count
      const { many, token, restores, reconciles } = results
      const rows = [
        row(
          `CPU of ${WORKSPACES * REQUESTS_OF_EACH} searches of ${WORKSPACES} workspaces at once, beside that of gets`,
          'x',
          many.map(({ ratio }) => ratio),
          BARS.searches,
          all(many, only(WORKSPACES * REQUESTS_OF_EACH, 200)),
        ),
        row(
          `CPU while a neighbour waits beside ${REQUESTS_OF_ONE_TOKEN} searches of one token`,
          'ms',
          token.map(({ cpu }) => cpu),
          BARS.neighbourCpuMs,
          all(token, either(REQUESTS_OF_ONE_TOKEN, 200)),
        ),
        row(
          `longest read of a neighbour beside ${REFUSED.restore} refused restores`,
          'ms',
          restores.map(({ ms }) => ms),
          BARS.neighbourMs,
          all(restores, either(REFUSED.restore, 409)),
        ),
        row(
          `longest read of a neighbour beside ${REFUSED.reconcile} refused reconciles`,
          'ms',
          reconciles.map(({ ms }) => ms),
          BARS.neighbourMs,
          all(reconciles, either(REFUSED.reconcile, 409)),
        ),
      ]
      return { rows, notes }
    })
  } finally {
    await host.close()
  }
}

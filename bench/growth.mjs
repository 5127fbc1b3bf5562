/**
 * How throughput grows with the number of databases. One Worker has n databases bound, each in a process of its own that
 * answers one query at a time, and searches and writes are spread over the workspaces in them.
 *
 * A machine with few cores cannot show this directly: one database, the Worker and the client fill two cores. So each
 * query takes at least a fixed time, and the process waits for the rest of it. Then the databases are the first limit and
 * not the cores, and anything that the Worker makes the databases share costs throughput. A second pass without the fixed
 * time gives the throughput of this machine. The CPU time of each kind of request is measured apart from both.
 */
import { cpus } from 'node:os'
import { allChanged, bodyOf, ofWorkspace, resized } from './catalogs.mjs'
import { expectStatus, HttpClient } from './http-client.mjs'
import { IsolateHost } from './isolate.mjs'
import { median } from './table.mjs'
import { Operator } from './workspace.mjs'

/** Databases at the same time, beside the control database. */
const DATABASES = [1, 2, 4, 8]
const WORKSPACES = 4
const RECORDS = 5000
/** Records of the catalog for which CPU times are measured. */
const MEASURED_RECORDS = { quick: 5000, full: 50_000 }
/** Clients of a workspace: as many as the searches that it may run at the same time. */
const CLIENTS = 2
/** What a client does: so many searches for each write of so many records. */
const SEARCHES = 9
const WRITTEN = 20
/** The fixed time of a query: so long that eight databases, the Worker and the clients need less than one core. */
const TURN_MS = 100
/** The part of `n` times the throughput of one database that `n` must reach. Waiting is never exact on a busy machine. */
const BAR = 0.8
/** Requests of each kind whose CPU time is measured. */
const MEASURED = { searches: 100, writes: 20 }

const CONTROL = 'DB'
const bindingOf = (number) => `DB_${number + 2}`

/** The words with which the names of a catalog begin: so many that no search is soon asked again. */
const wordsOf = (catalog) => {
  const name = catalog.columns.indexOf('name')
  return [
    ...new Set(catalog.rows.map((cells) => cells[name].split(/\s+/)[0].slice(0, 7).toLowerCase())),
  ].filter((word) => word.length >= 4)
}

/** What the clients of a workspace send. */
class Load {
  #workspace
  #words
  #bodies
  #searches = 0
  #writes = 0

  constructor(workspace, words, bodies) {
    this.#workspace = workspace
    this.#words = words
    this.#bodies = bodies
  }

  async search(client) {
    this.#searches++
    await this.searchAgain(client)
  }

  /** Asks for the word of the last search. */
  async searchAgain(client) {
    const word = this.#words[(this.#searches * 7) % this.#words.length]
    const target = `/medical-db/v1/search/?type=medication&q=${encodeURIComponent(word)}`
    expectStatus(await client.send(target, { headers: this.#workspace.headers }), 200, target)
  }

  async write(client) {
    await this.#workspace.write(this.#bodies[this.#writes++ % this.#bodies.length], { client })
  }

  /** @returns {Promise<number>} requests until the time, by one of the clients */
  async run(client, until) {
    let requests = 0
    for (; performance.now() < until; requests++) {
      if (requests % (SEARCHES + 1) === SEARCHES) await this.write(client)
      else await this.search(client)
    }
    return requests
  }
}

/** Makes a workspace with a catalog of its own. */
async function newLoad(operator, database, source, number) {
  const workspace = await operator.newWorkspace({ database })
  const catalog = ofWorkspace(source, number)
  await workspace.write(bodyOf(catalog, 'csv'))
  await workspace.enableSearch()
  const bodies = [allChanged(catalog), catalog].map((each) => bodyOf(resized(each, WRITTEN), 'json'))
  return new Load(workspace, wordsOf(source), bodies)
}

/** Fills all databases; the first one also gets a larger catalog, for which CPU times are measured. */
async function fill(host, client, medications, { records, say }) {
  const operator = new Operator(client, host.operatorToken)
  const catalog = resized(medications, RECORDS)
  const databases = []
  let workspaces = 0
  for (let number = 0; number < Math.max(...DATABASES); number++) {
    say(`throughput, database ${number + 1} of ${Math.max(...DATABASES)}`)
    const binding = bindingOf(number)
    const loads = []
    for (let i = 0; i < WORKSPACES; i++) {
      loads.push(await newLoad(operator, binding, catalog, workspaces++))
    }
    databases.push({ loads, process: host.databases.get(binding) })
  }
  const large = resized(medications, records)
  return { databases, measured: await newLoad(operator, bindingOf(0), large, workspaces) }
}

/** @returns {Promise<import('./one-at-a-time.mjs').Usage>} what databases did during some work, all together */
async function usageDuring(databases, work) {
  const total = { turns: 0, busyMs: 0, cpuMs: 0 }
  const add = async (sign) => {
    for (const database of databases) {
      const usage = await database.usage()
      for (const key of Object.keys(total)) total[key] += sign * usage[key]
    }
  }
  await add(-1)
  await work()
  await add(1)
  return total
}

/** @returns {() => number} the share of the machine's CPU time since now that was used, by this run and by others */
function machineUse() {
  const read = () =>
    cpus().reduce(
      ([busy, all], { times }) => {
        const sum = Object.values(times).reduce((a, b) => a + b)
        return [busy + sum - times.idle, all + sum]
      },
      [0, 0],
    )
  const before = read()
  return () => {
    const after = read()
    return (after[0] - before[0]) / (after[1] - before[1])
  }
}

/** Uses all workspaces of some databases for a time. */
async function throughput(origin, databases, durationMs) {
  const clients = databases.map(() => new HttpClient(origin))
  const used = machineUse()
  const started = performance.now()
  let requests = 0
  let seconds = 0
  const { turns, busyMs } = await usageDuring(
    databases.map(({ process }) => process),
    async () => {
      const runs = databases.flatMap(({ loads }, database) =>
        loads.flatMap((load) =>
          Array.from({ length: CLIENTS }, () => load.run(clients[database], started + durationMs)),
        ),
      )
      for (const count of await Promise.all(runs)) requests += count
      seconds = (performance.now() - started) / 1000
    },
  )
  for (const client of clients) client.close()
  return {
    perSecond: requests / seconds,
    possible: (databases.length * 1000 * requests) / (TURN_MS * turns),
    busy: busyMs / (1000 * seconds * databases.length),
    machine: used(),
  }
}

/** CPU time of a database for one request of each kind, in milliseconds. */
async function cpuTimes(client, load, process) {
  const mean = async (count, send) => {
    const { cpuMs } = await usageDuring([process], async () => {
      for (let i = 0; i < count; i++) await send()
    })
    return cpuMs / count
  }
  return {
    search: await mean(MEASURED.searches, () => load.search(client)),
    again: await mean(MEASURED.searches, () => load.searchAgain(client)),
    write: await mean(MEASURED.writes, () => load.write(client)),
  }
}

/** CPU time of the control database for one credential that the isolate does not know, in milliseconds. */
async function lookUpTime(client, control, databases) {
  const { turns, cpuMs } = await usageDuring([control], async () => {
    for (const { loads } of databases) for (const load of loads) await load.search(client)
  })
  return cpuMs / turns
}

/** One measurement of everything, in an isolate that knows no credential. */
async function measureOnce({ client, ports }, control, { databases, measured }, durationMs) {
  const lookUp = await lookUpTime(client, control, databases)
  const cpu = await cpuTimes(client, measured, databases[0].process)
  const origin = `http://127.0.0.1:${ports.direct}`
  const throughputs = async (turnMs) => {
    for (const { process } of databases) await process.usage({ turnMs })
    const measured = []
    for (const count of DATABASES) {
      measured.push(await throughput(origin, databases.slice(0, count), durationMs))
    }
    return measured
  }
  return { lookUp, ...cpu, waiting: await throughputs(TURN_MS), working: await throughputs(0) }
}

const percent = (share) => `${Math.round(share * 100)} %`

/** The rows of one way to answer: one for each number of databases. */
function growthRows(runs, kind) {
  return DATABASES.map((count, index) => {
    const samples = runs.map((run) => run[kind][index])
    const figure = (name) => median(samples.map((sample) => sample[name]))
    const growth = median(runs.map((run) => run[kind][index].perSecond / run[kind][0].perSecond))
    const waiting = kind === 'waiting'
    const row = {
      work: `${count} database${count === 1 ? '' : 's'}, ${waiting ? `${TURN_MS} ms a query` : 'without waiting'}`,
      unit: '/s',
      samples: samples.map(({ perSecond }) => perSecond),
      compared: `${growth.toFixed(2)} x one; busy: databases ${percent(figure('busy'))}, machine ${percent(figure('machine'))}`,
    }
    if (!waiting) return row
    const floor = samples.map(({ possible }) => possible)
    if (count === 1) return { ...row, floor }
    return { ...row, floor, bar: `>= ${BAR * count} x one`, met: growth >= BAR * count }
  })
}

/** CPU time of the databases, and how many such requests fill one core. */
function cpuRows(runs, records) {
  const works = {
    search: `a search of ${records}, CPU of the database`,
    again: 'the same search again',
    write: `a write of ${WRITTEN}`,
    lookUp: 'a credential, CPU of the control database',
  }
  return Object.entries(works).map(([key, work]) => {
    const samples = runs.map((run) => run[key])
    return { work, samples, compared: `${Math.floor(1000 / median(samples))} a second and core` }
  })
}

/**
 * @param {import('./catalogs.mjs').Catalog} medications
 * @param {{ runs: number, quick: boolean, say: (text: string) => void }} options
 * @returns {Promise<import('./table.mjs').Row[]>}
 */
export async function measureGrowth(medications, { runs, quick, say }) {
  const records = quick ? MEASURED_RECORDS.quick : MEASURED_RECORDS.full
  const bindings = Array.from({ length: Math.max(...DATABASES) }, (_, number) => bindingOf(number))
  const host = await IsolateHost.prepare([CONTROL, ...bindings])
  try {
    const filled = await host.withIsolate(undefined, (client) =>
      fill(host, client, medications, { records, say }),
    )
    const results = []
    for (let run = 0; run < runs; run++) {
      say(`throughput, run ${run + 1} of ${runs}`)
      const measure = (client, { ports }) =>
        measureOnce({ client, ports }, host.databases.get(CONTROL), filled, quick ? 2000 : 5000)
      results.push(await host.withIsolate(undefined, measure))
    }
    return [
      ...growthRows(results, 'waiting'),
      ...growthRows(results, 'working'),
      ...cpuRows(results, records),
    ]
  } finally {
    host.close()
  }
}

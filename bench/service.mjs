/** The service, started as by a user. */
import { once } from 'node:events'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ASSETS_ARE_BUILT } from '../scripts/assets.mjs'
import { readSecrets } from '../scripts/secrets.mjs'
import { root } from '../scripts/wrangler.mjs'
import { freePort, startAsUser } from '../test/support/npm-start.mjs'
import { expectStatus, HttpClient } from './http-client.mjs'
import { cpuOf, descendants, isAlive, owned, programOf, scratchDirectory, tellsCpu } from './processes.mjs'
import { Operator } from './workspace.mjs'

/** Time limit for the service to end, in milliseconds. */
const END_TIMEOUT_MS = 10_000
/** Number of checks for a log line that has not arrived yet, every 20 ms. */
const LOG_ATTEMPTS = 100
/** Contains measured workspaces, and nothing else. */
const DATABASE = 'DB_2'
/** Requests whose cost is kept: those of a whole measurement of reads. */
const KEPT_COSTS = 100_000

/** A service with its state in a separate folder. It can be restarted with the same state and port. */
export class Service {
  /** @type {number | undefined} */
  #port
  #distance
  #child
  #output = () => ''
  #costs = new Map()
  #workers
  /** Creates workspaces, keys and partner credentials. @type {Operator} */
  operator
  /** The folder of its state. */
  state = scratchDirectory('state')

  /** @param {{ distance?: number }} [options] distance: milliseconds of a round trip to its databases */
  constructor({ distance = 0 } = {}) {
    this.#distance = distance
  }

  /**
   * Starts a service and waits until it is ready.
   *
   * @param {ConstructorParameters<typeof Service>[0]} [options]
   */
  static async start(options) {
    const service = new Service(options)
    try {
      await service.start()
    } catch (error) {
      await service.stop()
      throw error
    }
    return service
  }

  /** Starts the service, and waits until it is ready. */
  async start() {
    const isRestart = this.client !== undefined
    this.#port ??= await freePort()
    this.origin = `http://localhost:${this.#port}`
    this.client = new HttpClient(this.origin)
    // With log lines, because they contain the database cost of each request.
    const args = ['--verbose', '--port', String(this.#port), '--persist-to', this.state]
    args.push('--distance', String(this.#distance), '--no-rate-limits')
    const { child, ready, output } = startAsUser(args, {
      environment: isRestart ? { [ASSETS_ARE_BUILT]: '1' } : {},
      onLine: (line) => this.#read(line),
    })
    this.#child = owned(child)
    this.#output = output
    await ready
    const { PLATFORM_ADMIN_TOKEN } = readSecrets(path.join(root, '.dev.vars'))
    this.operator = new Operator(this.client, PLATFORM_ADMIN_TOKEN)
  }

  /** The end of its output, for a report. */
  get output() {
    return this.#output()
  }

  /** Stores the cost of a request from its log line. */
  #read(line) {
    const start = line.search(/{"(?:time|request_id)":/)
    if (start < 0) return
    const { request_id, rows_read, rows_written } = JSON.parse(line.slice(start))
    this.#costs.set(request_id, { rowsRead: rows_read, rowsWritten: rows_written })
    if (this.#costs.size > KEPT_COSTS) this.#costs.delete(this.#costs.keys().next().value)
  }

  newWorkspace() {
    return this.operator.newWorkspace()
  }

  /** Creates a workspace in the database that `databaseBytes` measures. */
  newMeasuredWorkspace() {
    return this.operator.newWorkspace({ database: DATABASE })
  }

  /** Bytes of the database with the measured workspaces. */
  async databaseBytes() {
    const { items } = await this.operator.api.get('/platform/v1/databases')
    return items.find(({ database }) => database === DATABASE).size_bytes
  }

  /**
   * The rows that D1 read and wrote for a request, including those of indexes, from its log line.
   *
   * @param {string} requestId
   * @returns {Promise<{ rowsRead: number, rowsWritten: number }>}
   */
  async costOf(requestId) {
    for (let attempt = 0; attempt < LOG_ATTEMPTS; attempt++) {
      const cost = this.#costs.get(requestId)
      if (cost !== undefined) return cost
      await sleep(20)
    }
    throw new Error(`The service wrote no log line for request ${requestId}.`)
  }

  /** CPU time used by the Worker and its databases so far, in milliseconds; NaN if the system does not report it. */
  cpu() {
    if (!tellsCpu) return Number.NaN
    this.#workers ??= descendants(this.#child.pid).filter((pid) => programOf(pid) === 'workerd')
    return cpuOf(this.#workers)
  }

  /**
   * Makes sure that a connection is open. The runtime may drop one that was idle for some seconds, and a request at
   * that moment fails.
   */
  async wake() {
    for (let attempt = 1; ; attempt++) {
      try {
        expectStatus(await this.client.send('/health'), 200, '/health')
        return
      } catch (error) {
        if (attempt === 5) throw error
        await sleep(100 * attempt)
      }
    }
  }

  /** Kills the service and all its processes immediately, whatever it is doing. */
  async kill() {
    const processes = [this.#child.pid, ...descendants(this.#child.pid)]
    for (const pid of processes) if (isAlive(pid)) process.kill(pid, 'SIGKILL')
    const deadline = Date.now() + END_TIMEOUT_MS
    while (processes.some(isAlive)) {
      if (Date.now() > deadline) throw new Error('The service could not be killed.')
      await sleep(50)
    }
  }

  /** Stops the service gracefully, and kills it if that takes too long. */
  async stop() {
    this.client?.close()
    if (!this.#child || this.#child.exitCode !== null || this.#child.signalCode !== null) return
    const ended = once(this.#child, 'exit')
    this.#child.kill('SIGTERM')
    const timeout = sleep(END_TIMEOUT_MS, 'late', { ref: false })
    if ((await Promise.race([ended, timeout])) === 'late') await this.kill()
  }
}

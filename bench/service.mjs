/** The service, started like by a user. */
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseEnv } from 'node:util'
import { freePort, startAsUser } from '../scripts/local/npm-start.mjs'
import { root } from '../scripts/wrangler.mjs'
import { cpuOf, descendants, tellsCpu } from './cpu.mjs'
import { expectStatus, HttpClient } from './http-client.mjs'
import { owned, scratchDirectory } from './scratch.mjs'
import { Operator } from './workspace.mjs'

const STOP_TIMEOUT_MS = 10_000
/** How often to look for a log line that has not arrived yet, every 20 ms. */
const LOG_ATTEMPTS = 100
/** Holds measured workspaces, and nothing else. */
const DATABASE = 'DB_2'
/** Requests whose cost is kept. */
const KEPT_COSTS = 1000

/** A running service with its state in a separate folder. */
export class Service {
  #child
  #operator
  #costs = new Map()
  #workers

  /**
   * Starts the service on a free port and waits until it is ready.
   *
   * @param {{ distance?: number }} [options] milliseconds of a trip to its databases, beside their work
   */
  static async start({ distance = 0 } = {}) {
    const service = new Service()
    try {
      await service.#start(distance)
    } catch (error) {
      await service.stop()
      throw error
    }
    return service
  }

  async #start(distance) {
    const port = await freePort()
    this.origin = `http://localhost:${port}`
    this.client = new HttpClient(this.origin)
    // With log lines, because they tell the database cost of each request.
    const args = ['--verbose', '--port', String(port), '--persist-to', scratchDirectory('state')]
    if (distance > 0) args.push('--distance', String(distance))
    const { child, ready } = startAsUser(args, { onLine: (line) => this.#read(line) })
    this.#child = owned(child)
    await ready
    const vars = parseEnv(await readFile(path.join(root, '.dev.vars'), 'utf8'))
    this.#operator = new Operator(this.client, vars.PLATFORM_ADMIN_TOKEN)
  }

  /** Keeps the cost of a request from its log line. */
  #read(line) {
    const start = line.search(/{"(?:time|request_id)":/)
    if (start < 0) return
    const { request_id, rows_read, rows_written, round_trips, database_ms } = JSON.parse(line.slice(start))
    this.#costs.set(request_id, {
      databaseMs: database_ms,
      rowsRead: rows_read,
      rowsWritten: rows_written,
      roundTrips: round_trips,
    })
    if (this.#costs.size > KEPT_COSTS) this.#costs.delete(this.#costs.keys().next().value)
  }

  /** Makes workspaces, keys and partner credentials. */
  get operator() {
    return this.#operator
  }

  newWorkspace() {
    return this.#operator.newWorkspace()
  }

  /** A workspace in the database that `databaseBytes` measures. */
  newMeasuredWorkspace() {
    return this.#operator.newWorkspace({ database: DATABASE })
  }

  /** Bytes of the database with the measured workspaces. */
  async databaseBytes() {
    const { items } = await this.#operator.api.get('/platform/v1/databases')
    return items.find(({ database }) => database === DATABASE).size_bytes
  }

  /** Rows that D1 wrote for a request, those of indexes included. */
  async rowsWritten(requestId) {
    return (await this.costOf(requestId)).rowsWritten
  }

  addMember(workspaceId, email) {
    return this.#operator.addMember(workspaceId, email)
  }

  /**
   * What a request cost the databases, as its log line says.
   *
   * @param {string} requestId
   * @returns {Promise<{ rowsRead: number, rowsWritten: number, roundTrips: number }>}
   */
  async costOf(requestId) {
    for (let attempt = 0; attempt < LOG_ATTEMPTS; attempt++) {
      const cost = this.#costs.get(requestId)
      if (cost !== undefined) return cost
      await sleep(20)
    }
    throw new Error(`The service wrote no log line for request ${requestId}.`)
  }

  /** CPU time that the Worker and its databases have used so far, in milliseconds; NaN if the system does not tell. */
  cpu() {
    if (!tellsCpu) return Number.NaN
    this.#workers ??= descendants(this.#child.pid, 'workerd')
    return cpuOf(this.#workers)
  }

  /**
   * Makes sure that a connection is open: the runtime may drop one that was idle for some seconds, and a request at
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

  async stop() {
    this.client?.close()
    if (!this.#child || this.#child.exitCode !== null || this.#child.signalCode !== null) return
    const ended = once(this.#child, 'exit')
    this.#child.kill('SIGTERM')
    await Promise.race([ended, sleep(STOP_TIMEOUT_MS, undefined, { ref: false })])
    this.#child.kill('SIGKILL')
  }
}

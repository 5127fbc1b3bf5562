import path from 'node:path'
import { readD1Migrations } from '@cloudflare/vitest-plugin'
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'
import { bundleWorker } from '../../scripts/bundle.mjs'
import { workerOptions } from '../../scripts/configuration.mjs'
import { CLOCK_PATH, CONTROL, SCHEDULED_PATH } from '../../scripts/local/control.mjs'
import { newSecrets } from '../../scripts/secrets.mjs'
import { root } from '../../scripts/wrangler.mjs'

/** Forwards a request to the isolate that its header names. */
const ROUTER = `export default { fetch: (request, env) => env[request.headers.get('X-Isolate')].fetch(request) }`

/** The service in two isolates, each with its own memory, with the same databases and the same bucket. */
export class TwoIsolates {
  #miniflare
  #origin
  #operator

  /** @param {Miniflare} miniflare @param {string} operatorToken */
  constructor(miniflare, origin, operatorToken) {
    this.#miniflare = miniflare
    this.#origin = origin
    this.#operator = { Authorization: `Bearer ${operatorToken}` }
  }

  static async start() {
    const { modulesRules, assets, ratelimits, ...worker } = workerOptions()
    const code = await bundleWorker(path.join(root, 'scripts', 'local', 'worker.mjs'))
    const module = (contents) => ({
      modulesRoot: root,
      modules: [{ type: /** @type {const} */ ('ESModule'), path: path.join(root, 'index.js'), contents }],
    })
    const { PLATFORM_ADMIN_TOKEN, ...secrets } = newSecrets()
    const local = { ...secrets, PLATFORM_ADMIN_TOKEN, JURISDICTION: '', DISTANCE_MS: '0', HAS_RATE_LIMITS: 'false' }
    const bindings = { .../** @type {object} */ (worker.bindings), ...local, RATE_LIMITS: ratelimits }
    const { compatibilityDate } = worker
    const miniflare = new Miniflare(
      convertV4MiniflareOptions({
        cf: false,
        workers: [
          { ...module(ROUTER), name: 'router', compatibilityDate, serviceBindings: { a: 'a', b: 'b' } },
          ...['a', 'b'].map((name) => ({ ...worker, ...module(code), name, bindings })),
        ],
      }),
    )
    const { origin } = await miniflare.ready
    for (const binding of ['DB', 'DB_2']) {
      const database = await miniflare.getD1Database(binding, 'a')
      const migrations = await readD1Migrations(path.join(root, 'migrations'))
      for (const { queries } of migrations) await database.batch(queries.map((query) => database.prepare(query)))
    }
    return new TwoIsolates(miniflare, origin, PLATFORM_ADMIN_TOKEN)
  }

  /** @param {'a' | 'b'} isolate @param {string} target @param {RequestInit & { duplex?: 'half' }} [init] */
  call(isolate, target, { headers, ...init } = {}) {
    return fetch(`${this.#origin}${target}`, { ...init, headers: { ...headers, 'X-Isolate': isolate } })
  }

  /** A request of the operator, through isolate `a`. @returns {Promise<{ status: number, data: any }>} */
  async operator(method, target, body) {
    const headers = { ...this.#operator, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) }
    const response = await this.call('a', `/platform/v1${target}`, { method, headers, body: JSON.stringify(body) })
    return { status: response.status, ...(await response.json()) }
  }

  /** @param {'a' | 'b'} isolate @param {number} ms how far its clock is ahead */
  async setClock(isolate, ms) {
    await this.call(isolate, `${CLOCK_PATH}?ahead=${ms}`, CONTROL)
  }

  async runScheduled(time = Date.now()) {
    return (await this.call('a', `${SCHEDULED_PATH}?time=${time}`, CONTROL)).text()
  }

  /** @param {string} sql @param {unknown[]} params @returns {Promise<Record<string, any>[]>} rows of the database DB */
  async rows(sql, ...params) {
    const database = await this.#miniflare.getD1Database('DB', 'a')
    return (
      await database
        .prepare(sql)
        .bind(...params)
        .all()
    ).results
  }

  /** The keys of the objects in the bucket, without its ownership marker. */
  async objects() {
    const { objects } = await (await this.#miniflare.getR2Bucket('DOCUMENTS', 'a')).list()
    return objects.map(({ key }) => key).filter((key) => key !== '_deployment')
  }

  close() {
    return this.#miniflare.dispose()
  }
}

import { once } from 'node:events'
import { createServer } from 'node:http'
import { TOKEN } from './project.mjs'
import { Refusal, resultOf } from './routes.mjs'
import { startRuntime } from './runtime.mjs'

/** Enough for production and sandbox. */
const DATABASE_IDS = ['1', '2', '3', '4'].map((digit) => `dddddddd-0000-4000-8000-${digit.repeat(12)}`)

async function bodyOf(request) {
  const parts = []
  for await (const part of request) parts.push(part)
  return Buffer.concat(parts)
}

const json = (value) => [JSON.stringify(value), { 'Content-Type': 'application/json' }]

/**
 * Stands in for the part of Cloudflare's API that deployments use. It records what is asked, keeps databases,
 * namespaces and buckets, runs SQL and uploaded Workers in the real runtime, and answers for their custom domains
 * below `/service/`.
 */
export class Platform {
  /** @type {{ method: string, path: string, body: Buffer }[]} */
  requests = []
  databases = new Map()
  namespaces = new Map()
  buckets = new Map()
  workers = new Map()
  domains = new Map()
  #ids = [...DATABASE_IDS]
  #runtime
  #server
  #interruption

  static async start() {
    const platform = new Platform()
    platform.#runtime = startRuntime(DATABASE_IDS)
    platform.#server = createServer((request, response) => void platform.#answer(request, response))
    platform.#server.listen(0, '127.0.0.1')
    await once(platform.#server, 'listening')
    return platform
  }

  get origin() {
    return `http://127.0.0.1:${this.#server.address().port}`
  }

  async close() {
    this.#server.closeAllConnections()
    this.#server.close()
    await this.#runtime.close()
  }

  /**
   * Carries the next such request out, answers nothing to it, and calls `then`.
   *
   * @param {RegExp} pattern of its method, path and body
   */
  interrupt(pattern, then) {
    this.#interruption = { pattern, then }
  }

  /** The requests that changed something, as `POST /d1/database`. */
  get changes() {
    const isRead = ({ method, path, body }) =>
      method === 'GET' || (path.endsWith('/query') && /^\{"sql":"SELECT /.test(body.toString()))
    return this.requests.filter((each) => !isRead(each)).map(({ method, path }) => `${method} ${path}`)
  }

  /** @returns {Promise<Record<string, any>[]>} the rows of one statement */
  async query(name, sql) {
    const [{ results }] = await this.#runtime.query(this.databases.get(name).uuid, sql)
    return results
  }

  addDatabase(name, jurisdiction = null) {
    if (this.databases.has(name)) throw new Refusal(400, 7502, 'Database with name already exists')
    const database = { uuid: this.#ids.shift(), name, jurisdiction, version: 'production' }
    this.databases.set(name, database)
    return database
  }

  runSql = (id, sql) => this.#runtime.query(id, sql)
  run = (name, version) => this.#runtime.run(name, version)

  async #answer(request, response) {
    const body = await bodyOf(request)
    const url = new URL(request.url, this.origin)
    const [status, text, headers] = url.pathname.startsWith('/service/')
      ? await this.#ofService(request, url, body)
      : await this.#ofApi(request, url, body)
    const stop = this.#interruption
    if (stop?.pattern.test(`${request.method} ${url.pathname} ${body}`)) {
      this.#interruption = undefined
      stop.then()
    } else response.writeHead(status, headers).end(text)
  }

  async #ofApi({ method, headers }, url, body) {
    const path = url.pathname.replace(/^\/accounts\/account(?=\/)/, '')
    const record = { method, path, query: url.searchParams, headers, body }
    this.requests.push(record)
    try {
      if (headers.authorization !== `Bearer ${TOKEN}`) throw new Refusal(403, 10000, 'Authentication error')
      const result = await resultOf(this, record)
      return [200, ...json({ success: true, errors: [], messages: [], result })]
    } catch ({ status = 400, code = 7500, message }) {
      const errors = [{ code, message }]
      return [status, ...json({ success: false, errors, messages: [], result: null })]
    }
  }

  /** Passes a request on to the Worker that has the custom domain. */
  async #ofService({ method, headers }, url, body) {
    const [, , host, ...rest] = url.pathname.split('/')
    const worker = this.domains.get(host)
    if (worker === undefined) return [523, 'no such domain', {}]
    const path = `https://${host}/${rest.join('/')}`
    this.requests.push({ method, path, body })
    const { host: _, connection, 'transfer-encoding': __, ...sent } = headers
    const init = { method, headers: sent, ...(body.length > 0 ? { body } : {}) }
    const answer = await this.#runtime.fetch(worker, `${path}${url.search}`, init)
    return [answer.status, await answer.text(), { 'Content-Type': answer.headers.get('Content-Type') }]
  }
}

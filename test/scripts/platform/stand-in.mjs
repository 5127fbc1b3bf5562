import { once } from 'node:events'
import { createServer } from 'node:http'
import { gzipSync } from 'node:zlib'
import { Databases } from './databases.mjs'
import { TOKEN } from './project.mjs'
import { Refusal, resultOf } from './routes.mjs'
import { startRuntime } from './runtime.mjs'

/** Enough for production and sandbox, and for databases that are created and deleted. */
const DATABASE_IDS = Array.from({ length: 8 }, (_, n) => `dddddddd-0000-4000-8000-${String(n).padStart(12, '0')}`)

/** Headers of one connection, which are not passed on. */
const OF_CONNECTION = ['connection', 'content-length', 'host', 'transfer-encoding']

async function bodyOf(request) {
  const parts = []
  for await (const part of request) parts.push(part)
  return Buffer.concat(parts)
}

const json = (value) => [JSON.stringify(value), { 'Content-Type': 'application/json' }]

/**
 * Stands in for the part of Cloudflare's API that deployments and backups use. It records requests, keeps databases,
 * namespaces and buckets, runs SQL and uploaded Workers in the real runtime, and serves their custom domains below
 * `/service/`.
 */
export class Platform {
  /** @type {{ method: string, path: string, body: Buffer }[]} */
  requests = []
  databases = new Map()
  namespaces = new Map()
  buckets = new Map()
  workers = new Map()
  domains = new Map()
  /** Objects of the buckets, by bucket and key. @type {Map<string, Buffer>} */
  objects = new Map()
  /** Null in an account without one. @type {string | null} */
  subdomain = 'clinic'
  /** Whether the token has write permissions. */
  mayWrite = true
  /** @type {Databases} */
  sql
  #ids = DATABASE_IDS
  #runtime
  #server

  /** @param {string[]} ids of the databases that can be created */
  static async start(ids = DATABASE_IDS) {
    const platform = new Platform()
    platform.#ids = [...ids]
    platform.#runtime = startRuntime(ids)
    platform.sql = new Databases(platform.#runtime)
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

  /** The requests that changed something, such as `POST /d1/database`. */
  get changes() {
    const isRead = ({ method, path, body }) =>
      method === 'GET' ||
      // `npm run setup` sends the last one to check whether the token may write.
      (path.endsWith('/query') && /^\{"sql":"SELECT /.test(body.toString())) ||
      body.toString() === '{}'
    return this.requests.filter((each) => !isRead(each)).map(({ method, path }) => `${method} ${path}`)
  }

  /** @returns {Promise<Record<string, any>[]>} the rows of one statement */
  async query(name, sql) {
    const [{ results }] = await this.sql.query(this.databases.get(name).uuid, sql)
    return results
  }

  /** An object of a bucket. The first request for each is deferred. */
  async object({ path, headers: _ }, key) {
    if (this.requests.filter((each) => each.path === path && each.method === 'GET').length === 1)
      throw new Refusal(429, 10429, 'slowly')
    const bytes = this.objects.get(key) ?? (await this.#runtime.object(key))
    if (bytes === undefined) throw new Refusal(404, 10007, 'The specified key does not exist.')
    return bytes
  }

  addDatabase(name, jurisdiction = null) {
    if (this.databases.has(name)) throw new Refusal(400, 7502, 'Database with name already exists')
    const database = { uuid: this.#ids.shift(), name, jurisdiction, version: 'production' }
    this.databases.set(name, database)
    return database
  }

  /** Its ID is not reused, because its rows stay. */
  deleteDatabase(id) {
    for (const [name, { uuid }] of this.databases) if (uuid === id) this.databases.delete(name)
    return {}
  }

  run = (name, version) => this.#runtime.run(name, version)

  async #answer(request, response) {
    const body = await bodyOf(request)
    const url = new URL(request.url, this.origin)
    const [status, text, headers] = await this.#answerTo(request, url, body)
    response.writeHead(status, headers).end(text)
  }

  #answerTo(request, url, body) {
    if (url.pathname.startsWith('/service/')) return this.#ofService(request, url, body)
    if (url.pathname.startsWith('/files/')) return this.#ofFiles(request, url, body)
    return this.#ofApi(request, url, body)
  }

  async #ofFiles({ headers }, url, body) {
    return [200, '', { ETag: this.sql.upload(url.pathname.slice('/files/'.length), body, headers) }]
  }

  async #ofApi({ method, headers }, url, body) {
    const path = url.pathname.replace(/^\/accounts\/account(?=\/)/, '')
    const record = { method, path, query: url.searchParams, headers, body }
    this.requests.push(record)
    try {
      if (headers.authorization !== `Bearer ${TOKEN}`) throw new Refusal(403, 10000, 'Authentication error')
      if (!this.mayWrite && method !== 'GET') throw new Refusal(403, 10000, 'Authentication error')
      const result = await resultOf(this, record)
      if (Buffer.isBuffer(result)) return [200, result, {}]
      return [200, ...json({ success: true, errors: [], messages: [], result })]
    } catch ({ status = 400, code = 7500, message }) {
      const errors = [{ code, message }]
      const [text, type] = json({ success: false, errors, messages: [], result: null })
      return [status, text, { ...type, ...(status === 429 ? { 'Retry-After': '0' } : {}) }]
    }
  }

  /** Passes a request on to the Worker with the custom domain. */
  async #ofService({ method, headers }, url, body) {
    const [, , host, ...rest] = url.pathname.split('/')
    const worker = this.domains.get(host)
    if (worker === undefined) return [523, 'no such domain', {}]
    const path = `https://${host}/${rest.join('/')}`
    this.requests.push({ method, path, body })
    const sent = Object.entries(headers).filter(([name]) => !OF_CONNECTION.includes(name))
    const init = { method, headers: Object.fromEntries(sent), ...(body.length > 0 ? { body } : {}) }
    const answer = await this.#runtime.fetch(worker, `${path}${url.search}`, init)
    const all = [...answer.headers].filter(([name]) => !OF_CONNECTION.includes(name))
    return compressed(answer.status, await answer.text(), Object.fromEntries(all), headers['accept-encoding'])
  }
}

/** The edge compresses responses, which makes their entity tags weak. */
function compressed(status, text, { etag, ...headers }, accepted = '') {
  if (!accepted.includes('gzip') || text === '')
    return [status, text, etag === undefined ? headers : { ...headers, ETag: etag }]
  const weak = etag === undefined ? {} : { ETag: etag.replace(/^(?!W\/)/, 'W/') }
  return [status, gzipSync(text), { ...headers, ...weak, 'Content-Encoding': 'gzip' }]
}

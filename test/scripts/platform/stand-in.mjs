import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { startRuntime } from './runtime.mjs'

export const TOKEN = 'token-of-the-tests'

/** Enough for production and sandbox. */
const DATABASE_IDS = ['1', '2', '3', '4'].map((digit) => `dddddddd-0000-4000-8000-${digit.repeat(12)}`)

class Refusal extends Error {
  constructor(status, code, message) {
    super(message)
    this.status = status
    this.code = code
  }
}

const notFound = () => new Refusal(404, 10007, 'This Worker does not exist on your account.')

async function bodyOf(request) {
  const parts = []
  for await (const part of request) parts.push(part)
  return Buffer.concat(parts)
}

/**
 * Stands in for the part of Cloudflare's API that deployments use. It records what is asked, keeps databases, namespaces
 * and buckets, runs SQL and uploaded Workers in the real runtime, and answers for their custom domains below `/service/`.
 */
export class Platform {
  /** @type {{ method: string, path: string, body: any }[]} */
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
    return this.requests
      .filter(({ method }) => method !== 'GET')
      .map(({ method, path }) => `${method} ${path}`)
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

  async #answer(request, response) {
    const body = await bodyOf(request)
    const url = new URL(request.url, this.origin)
    const send = (status, text, headers = {}) => {
      const stop = this.#interruption
      if (!stop?.pattern.test(`${request.method} ${url.pathname} ${body}`)) {
        response.writeHead(status, headers).end(text)
        return
      }
      this.#interruption = undefined
      stop.then()
    }
    if (url.pathname.startsWith('/service/')) return this.#passOn(request, url, body, send)
    const path = url.pathname.replace(/^\/accounts\/account/, '')
    const record = { method: request.method, path, query: url.searchParams, headers: request.headers, body }
    this.requests.push(record)
    try {
      if (request.headers.authorization !== `Bearer ${TOKEN}`)
        throw new Refusal(403, 10000, 'Authentication error')
      const result = await this.#route(record)
      send(200, JSON.stringify({ success: true, errors: [], messages: [], result }), JSON_TYPE)
    } catch (error) {
      const errors = [{ code: error.code ?? 7500, message: error.message }]
      send(
        error.status ?? 400,
        JSON.stringify({ success: false, errors, messages: [], result: null }),
        JSON_TYPE,
      )
    }
  }

  /** To the Worker that has the custom domain. */
  async #passOn(request, url, body, send) {
    const [, , host, ...rest] = url.pathname.split('/')
    const worker = this.domains.get(host)
    if (worker === undefined) return send(523, 'no such domain')
    this.requests.push({ method: request.method, path: `https://${host}/${rest.join('/')}`, body })
    const { host: _, connection, 'transfer-encoding': __, ...headers } = request.headers
    const init = { method: request.method, headers, ...(body.length > 0 ? { body } : {}) }
    const answer = await this.#runtime.fetch(worker, `https://${host}/${rest.join('/')}${url.search}`, init)
    send(answer.status, await answer.text(), {
      'Content-Type': answer.headers.get('Content-Type') ?? 'text/plain',
    })
  }

  async #route(record) {
    for (const [method, pattern, handle] of ROUTES) {
      const match = method === record.method && pattern.exec(record.path)
      if (match) return handle(this, record, match.slice(1))
    }
    throw new Refusal(404, 7003, `The stand-in has no ${record.method} ${record.path}`)
  }

  runSql = (id, sql) => this.#runtime.query(id, sql)
  run = (name, version) => this.#runtime.run(name, version)
}

const JSON_TYPE = { 'Content-Type': 'application/json' }

const parsed = ({ body }) => JSON.parse(body)

const workerNamed = (platform, name) => {
  const worker = platform.workers.get(name)
  if (worker === undefined) throw notFound()
  return worker
}

function createDatabase(platform, record) {
  const { name, jurisdiction } = parsed(record)
  return platform.addDatabase(name, jurisdiction)
}

function createNamespace(platform, record) {
  const { title } = parsed(record)
  const namespace = { id: randomUUID().replaceAll('-', ''), title }
  platform.namespaces.set(title, namespace)
  return namespace
}

function createBucket(platform, record) {
  const { name } = parsed(record)
  if (platform.buckets.has(name))
    throw new Refusal(409, 10004, 'The bucket you tried to create already exists.')
  platform.buckets.set(name, { name, jurisdiction: record.headers['cf-r2-jurisdiction'] })
  return {}
}

/** Adds a version, which does not serve yet. Secrets of the version before stay, as on the platform. */
async function addVersion(platform, record, [name]) {
  const form = await new Response(record.body, {
    headers: { 'Content-Type': record.headers['content-type'] },
  }).formData()
  const metadata = JSON.parse(form.get('metadata'))
  const code = await form.get(metadata.main_module).text()
  const worker = platform.workers.get(name) ?? { versions: [], current: undefined }
  const before = worker.versions.at(-1)?.metadata.bindings ?? []
  const kept = before.filter(
    (old) => old.type === 'secret_text' && !metadata.bindings.some((binding) => binding.name === old.name),
  )
  metadata.bindings.push(...kept)
  const version = { id: randomUUID(), metadata, code }
  worker.versions.push(version)
  platform.workers.set(name, worker)
  return { id: version.id, startup_time_ms: 1, metadata: {} }
}

async function serve(platform, name, id) {
  const worker = workerNamed(platform, name)
  worker.current = id
  await platform.run(
    name,
    worker.versions.find((version) => version.id === id),
  )
}

async function upload(platform, record, [name]) {
  const { id } = await addVersion(platform, record, [name])
  await serve(platform, name, id)
  return { id: name, tag: 'tag', deployment_id: id, startup_time_ms: 1 }
}

async function deployVersion(platform, record, [name]) {
  await serve(platform, name, parsed(record).versions[0].version_id)
  return { id: randomUUID() }
}

const bindingsOf = ({ metadata }) =>
  metadata.bindings.map((binding) =>
    binding.type === 'secret_text' ? { name: binding.name, type: binding.type } : binding,
  )

const describeVersion = (version) => ({
  id: version.id,
  number: 1,
  metadata: { created_on: '2026-01-01T00:00:00Z', source: 'wrangler' },
  annotations: {},
  resources: {
    bindings: bindingsOf(version),
    script: { handlers: ['fetch'] },
    script_runtime: { compatibility_date: version.metadata.compatibility_date },
  },
})

const SCRIPT = String.raw`/workers/scripts/([\w-]+)`

/** @type {[string, RegExp, (platform: Platform, record: any, names: string[]) => any][]} */
const ROUTES = [
  ['GET', /^\/d1\/database$/, ({ databases }) => [...databases.values()]],
  ['POST', /^\/d1\/database$/, createDatabase],
  [
    'GET',
    /^\/d1\/database\/([\w-]+)$/,
    ({ databases }, _, [name]) => {
      if (!databases.has(name)) throw new Refusal(404, 7404, 'The database could not be found')
      return databases.get(name)
    },
  ],
  [
    'POST',
    /^\/d1\/database\/([\w-]+)\/query$/,
    (platform, record, [id]) => platform.runSql(id, parsed(record).sql),
  ],
  ['GET', /^\/storage\/kv\/namespaces$/, ({ namespaces }) => [...namespaces.values()]],
  ['POST', /^\/storage\/kv\/namespaces$/, createNamespace],
  ['POST', /^\/r2\/buckets$/, createBucket],
  [
    'GET',
    /^\/workers\/services\/([\w-]+)$/,
    (platform, _, [name]) => {
      workerNamed(platform, name)
      return {
        default_environment: {
          environment: 'production',
          script: { tag: 'tag', last_deployed_from: 'wrangler' },
        },
      }
    },
  ],
  ['POST', new RegExp(`^${SCRIPT}/assets-upload-session$`), () => ({ jwt: 'jwt', buckets: [] })],
  ['PUT', new RegExp(`^${SCRIPT}$`), upload],
  [
    'GET',
    new RegExp(`^${SCRIPT}/deployments$`),
    (platform, _, [name]) => {
      const { current } = workerNamed(platform, name)
      const versions = [{ version_id: current, percentage: 100 }]
      return {
        deployments: [
          {
            id: 'd',
            created_on: '2026-01-01T00:00:00Z',
            source: 'wrangler',
            strategy: 'percentage',
            versions,
          },
        ],
      }
    },
  ],
  ['POST', new RegExp(`^${SCRIPT}/deployments$`), deployVersion],
  ['POST', new RegExp(`^${SCRIPT}/versions$`), addVersion],
  ['PATCH', new RegExp(`^${SCRIPT}/script-settings$`), () => ({})],
  [
    'GET',
    new RegExp(`^${SCRIPT}/versions$`),
    (platform, _, [name]) => ({
      items: workerNamed(platform, name).versions.map(describeVersion).toReversed(),
    }),
  ],
  [
    'GET',
    new RegExp(`^${SCRIPT}/versions/([\\w-]+)$`),
    (platform, _, [name, id]) =>
      describeVersion(workerNamed(platform, name).versions.find((one) => one.id === id)),
  ],
  ['GET', new RegExp(`^${SCRIPT}/subdomain$`), () => ({ enabled: false, previews_enabled: false })],
  ['POST', new RegExp(`^${SCRIPT}/subdomain$`), (_, record) => parsed(record)],
  ['PUT', new RegExp(`^${SCRIPT}/schedules$`), () => ({})],
  [
    'GET',
    new RegExp(`^${SCRIPT}/secrets$`),
    (platform, _, [name]) =>
      bindingsOf(workerNamed(platform, name).versions.at(-1)).filter(({ type }) => type === 'secret_text'),
  ],
  [
    'PUT',
    new RegExp(`^${SCRIPT}/domains/records$`),
    ({ domains }, record, [name]) => {
      for (const { hostname } of parsed(record).origins) domains.set(hostname, name)
      return {}
    },
  ],
]

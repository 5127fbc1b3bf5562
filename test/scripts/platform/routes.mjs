import { randomUUID } from 'node:crypto'

/** An error response of the API. */
export class Refusal extends Error {
  constructor(status, code, message) {
    super(message)
    Object.assign(this, { status, code })
  }
}

const parsed = ({ body }) => JSON.parse(body)

/** One page of a list. */
function paged(entries, { query }) {
  const [page, size] = [Number(query.get('page') ?? 1), Number(query.get('per_page') ?? 20)]
  return [...entries].slice((page - 1) * size, page * size)
}

/** @throws {Refusal} if it does not exist */
function found(thing, ...refusal) {
  if (thing === undefined || thing === null) throw new Refusal(404, ...refusal)
  return thing
}

const workerNamed = ({ workers }, name) =>
  found(workers.get(name), 10007, 'This Worker does not exist on your account.')
const databaseOf = ({ databases }, id) => [...databases.values()].find(({ uuid }) => uuid === id)

function createDatabase(platform, record) {
  const { name, jurisdiction } = parsed(record)
  if (name === undefined) throw new Refusal(400, 7400, 'The request is malformed: no name')
  return platform.addDatabase(name, jurisdiction)
}

function createNamespace({ namespaces }, record) {
  const { title } = parsed(record)
  if (title === undefined) throw new Refusal(400, 10019, 'malformed namespace title')
  const namespace = { id: randomUUID().replaceAll('-', ''), title }
  namespaces.set(title, namespace)
  return namespace
}

function createBucket({ buckets }, record) {
  const { name } = parsed(record)
  if (name === undefined) throw new Refusal(400, 10005, 'The specified bucket name is not valid.')
  if (buckets.has(name)) throw new Refusal(409, 10004, 'The bucket you tried to create already exists.')
  buckets.set(name, { name, jurisdiction: record.headers['cf-r2-jurisdiction'] })
  return {}
}

/** Adds a version, and makes it the active one. Secrets of the previous version stay, as on the platform. */
async function upload(platform, { headers, body }, name) {
  const form = await new Response(body, { headers: { 'Content-Type': headers['content-type'] } }).formData()
  const metadata = JSON.parse(form.get('metadata'))
  const code = await form.get(metadata.main_module).text()
  const worker = platform.workers.get(name) ?? { versions: [], deployments: [] }
  const before = worker.versions.at(-1)?.metadata.bindings ?? []
  const isNew = (old) => metadata.bindings.some((binding) => binding.name === old.name)
  metadata.bindings.push(...before.filter((old) => old.type === 'secret_text' && !isNew(old)))
  const version = { id: randomUUID(), metadata, code }
  worker.versions.push(version)
  worker.deployments.push(version.id)
  platform.workers.set(name, worker)
  await platform.run(name, version)
  return { id: name, tag: 'tag', deployment_id: version.id, startup_time_ms: 1 }
}

const versionOf = (platform, name, id) => workerNamed(platform, name).versions.find((version) => version.id === id)

const bindingsOf = ({ metadata }) =>
  metadata.bindings.map((one) => (one.type === 'secret_text' ? { name: one.name, type: one.type } : one))

const AT = { created_on: '2026-01-01T00:00:00Z', source: 'wrangler' }

const describeDeployment = (id) => ({
  ...{ id: randomUUID(), ...AT, strategy: 'percentage', versions: [{ version_id: id, percentage: 100 }] },
})

const describeVersion = (version) => ({
  ...{ id: version.id, number: 1, metadata: AT, annotations: {} },
  resources: {
    bindings: bindingsOf(version),
    script: { handlers: ['fetch'] },
    script_runtime: { compatibility_date: version.metadata.compatibility_date },
  },
})

const SERVICE = { environment: 'production', script: { tag: 'tag', last_deployed_from: 'wrangler' } }

/** The keys of a bucket. */
const keysIn = ({ objects }, bucket) =>
  [...objects.keys()]
    .filter((key) => key.startsWith(`${bucket}/`))
    .map((key) => ({ key: key.slice(bucket.length + 1) }))

function mapDomains({ domains }, record, worker) {
  for (const { hostname } of parsed(record).origins) domains.set(hostname, worker)
  return {}
}

const DATABASE = '/d1/database/:id'
const OBJECT = '/r2/buckets/:bucket/objects/*'
const SCRIPT = '/workers/scripts/:name'

/** By method and path. @type {Record<string, (platform: any, record: any, ...names: string[]) => any>} */
const ROUTES = {
  'GET /accounts': () => [{ id: 'account', name: 'Clinic' }],
  'GET /zones': (_, { query }) => (query.get('name') === 'clinic.example' ? [{ id: 'zone' }] : []),
  'GET /d1/database': ({ databases }, record) => paged(databases.values(), record),
  'POST /d1/database': createDatabase,
  [`GET ${DATABASE}`]: (platform, _, id) => ({ running_in_region: 'APAC', ...databaseOf(platform, id) }),
  [`DELETE ${DATABASE}`]: (platform, _, id) => platform.deleteDatabase(id),
  [`POST ${DATABASE}/query`]: ({ sql }, record, id) => sql.query(id, parsed(record).sql, parsed(record).params),
  [`POST ${DATABASE}/export`]: () => {
    throw new Refusal(400, 7500, 'cannot export databases with Virtual Tables (fts5)')
  },
  [`POST ${DATABASE}/import`]: ({ sql, origin }, record, id) => sql.import(id, parsed(record), origin),
  'POST /r2/buckets': createBucket,
  'GET /r2/buckets/:name': ({ buckets }, _, name) =>
    found(buckets.get(name), 10006, 'The specified bucket does not exist.'),
  'DELETE /r2/buckets/:name': ({ buckets }, _, name) => void buckets.delete(name),
  'GET /r2/buckets/:name/objects': (platform, record, name) => paged(keysIn(platform, name), record),
  [`GET ${OBJECT}`]: (platform, record, ...names) => platform.object(record, names.join('/')),
  [`PUT ${OBJECT}`]: ({ objects }, { body }, ...names) => void objects.set(names.join('/'), body),
  [`DELETE ${OBJECT}`]: ({ objects }, _, ...names) => void objects.delete(names.join('/')),
  'GET /storage/kv/namespaces': ({ namespaces }, record) => paged(namespaces.values(), record),
  'POST /storage/kv/namespaces': createNamespace,
  'GET /workers/subdomain': ({ subdomain }) => ({
    subdomain: found(subdomain, 10007, 'This account has no workers.dev subdomain.'),
  }),
  'GET /workers/domains': ({ domains }, { query }) =>
    [...domains]
      .map(([hostname, service]) => ({ hostname, service }))
      .filter(({ hostname }) => hostname === query.get('hostname')),
  'GET /workers/services/:name': (platform, _, name) => workerNamed(platform, name) && { default_environment: SERVICE },
  'GET /workers/workers/:name': (platform, _, name) =>
    workerNamed(platform, name) && { name, subdomain: { enabled: false, previews_enabled: false } },
  [`PUT ${SCRIPT}`]: upload,
  [`POST ${SCRIPT}/assets-upload-session`]: () => ({ jwt: 'jwt', buckets: [] }),
  [`GET ${SCRIPT}/deployments`]: (platform, _, name) => ({
    deployments: workerNamed(platform, name).deployments.map(describeDeployment).toReversed(),
  }),
  [`POST ${SCRIPT}/versions`]: () => {
    throw new Refusal(400, 10021, 'no script')
  },
  [`GET ${SCRIPT}/versions/:id`]: (platform, _, name, id) => describeVersion(versionOf(platform, name, id)),
  [`GET ${SCRIPT}/secrets`]: (platform, _, name) =>
    bindingsOf(workerNamed(platform, name).versions.at(-1)).filter(({ type }) => type === 'secret_text'),
  [`PATCH ${SCRIPT}/script-settings`]: () => ({}),
  [`POST ${SCRIPT}/subdomain`]: (_, record) => parsed(record),
  [`PUT ${SCRIPT}/schedules`]: () => ({}),
  [`PUT ${SCRIPT}/domains/records`]: mapDomains,
}

const PATTERNS = Object.entries(ROUTES).map(([route, handle]) => ({
  pattern: new RegExp(`^${route.replaceAll(/:\w+/g, '([\\w-]+)').replace('*', '(.+)')}$`),
  handle,
}))

/** The API's response to a request. */
export async function resultOf(platform, record) {
  const { method, path } = record
  for (const { pattern, handle } of PATTERNS) {
    const match = pattern.exec(`${method} ${path}`)
    if (match) return (await handle(platform, record, ...match.slice(1))) ?? {}
  }
  throw new Refusal(404, 7003, `The stand-in has no ${method} ${path}`)
}

import { randomUUID } from 'node:crypto'
import { Refusal } from './refusal.mjs'

const parsed = ({ body }) => JSON.parse(body)

/** One page of a list. */
function paged(entries, { query }) {
  const [page, size] = [Number(query.get('page') ?? 1), Number(query.get('per_page') ?? 20)]
  return [...entries.values()].slice((page - 1) * size, page * size)
}

const workerNamed = (platform, name) => {
  const worker = platform.workers.get(name)
  if (worker === undefined) throw new Refusal(404, 10007, 'This Worker does not exist on your account.')
  return worker
}

function createDatabase(platform, record) {
  const { name, jurisdiction } = parsed(record)
  if (name === undefined) throw new Refusal(400, 7400, 'The request is malformed: no name')
  return platform.addDatabase(name, jurisdiction)
}

function createNamespace(platform, record) {
  const { title } = parsed(record)
  if (title === undefined) throw new Refusal(400, 10019, 'malformed namespace title')
  const namespace = { id: randomUUID().replaceAll('-', ''), title }
  platform.namespaces.set(title, namespace)
  return namespace
}

function createBucket(platform, record) {
  const { name } = parsed(record)
  if (name === undefined) throw new Refusal(400, 10005, 'The specified bucket name is not valid.')
  if (platform.buckets.has(name)) throw new Refusal(409, 10004, 'The bucket you tried to create already exists.')
  platform.buckets.set(name, { name, jurisdiction: record.headers['cf-r2-jurisdiction'] })
  return {}
}

/** Adds a version, which does not serve yet. Secrets of the version before stay, as on the platform. */
async function addVersion(platform, record, [name]) {
  if (platform.subdomain === null)
    throw new Refusal(403, 10063, 'You need a workers.dev subdomain in order to proceed.')
  if (record.headers['content-type'] === 'application/json') throw new Refusal(400, 10021, 'no script')
  const form = await new Response(record.body, {
    headers: { 'Content-Type': record.headers['content-type'] },
  }).formData()
  const metadata = JSON.parse(form.get('metadata'))
  const code = await form.get(metadata.main_module).text()
  const worker = platform.workers.get(name) ?? { versions: [], deployments: [] }
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

/** Makes a version the one that serves. */
async function serve(platform, name, id) {
  const { versions, deployments } = workerNamed(platform, name)
  deployments.push(id)
  await platform.run(
    name,
    versions.find((version) => version.id === id),
  )
  return { id: randomUUID() }
}

/** Changes secrets of the last version, which makes another one. */
async function changeSecrets(platform, record, [name]) {
  const { versions } = workerNamed(platform, name)
  const { metadata, code } = versions.at(-1)
  const { secrets } = parsed(record)
  const bindings = metadata.bindings.filter((binding) => !(binding.name in secrets))
  const added = Object.values(secrets).filter((secret) => secret !== null)
  const version = { id: randomUUID(), metadata: { ...metadata, bindings: [...bindings, ...added] }, code }
  versions.push(version)
  await serve(platform, name, version.id)
  return {}
}

async function upload(platform, record, [name]) {
  const { id } = await addVersion(platform, record, [name])
  await serve(platform, name, id)
  return { id: name, tag: 'tag', deployment_id: id, startup_time_ms: 1 }
}

const bindingsOf = ({ metadata }) =>
  metadata.bindings.map((binding) =>
    binding.type === 'secret_text' ? { name: binding.name, type: binding.type } : binding,
  )

const describeDeployment = (id) => ({
  id: randomUUID(),
  created_on: '2026-01-01T00:00:00Z',
  source: 'wrangler',
  strategy: 'percentage',
  versions: [{ version_id: id, percentage: 100 }],
})

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

/** @type {[string, RegExp, (platform: import('./stand-in.mjs').Platform, record: any, names: string[]) => any][]} */
const ROUTES = [
  ['GET', /^\/accounts$/, () => [{ id: 'account', name: 'Clinic' }]],
  ['GET', /^\/zones\/zone\/workers\/routes$/, () => []],
  ['GET', /^\/zones$/, (_, { query }) => (query.get('name') === 'clinic.example' ? [{ id: 'zone' }] : [])],
  ['GET', /^\/d1\/database$/, ({ databases }, record) => paged(databases, record)],
  ['POST', /^\/d1\/database$/, createDatabase],
  [
    'GET',
    /^\/d1\/database\/([\w-]+)$/,
    ({ databases }, _, [id]) => ({
      running_in_region: 'APAC',
      ...[...databases.values()].find(({ uuid }) => uuid === id),
    }),
  ],
  ['DELETE', /^\/d1\/database\/([\w-]+)$/, (platform, _, [id]) => platform.deleteDatabase(id)],
  ['GET', /^\/d1\/database\/([\w-]+)\/time_travel\/bookmark$/, ({ sql }, _, [id]) => sql.bookmark(id)],
  [
    'POST',
    /^\/d1\/database\/([\w-]+)\/time_travel\/restore$/,
    ({ sql }, { query }, [id]) => sql.travel(id, query.get('bookmark')),
  ],
  [
    'POST',
    /^\/d1\/database\/([\w-]+)\/query$/,
    (platform, record, [id]) => platform.sql.query(id, parsed(record).sql, parsed(record).params),
  ],
  [
    'POST',
    /^\/d1\/database\/([\w-]+)\/(export|import)$/,
    (platform, record, [id, action]) => platform.sql[action](id, parsed(record), platform.origin),
  ],
  [
    'GET',
    /^\/r2\/buckets\/([\w-]+)\/objects$/,
    ({ objects }, record, [name]) =>
      paged(
        [...objects.keys()]
          .filter((key) => key.startsWith(`${name}/`))
          .map((key) => ({ key: key.slice(name.length + 1) })),
        record,
      ),
  ],
  [
    'DELETE',
    /^\/r2\/buckets\/([\w-]+)\/objects\/(.+)$/,
    (platform, _, names) => {
      platform.objects.delete(names.join('/'))
      return {}
    },
  ],
  [
    'DELETE',
    /^\/r2\/buckets\/([\w-]+)$/,
    ({ buckets }, _, [name]) => {
      buckets.delete(name)
      return {}
    },
  ],
  [
    'GET',
    /^\/r2\/buckets\/([\w-]+)\/objects\/(.+)$/,
    (platform, record, names) => platform.object(record, names.join('/')),
  ],
  [
    'PUT',
    /^\/r2\/buckets\/([\w-]+)\/objects\/(.+)$/,
    (platform, record, names) => {
      platform.objects.set(names.join('/'), record.body)
      return {}
    },
  ],
  [
    'GET',
    /^\/workers\/subdomain$/,
    ({ subdomain }) => {
      if (subdomain === null) throw new Refusal(404, 10007, 'This account has no workers.dev subdomain.')
      return { subdomain }
    },
  ],
  ['GET', /^\/storage\/kv\/namespaces$/, ({ namespaces }, record) => paged(namespaces, record)],
  ['POST', /^\/storage\/kv\/namespaces$/, createNamespace],
  ['POST', /^\/r2\/buckets$/, createBucket],
  [
    'GET',
    /^\/r2\/buckets\/([\w-]+)$/,
    ({ buckets }, _, [name]) => {
      if (!buckets.has(name)) throw new Refusal(404, 10006, 'The specified bucket does not exist.')
      return buckets.get(name)
    },
  ],
  [
    'GET',
    /^\/workers\/domains$/,
    ({ domains }, { query }) =>
      [...domains]
        .map(([hostname, service]) => ({ hostname, service }))
        .filter(({ hostname }) => hostname === query.get('hostname')),
  ],
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
      const { deployments } = workerNamed(platform, name)
      return { deployments: deployments.map(describeDeployment).toReversed() }
    },
  ],
  [
    'POST',
    new RegExp(`^${SCRIPT}/deployments$`),
    (platform, record, [name]) => serve(platform, name, parsed(record).versions[0].version_id),
  ],
  ['POST', new RegExp(`^${SCRIPT}/versions$`), addVersion],
  [
    'GET',
    new RegExp(`^${SCRIPT}/versions$`),
    (platform, _, [name]) => ({ items: workerNamed(platform, name).versions.map(describeVersion) }),
  ],
  ['PATCH', new RegExp(`^${SCRIPT}/secrets-bulk$`), changeSecrets],
  ['POST', new RegExp(`^${SCRIPT}/tails$`), ({ tails, origin }) => tails.open(origin)],
  ['DELETE', new RegExp(`^${SCRIPT}/tails/[\\w-]+$`), () => ({})],
  ['PATCH', new RegExp(`^${SCRIPT}/script-settings$`), () => ({})],
  [
    'GET',
    new RegExp(`^${SCRIPT}/versions/([\\w-]+)$`),
    (platform, _, [name, id]) => describeVersion(workerNamed(platform, name).versions.find((one) => one.id === id)),
  ],
  [
    'GET',
    /^\/workers\/workers\/([\w-]+)$/,
    (platform, _, [name]) => {
      workerNamed(platform, name)
      return { name, subdomain: { enabled: false, previews_enabled: false } }
    },
  ],
  ['POST', new RegExp(`^${SCRIPT}/subdomain$`), (_, record) => parsed(record)],
  ['PUT', new RegExp(`^${SCRIPT}/schedules$`), (platform, _, [name]) => platform.runSchedule(name)],
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

/** What the API answers to a request. */
export async function resultOf(platform, record) {
  for (const { method, path, status, code, message } of platform.refused)
    if (method === record.method && path.test(record.path)) throw new Refusal(status, code, message)
  for (const [method, pattern, handle] of ROUTES) {
    const match = method === record.method && pattern.exec(record.path)
    if (match) return handle(platform, record, match.slice(1))
  }
  throw new Refusal(404, 7003, `The stand-in has no ${record.method} ${record.path}`)
}

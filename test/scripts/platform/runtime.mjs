import { convertV4MiniflareOptions, Miniflare, Response } from 'miniflare'

/** Runs statements in one of its databases, in one transaction. */
const DATABASES = `export default {
  async fetch(request, env) {
    const { database, statements, params } = await request.json()
    try {
      const base = env[database]
      return Response.json(await base.batch(statements.map((sql) => base.prepare(sql).bind(...params))))
    } catch ({ message }) {
      return new Response(message, { status: 400 })
    }
  },
}`

/** The bindings of an uploaded Worker, in Miniflare's format. */
const BINDINGS = {
  plain_text: ({ name, text }) => ({ bindings: { [name]: text } }),
  secret_text: ({ name, text }) => ({ bindings: { [name]: text } }),
  d1: ({ name, id }) => ({ d1Databases: { [name]: id } }),
  kv_namespace: ({ name, namespace_id }) => ({ kvNamespaces: { [name]: namespace_id } }),
  r2_bucket: ({ name, bucket_name }) => ({ r2Buckets: { [name]: bucket_name } }),
  durable_object_namespace: ({ name, class_name }) => ({
    durableObjects: { [name]: { className: class_name, useSQLite: true } },
  }),
  ratelimit: ({ name, namespace_id, simple }) => ({ ratelimits: { [name]: { namespace_id, simple } } }),
  assets: ({ name }) => ({ serviceBindings: { [name]: () => new Response(null, { status: 404 }) } }),
}

function workerOptions(name, { code, metadata }) {
  const options = { name, modules: [{ type: 'ESModule', path: 'index.js', contents: code }] }
  for (const binding of metadata.bindings) {
    for (const [kind, value] of Object.entries(BINDINGS[binding.type](binding))) {
      options[kind] = { ...options[kind], ...value }
    }
  }
  return { ...options, compatibilityDate: metadata.compatibility_date }
}

/**
 * The runtime behind the stand-in: databases that execute SQL, and the uploaded Workers.
 *
 * @param {string[]} databases their IDs
 */
export function startRuntime(databases) {
  const workers = new Map()
  const options = () =>
    convertV4MiniflareOptions({
      cf: false,
      logRequests: false,
      // One line per request would hide the tests' output. Errors are printed.
      handleStructuredLogs: ({ level, message }) => {
        if (level === 'error') process.stderr.write(`${message}\n`)
      },
      workers: [
        {
          name: 'databases',
          modules: [{ type: 'ESModule', path: 'databases.js', contents: DATABASES }],
          compatibilityDate: '2026-08-03',
          // Miniflare rejects origins that are not hosts of a route.
          routes: ['*.example/*'],
          d1Databases: Object.fromEntries(databases.map((id) => [id, id])),
        },
        ...[...workers].map(([name, version]) => workerOptions(name, version)),
      ],
    })
  const miniflare = new Miniflare(options())
  return {
    /** Runs statements in one transaction, each with its parameters. @returns {Promise<any[]>} a result for each */
    async query(database, statements, params = []) {
      const init = { method: 'POST', body: JSON.stringify({ database, statements, params }) }
      const answer = await miniflare.dispatchFetch('http://databases/', init)
      if (!answer.ok) throw new Error(await answer.text())
      return answer.json()
    },
    async run(name, version) {
      workers.set(name, version)
      await miniflare.setOptions(options())
    },
    /** An object that a Worker has stored in its bucket. @param {string} path bucket and key */
    async object(path) {
      const [bucket, ...key] = path.split('/')
      for (const [name, { metadata }] of workers) {
        const binding = metadata.bindings.find((each) => each.bucket_name === bucket)
        const object = binding && (await (await miniflare.getR2Bucket(binding.name, name)).get(key.join('/')))
        if (object) return Buffer.from(await object.arrayBuffer())
      }
      return undefined
    },
    async fetch(name, url, init) {
      const worker = await miniflare.getWorker(name)
      return worker.fetch(url, init)
    },
    close: () => miniflare.dispose(),
  }
}

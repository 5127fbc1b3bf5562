/** The Worker in a bare workerd with a heap limit, and its D1 database on a thread of this process. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import workerd from 'workerd'
import { readConfiguration } from '../scripts/configuration.mjs'
import { ensureSecrets } from '../scripts/secrets.mjs'
import { runWrangler } from '../scripts/wrangler.mjs'
import { startDatabase } from './d1-stand-in.mjs'
import { HttpClient } from './http-client.mjs'
import { owned, scratchDirectory } from './processes.mjs'

/** The package of the runtime is a CommonJS module. */
const WORKERD = workerd.default

/** A text literal in Cap'n Proto notation. */
const quoted = (text) => JSON.stringify(text)

/** Wraps the Worker and adds bindings that a workerd configuration cannot express. */
const ENTRY = `import worker from './index.js'
const unlimited = { limit: async () => ({ success: true }) }
let complete
export default {
  fetch(request, env, context) {
    complete ??= {
      ...env,
      TOKEN_RATE_LIMIT: unlimited,
      WORKSPACE_RATE_LIMIT: unlimited,
      PARTNER_RATE_LIMIT: unlimited,
    }
    return worker.fetch(request, complete, context)
  },
}
`

function configurationOf({ heapMegabytes, databasePort, variables, compatibilityDate }) {
  const flags = heapMegabytes === undefined ? '' : quoted(`--max-heap-size=${heapMegabytes}`)
  const texts = Object.entries(variables).map(([name, text]) => `(name = ${quoted(name)}, text = ${quoted(text)})`)
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  v8Flags = [${flags}],
  services = [
    (name = "main", worker = .worker),
    (name = "database", external = (address = "127.0.0.1:${databasePort}", http = ())),
  ],
  sockets = [(name = "direct", address = "127.0.0.1:0", http = (), service = "main")],
);
const worker :Workerd.Worker = (
  compatibilityDate = ${quoted(compatibilityDate)},
  modules = [
    (name = "entry.js", esModule = embed "entry.js"),
    (name = "index.js", esModule = embed "index.js"),
  ],
  bindings = [
    (name = "DB", wrapped = (
      moduleName = "cloudflare-internal:d1-api",
      innerBindings = [(name = "fetcher", service = "database")],
    )),
    ${texts.join(',\n    ')},
  ],
);
`
}

/** The Worker, built as for a deployment, and the database that its isolates share. */
export class IsolateHost {
  #directory = scratchDirectory('isolate')
  #variables
  #compatibilityDate
  /** @type {Awaited<ReturnType<typeof startDatabase>>} */
  #database

  static async prepare() {
    const host = new IsolateHost()
    const config = readConfiguration()
    host.#compatibilityDate = config.compatibility_date
    const { vars } = await ensureSecrets(path.join(host.#directory, '.dev.vars'))
    host.#variables = { ...config.vars, ...vars }
    await runWrangler(['deploy', '--dry-run', '--outdir', host.#directory])
    writeFileSync(path.join(host.#directory, 'entry.js'), ENTRY)
    host.#database = await startDatabase(path.join(host.#directory, 'DB.sqlite'))
    return host
  }

  get operatorToken() {
    return this.#variables.PLATFORM_ADMIN_TOKEN
  }

  /**
   * Runs a function against a separate isolate.
   *
   * @template T
   * @param {number | undefined} heapMegabytes limit of its heap
   * @param {(client: HttpClient, pid: number) => Promise<T>} use receives a client of the Worker, and its process ID
   * @returns {Promise<T>}
   */
  async withIsolate(heapMegabytes, use) {
    const file = path.join(this.#directory, 'config.capnp')
    writeFileSync(
      file,
      configurationOf({
        heapMegabytes,
        databasePort: this.#database.port,
        variables: this.#variables,
        compatibilityDate: this.#compatibilityDate,
      }),
    )
    const child = owned(
      spawn(WORKERD, ['serve', '--control-fd=3', file], { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] }),
    )
    const ended = once(child, 'exit')
    let client
    try {
      const port = await Promise.race([listeningPort(child), ended.then(() => undefined)])
      if (port === undefined) throw Object.assign(new Error('workerd did not start'), { code: 'ECONNREFUSED' })
      client = new HttpClient(`http://127.0.0.1:${port}`)
      return await use(client, child.pid)
    } finally {
      client?.close()
      child.kill('SIGKILL')
      await ended
    }
  }

  close() {
    return this.#database.stop()
  }
}

/** @returns {Promise<number | undefined>} the port on which workerd listens; undefined if it ends first */
async function listeningPort(child) {
  for await (const line of createInterface(child.stdio[3])) {
    const { event, port } = JSON.parse(line)
    if (event === 'listen') return port
  }
  return undefined
}

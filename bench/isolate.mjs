/** The Worker in a bare workerd whose heap can be limited, with each D1 database in a separate process. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import workerd from 'workerd'
import { ensureSecrets } from '../scripts/secrets.mjs'
import { root, runWrangler } from '../scripts/wrangler.mjs'
import { D1Process } from './d1-process.mjs'
import { HttpClient } from './http-client.mjs'
import { owned, scratchDirectory } from './scratch.mjs'

/** The package of the runtime is a CommonJS module. */
const WORKERD = workerd.default

/** A text in the notation of Cap'n Proto. */
const quoted = (text) => JSON.stringify(text)

/** Wraps the Worker and adds bindings that a configuration of workerd cannot express. */
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

/** Passes requests on to the Worker like an ingress, and cancels them when its own client leaves. */
const INGRESS = `export default { fetch: (request, env) => env.SERVICE.fetch(request) }
`

const externalDatabase = ([binding, { port }]) =>
  `(name = ${quoted(`d1-${binding}`)}, external = (address = "127.0.0.1:${port}", http = ())),`

const databaseBinding = ([binding]) => `(name = ${quoted(binding)}, wrapped = (
      moduleName = "cloudflare-internal:d1-api",
      innerBindings = [(name = "fetcher", service = ${quoted(`d1-${binding}`)})],
    )),`

function configurationOf({ heapMegabytes, databases, variables, compatibilityDate }) {
  const flags = heapMegabytes === undefined ? '' : quoted(`--max-heap-size=${heapMegabytes}`)
  const texts = Object.entries(variables).map(([name, text]) => `(name = ${quoted(name)}, text = ${quoted(text)})`)
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  v8Flags = [${flags}],
  services = [
    (name = "main", worker = .worker),
    (name = "ingress", worker = .ingress),
    ${[...databases].map(externalDatabase).join('\n    ')}
  ],
  sockets = [
    (name = "direct", address = "127.0.0.1:0", http = (), service = "main"),
    (name = "ingress", address = "127.0.0.1:0", http = (), service = "ingress"),
  ],
);
const ingress :Workerd.Worker = (
  compatibilityDate = ${quoted(compatibilityDate)},
  modules = [(name = "ingress.js", esModule = embed "ingress.js")],
  bindings = [(name = "SERVICE", service = "main")],
);
const worker :Workerd.Worker = (
  compatibilityDate = ${quoted(compatibilityDate)},
  modules = [
    (name = "entry.js", esModule = embed "entry.js"),
    (name = "index.js", esModule = embed "index.js"),
  ],
  bindings = [
    ${[...databases].map(databaseBinding).join('\n    ')}
    ${texts.join(',\n    ')},
  ],
);
`
}

const READ_CONFIGURATION = `
import { unstable_readConfig as readConfig } from 'wrangler'
const { compatibility_date, vars } = readConfig({ config: 'wrangler.toml' })
process.stdout.write(JSON.stringify({ compatibility_date, vars }))
`

/**
 * Reads the settings of the Worker from `wrangler.toml`, in another process, because wrangler changes the process
 * that loads it.
 */
async function readConfiguration() {
  const args = ['--input-type=module', '--eval', READ_CONFIGURATION]
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root })
  return JSON.parse(stdout)
}

/** The Worker, built like for a deployment, and the databases that its isolates share. */
export class IsolateHost {
  #directory = scratchDirectory('isolate')
  #variables
  #compatibilityDate
  /** @type {Map<string, D1Process>} by the name of the binding */
  databases = new Map()

  /** @param {string[]} [bindings] names of the databases */
  static async prepare(bindings = ['DB']) {
    const host = new IsolateHost()
    const config = await readConfiguration()
    host.#compatibilityDate = config.compatibility_date
    host.#variables = { ...config.vars, ...ensureSecrets(path.join(host.#directory, '.dev.vars')).vars }
    await runWrangler(['deploy', '--dry-run', '--outdir', host.#directory])
    writeFileSync(path.join(host.#directory, 'entry.js'), ENTRY)
    writeFileSync(path.join(host.#directory, 'ingress.js'), INGRESS)
    for (const binding of bindings) {
      const file = path.join(host.#directory, `${binding}.sqlite`)
      host.databases.set(binding, await D1Process.start(file))
    }
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
   * @param {(client: HttpClient, isolate: { ports: Ports, logLines: object[], pid: number }) => Promise<T>} use gets
   * a client that
   *   talks to the Worker directly, the ports, the log lines of requests as they arrive, and the id of the process
   * @returns {Promise<T>}
   */
  async withIsolate(heapMegabytes, use) {
    const file = path.join(this.#directory, 'config.capnp')
    writeFileSync(
      file,
      configurationOf({
        heapMegabytes,
        databases: this.databases,
        variables: this.#variables,
        compatibilityDate: this.#compatibilityDate,
      }),
    )
    const child = owned(
      spawn(WORKERD, ['serve', '--control-fd=3', file], { stdio: ['ignore', 'pipe', 'ignore', 'pipe'] }),
    )
    const ended = once(child, 'exit')
    let client
    try {
      const logLines = collectLogLines(child.stdout)
      const ports = await Promise.race([listeningPorts(child), ended.then(() => undefined)])
      if (ports === undefined) throw Object.assign(new Error('workerd did not start'), { code: 'ECONNREFUSED' })
      client = new HttpClient(`http://127.0.0.1:${ports.direct}`)
      return await use(client, { ports, logLines, pid: child.pid })
    } finally {
      client?.close()
      child.kill('SIGKILL')
      await ended
    }
  }

  close() {
    for (const database of this.databases.values()) database.stop()
  }
}

/** @returns {object[]} the log lines of requests; grows while the stream goes on */
function collectLogLines(stream) {
  const lines = []
  createInterface(stream).on('line', (line) => {
    if (line.startsWith('{"request_id":')) lines.push(JSON.parse(line))
  })
  return lines
}

/**
 * @typedef {{ direct: number, ingress: number }} Ports The ports that workerd reports on its control channel when it
 *   listens.
 */

/** @returns {Promise<Ports | undefined>} undefined when it ends first */
async function listeningPorts(child) {
  /** @type {any} */
  const ports = {}
  for await (const line of createInterface(child.stdio[3])) {
    const { event, socket, port } = JSON.parse(line)
    if (event === 'listen') ports[socket] = port
    if (ports.direct && ports.ingress) return ports
  }
  return undefined
}

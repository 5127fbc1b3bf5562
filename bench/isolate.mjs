/** The Worker in a bare workerd whose heap is limited, with D1 in a process of its own. */
import { execFile, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import workerd from 'workerd'
import { ensureDevVars } from '../scripts/local/dev-vars.mjs'
import { root, runWrangler } from '../scripts/wrangler.mjs'
import { HttpClient } from './http-client.mjs'
import { owned, scratchDirectory } from './scratch.mjs'

/** The runtime that wrangler brings; a CommonJS module. */
const WORKERD = workerd.default

/** A text in the notation of Cap'n Proto. */
const quoted = (text) => JSON.stringify(text)

/** Stands before the Worker: bindings that no configuration of workerd can express. */
const ENTRY = `import worker from './index.js'
const unlimited = { limit: async () => ({ success: true }) }
let complete
export default {
  fetch(request, env, context) {
    complete ??= { ...env, TOKEN_RATE_LIMIT: unlimited, WORKSPACE_RATE_LIMIT: unlimited }
    return worker.fetch(request, complete, context)
  },
}
`

function configurationOf({ heapMegabytes, d1Port, variables, compatibilityDate }) {
  const flags = heapMegabytes === undefined ? '' : quoted(`--max-heap-size=${heapMegabytes}`)
  const texts = Object.entries(variables).map(
    ([name, text]) => `(name = ${quoted(name)}, text = ${quoted(text)})`,
  )
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  v8Flags = [${flags}],
  services = [
    (name = "main", worker = .worker),
    (name = "d1", external = (address = "127.0.0.1:${d1Port}", http = ())),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
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
      innerBindings = [(name = "fetcher", service = "d1")],
    )),
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

/** What of `wrangler.toml` concerns the Worker; in another process, because wrangler changes the one that it is loaded in. */
async function readConfiguration() {
  const args = ['--input-type=module', '--eval', READ_CONFIGURATION]
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root })
  return JSON.parse(stdout)
}

/** The Worker, built as for a deployment, and the database that its isolates share. */
export class IsolateHost {
  #directory = scratchDirectory('isolate')
  #variables
  #compatibilityDate
  #d1
  #d1Port

  static async prepare() {
    const host = new IsolateHost()
    const config = await readConfiguration()
    host.#compatibilityDate = config.compatibility_date
    host.#variables = { ...config.vars, ...ensureDevVars(path.join(host.#directory, '.dev.vars')).vars }
    await runWrangler(['deploy', '--dry-run', '--outdir', host.#directory])
    writeFileSync(path.join(host.#directory, 'entry.js'), ENTRY)
    const standIn = path.join(import.meta.dirname, 'd1-stand-in.mjs')
    host.#d1 = owned(fork(standIn, [path.join(host.#directory, 'd1.sqlite')]))
    const [{ port }] = await once(host.#d1, 'message')
    host.#d1Port = port
    return host
  }

  get operatorToken() {
    return this.#variables.PLATFORM_ADMIN_TOKEN
  }

  /**
   * Runs something against an isolate of its own.
   *
   * @template T
   * @param {number | undefined} heapMegabytes limit of its heap
   * @param {(client: HttpClient) => Promise<T>} use
   * @returns {Promise<T>}
   */
  async withIsolate(heapMegabytes, use) {
    const file = path.join(this.#directory, 'config.capnp')
    writeFileSync(
      file,
      configurationOf({
        heapMegabytes,
        d1Port: this.#d1Port,
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
      if (port === undefined)
        throw Object.assign(new Error('workerd did not start'), { code: 'ECONNREFUSED' })
      client = new HttpClient(`http://127.0.0.1:${port}`)
      return await use(client)
    } finally {
      client?.close()
      child.kill('SIGKILL')
      await ended
    }
  }

  close() {
    this.#d1.disconnect()
  }
}

/** The port that workerd names on its control channel once it listens. */
async function listeningPort(child) {
  for await (const line of createInterface(child.stdio[3])) {
    const { event, port } = JSON.parse(line)
    if (event === 'listen') return port
  }
  return undefined
}

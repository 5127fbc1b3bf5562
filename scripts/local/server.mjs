/**
 * A separate process that `npm start` forks with its options as JSON: the Worker in Miniflare, with the bindings of
 * `wrangler.toml` and migrated databases. It reports when it is ready or what is wrong, and ends when its channel to
 * `npm start` closes.
 *
 * Replaces `wrangler dev`, whose proxy completes the body of a client that died, so that half a file would be written.
 * `wrangler dev` also keeps every request with its secrets in logs and in a database of traces.
 */
import { mkdirSync, watch } from 'node:fs'
import path from 'node:path'
import { Cron } from 'croner'
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from 'miniflare'
import { buildAssets } from '../assets.mjs'
import { bundleWorker } from '../bundle.mjs'
import { localDatabaseIds, readConfiguration, workerOptions } from '../configuration.mjs'
import { databaseFile, localResources } from '../database/local.ts'
import { migrate, missingMigrations, stateOf } from '../database/migrate.ts'
import { withSqlite } from '../database/sqlite.ts'
import { say } from '../script.mjs'
import { root } from '../wrangler.mjs'

const SOURCES = path.join(root, 'src')
const MODULE = 'index.js'

/** Time limit for the runtime to end by itself, in milliseconds. */
const END_TIMEOUT_MS = 5000

/** After this many milliseconds without a change, a group of changes is considered complete. */
const SETTLED_MS = 300

/**
 * A log line with its time. In JSON lines, the time becomes the first property.
 *
 * @param {number} timestamp in milliseconds
 */
function withTime(timestamp, message) {
  const time = new Date(timestamp).toISOString()
  return message.startsWith('{"') ? `{"time":"${time}",${message.slice(1)}` : `${time} ${message}`
}

function fail(message) {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}

/** @typedef {{ binding: string, directory: string, assetConfig: object }} Assets the static files in wrangler.toml */

/**
 * Miniflare's options for one version of the bundle.
 *
 * Static files have a separate Worker, bound to the other one: if one Worker has both, each request first passes two
 * more of Miniflare's Workers, which use a fifth of the CPU time of a small request.
 */
function miniflareOptions({ host, port, stateDirectory, inspectorPort, vars }, code) {
  // Module rules are for bundlers, and the bundle is one module.
  const { modulesRules, assets, ratelimits, ...worker } = workerOptions()
  const { binding, ...files } = /** @type {Assets} */ (assets)
  const module = (contents) => ({
    rootPath: root,
    modulesRoot: root,
    modules: [{ type: /** @type {const} */ ('ESModule'), path: path.join(root, MODULE), contents }],
  })
  return convertV4MiniflareOptions({
    host,
    port,
    ...(inspectorPort === undefined ? {} : { inspectorPort }),
    resourcePersistencePath: path.join(path.resolve(stateDirectory), 'v3'),
    // Otherwise, Miniflare asks the network for this machine's location.
    cf: false,
    log: new Log(LogLevel.WARN),
    logRequests: false,
    handleStructuredLogs: ({ timestamp, message }) => say(withTime(timestamp, message)),
    // The runtime has restarted by then, but requests in progress are lost, for an unknown reason.
    unsafeHandleRuntimeRestart: () => fail('The runtime of the service (workerd) has died.'),
    workers: [
      {
        ...worker,
        ...module(code),
        name: 'service',
        bindings: { .../** @type {object} */ (worker.bindings), ...vars, RATE_LIMITS: ratelimits },
        serviceBindings: { .../** @type {object} */ (worker.serviceBindings), [binding]: 'files' },
      },
      {
        ...module('export default {}'),
        name: 'files',
        compatibilityDate: String(worker.compatibilityDate),
        assets: { ...files, run_worker_first: false, routerConfig: { has_user_worker: false } },
      },
    ],
  })
}

/** Migrates the local databases, all or none. @throws {Error} for databases of another release */
async function migrateDatabases(stateDirectory) {
  const databases = [...localDatabaseIds(readConfiguration())].map(([binding, id]) => ({
    file: databaseFile(localResources(stateDirectory), id),
    place: `The database ${binding} in ${stateDirectory}`,
  }))
  for (const { file, place } of databases) {
    mkdirSync(path.dirname(file), { recursive: true })
    await withSqlite(file, async ({ read }) => missingMigrations((await stateOf(read)).applied, place))
  }
  for (const { file, place } of databases) await withSqlite(file, (database) => migrate(database, place))
}

/** Runs the schedule of `wrangler.toml` as production does. */
function keepSchedule(miniflare) {
  for (const cron of readConfiguration().triggers.crons ?? []) {
    new Cron(
      cron,
      {
        timezone: 'UTC',
        catch: (error) => void say(`The scheduled run failed: ${/** @type {Error} */ (error).message}`),
      },
      async (job) => {
        const worker = await miniflare.getWorker()
        await worker.scheduled({ cron, scheduledTime: job.currentRun() })
      },
    )
  }
}

/** @type {Miniflare | undefined} */
let miniflare

const currentOptions = async (options) =>
  miniflareOptions(options, await bundleWorker(path.join(import.meta.dirname, 'worker.mjs')))

/** Rebuilds everything that depends on changed sources, and restarts the service. */
async function renew(options, files) {
  try {
    if (files.some((file) => !file.startsWith(`worker${path.sep}`))) await buildAssets()
    await miniflare.setOptions(await currentOptions(options))
    say('The service has started again.')
  } catch ({ message }) {
    say(message)
  }
}

/** Restarts the service once for a group of changes, and never twice at the same time. */
function watchSources(options) {
  let timer
  let lastRenewal = Promise.resolve()
  const changes = []
  watch(SOURCES, { recursive: true }, (_, file) => {
    changes.push(file)
    clearTimeout(timer)
    timer = setTimeout(() => {
      const files = changes.splice(0)
      lastRenewal = lastRenewal.then(() => renew(options, files))
    }, SETTLED_MS)
  })
}

async function serve(options) {
  await migrateDatabases(options.stateDirectory)
  miniflare = new Miniflare(await currentOptions(options))
  await miniflare.ready
  if (options.watch) watchSources(options)
  keepSchedule(miniflare)
  process.send({})
}

process.once('disconnect', async () => {
  setTimeout(() => process.exit(1), END_TIMEOUT_MS)
  await miniflare?.dispose()
  process.exit(0)
})
// This process leads a group, so none of its child processes, such as workerd, outlives it.
process.once('exit', () => process.kill(-process.pid, 'SIGKILL'))
await serve(JSON.parse(process.argv[2])).catch(({ message }) => {
  process.send({ fault: message }, undefined, undefined, () => process.exit(1))
})

/**
 * A process of its own that `npm start` forks, with its options as JSON: the Worker in Miniflare, with the bindings of
 * `wrangler.toml` and databases that it brings up to date. It says when it is ready or what is wrong, and ends when its
 * channel to `npm start` is closed.
 *
 * Not `wrangler dev`: its proxy ends the body of a client that died as if it were complete, so that half a file would
 * be written. It also keeps every request with its secrets in logs and in a database of traces.
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

/** How long the runtime may take to end by itself, in milliseconds. */
const END_TIMEOUT_MS = 5000

/** Without a change for so long, changes that belong together are complete, in milliseconds. */
const SETTLED_MS = 300

/**
 * A line of the log with its time: a line of JSON has it as its first member.
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
 * What Miniflare needs to run one version of the bundle.
 *
 * Static files have a Worker of their own, bound to the other one: if one Worker has both, each request goes through
 * two more of Miniflare's Workers first, which take a fifth of the CPU of a small request.
 */
function miniflareOptions({ host, port, stateDirectory, inspectorPort, vars }, code) {
  // Rules for modules are those of a bundler, and the bundle is one module.
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
    // Otherwise Miniflare asks the network where this machine is.
    cf: false,
    log: new Log(LogLevel.WARN),
    logRequests: false,
    handleStructuredLogs: ({ timestamp, message }) => say(withTime(timestamp, message)),
    // It has restarted by then, but what was under way is lost, and why it ended is unknown.
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

/** Brings the local databases up to date, all or none. @throws {Error} for databases of another release */
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

/** Makes everything again that comes from sources which have changed, and starts the service again. */
async function renew(options, files) {
  try {
    if (files.some((file) => !file.startsWith(`worker${path.sep}`))) await buildAssets()
    await miniflare.setOptions(await currentOptions(options))
    say('The service has started again.')
  } catch ({ message }) {
    say(message)
  }
}

/** Renews the service once for changes that come together, and one after another. */
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
// This process leads a group: nothing of it, such as workerd, outlives it.
process.once('exit', () => process.kill(-process.pid, 'SIGKILL'))
await serve(JSON.parse(process.argv[2])).catch(({ message }) => {
  process.send({ fault: message }, undefined, undefined, () => process.exit(1))
})

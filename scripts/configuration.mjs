/** The service's settings (`wrangler.toml`, as wrangler reads it) and the release. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { root } from './wrangler.mjs'

const require = createRequire(import.meta.url)

/**
 * Loads wrangler only when needed, because that takes more than a second. `import` would parse it twice.
 *
 * @type {typeof import('wrangler').unstable_readConfig}
 */
const readConfig = (...args) => require('wrangler').unstable_readConfig(...args)

/**
 * The Worker and its bindings in Miniflare's format.
 *
 * @returns {ReturnType<typeof import('wrangler').unstable_getMiniflareWorkerOptions>['workerOptions']}
 */
export const workerOptions = () => require('wrangler').unstable_getMiniflareWorkerOptions(CONFIGURATION).workerOptions

/** The release in this directory. */
export const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))

export const CONFIGURATION = path.join(root, 'wrangler.toml')

/** @typedef {ReturnType<typeof import('wrangler').unstable_readConfig>} Configuration */

/**
 * @param {string} [environment] production by default
 * @param {string} [file] instead of `wrangler.toml`
 * @returns {Configuration} including inherited settings
 * @throws {Error} if the environment does not exist, or wrangler rejects the file
 */
export function readConfiguration(environment, file = CONFIGURATION) {
  const { definedEnvironments = [] } = readConfig({ config: file, env: '' }, { hideWarnings: true })
  if (environment !== undefined && !definedEnvironments.includes(environment))
    throw new Error(`wrangler.toml has no [env.${environment}].`)
  return readConfig({ config: file, env: environment ?? '' }, { hideWarnings: true })
}

/** Every environment by its name. `production` comes first. @returns {Map<string, Configuration>} */
export function readConfigurations(file = CONFIGURATION) {
  const production = readConfiguration(undefined, file)
  const others = (production.definedEnvironments ?? []).map((name) => [name, readConfiguration(name, file)])
  return new Map(/** @type {[string, Configuration][]} */ ([['production', production], ...others]))
}

/** The arguments that select an environment in wrangler, which warns if none is named. */
export const environmentArguments = (environment) => ['--env', environment ?? '']

/** The names of the bound databases; the control database `DB` first. @param {Configuration} configuration */
export const databaseNames = ({ d1_databases }) => d1_databases.map(({ binding }) => binding).sort()

/** The IDs under which the local simulator keeps the databases, by their names. @param {Configuration} configuration */
export const localDatabaseIds = ({ d1_databases }) =>
  new Map(d1_databases.map((each) => [each.binding, each.preview_database_id ?? each.database_id ?? each.binding]))

/** The bucket with the bytes of documents. @param {Configuration} configuration */
export function documentsBucket({ r2_buckets }) {
  const bucket = r2_buckets.find(({ binding }) => binding === 'DOCUMENTS')
  if (bucket?.bucket_name === undefined) throw new Error('wrangler.toml binds no bucket as DOCUMENTS.')
  return { name: bucket.bucket_name, jurisdiction: bucket.jurisdiction }
}

/** Whether an ID in `wrangler.toml` is a placeholder. */
export const isPlaceholder = (id) => id === undefined || /^0{8}/.test(String(id))

/** Whether an address is only reachable from this machine. */
export const isLocal = (value) => /\/\/(?:localhost|127\.|\[::1\])/.test(String(value))

/** Whether the host of a route is a placeholder. */
export const isExample = (pattern) => /(^|\.)example\.com$/.test(pattern)

/** The hosts of a configuration's routes. */
export const patternsOf = ({ routes = [] }) => routes.map((route) => route.pattern ?? route)

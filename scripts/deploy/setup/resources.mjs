/** The databases, the namespace and the bucket of an environment: found by their names, or made. */
import path from 'node:path'
import { runWrangler } from '../../wrangler.mjs'
import { isPlaceholder } from '../configuration.mjs'
import { changeSettings } from './settings.mjs'

/**
 * Resources belong to the account, not to an environment. The project's configuration would have wrangler take a name for
 * that of a binding, and put the name of the environment before it.
 */
const ACCOUNT = ['--config', path.join(import.meta.dirname, 'account.toml')]

/** Tables that are neither SQLite's nor the platform's. */
const TABLES =
  "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT GLOB 'sqlite_*' AND name NOT GLOB '_cf_*'"

/** The answer for a bucket that is there already. */
const IS_THERE = /\bcode: 10004\b/

/**
 * @typedef {object} Place
 * @property {string} [location] a hint, such as `apac`
 * @property {string} [jurisdiction] such as `eu`
 */

/**
 * @typedef {object} Resource
 * @property {string} label what it is, and its name
 * @property {'database' | 'namespace' | 'bucket'} kind
 * @property {string} binding
 * @property {string} name
 * @property {string | null} id of an existing one; null if it is to be made
 */

const needsId = (entries, member) => (entries ?? []).filter((entry) => isPlaceholder(entry[member]))

const list = async (...command) => JSON.parse(await runWrangler([...command, ...ACCOUNT]))

/**
 * Refuses an existing database that this service should not use.
 *
 * @param {{ name: string, jurisdiction?: string | null }} found
 * @param {string | undefined} wanted jurisdiction
 */
async function requireSuitable({ name, jurisdiction }, wanted) {
  const otherwise = `Nothing was changed. Give another database_name in wrangler.toml`
  if ((jurisdiction ?? undefined) !== wanted) {
    const where = jurisdiction ? `the jurisdiction ${jurisdiction}` : 'no jurisdiction'
    throw new Error(`There is a database ${name} in ${where}. ${otherwise}, or name its jurisdiction.`)
  }
  const [{ results }] = await list('d1', 'execute', name, '--remote', '--json', '--command', TABLES)
  const tables = results.map((row) => row.name).filter((table) => table !== 'd1_migrations')
  if (tables.length === 0 || tables.includes('workspaces')) return
  throw new Error(
    `The database ${name} is of something else: it has ${tables.slice(0, 3).join(', ')}. ${otherwise}.`,
  )
}

/** @returns {Promise<Resource[]>} the databases without an id */
async function databases({ d1_databases }, { jurisdiction }) {
  const wanted = needsId(d1_databases, 'database_id')
  if (wanted.length === 0) return []
  const existing = await list('d1', 'list', '--json')
  return Promise.all(
    wanted.map(async ({ binding, database_name: name }) => {
      const found = existing.find((each) => each.name === name)
      if (found) await requireSuitable(found, jurisdiction)
      return { label: `database ${name}`, kind: 'database', binding, name, id: found?.uuid ?? null }
    }),
  )
}

/** @returns {Promise<Resource[]>} the namespaces without an id, named after the Worker as wrangler does */
async function namespaces({ kv_namespaces, name: worker }) {
  const wanted = needsId(kv_namespaces, 'id')
  if (wanted.length === 0) return []
  const existing = await list('kv', 'namespace', 'list')
  return wanted.map(({ binding }) => {
    const name = `${worker}-${binding.toLowerCase().replaceAll('_', '-')}`
    const id = existing.find((each) => each.title === name)?.id ?? null
    return { label: `namespace ${name}`, kind: 'namespace', binding, name, id }
  })
}

/** @returns {Resource[]} all buckets. They have no ids, so only the attempt to make one shows whether it exists */
const buckets = ({ r2_buckets = [] }) =>
  r2_buckets.map(({ binding, bucket_name: name }) => ({
    label: `bucket ${name}`,
    kind: 'bucket',
    binding,
    name,
    id: null,
  }))

/**
 * What an environment needs and `wrangler.toml` does not name. Changes nothing.
 *
 * @param {Record<string, any>} config of the environment
 * @param {Place} place
 * @returns {Promise<Resource[]>}
 */
export async function missingResources(config, place) {
  const [bases, spaces] = await Promise.all([databases(config, place), namespaces(config)])
  return [...bases, ...spaces, ...buckets(config)]
}

/** The id in what wrangler prints about a new resource: a snippet of the configuration. */
function idIn(output, member) {
  const id = new RegExp(`\\b${member}\\W+([0-9a-f-]{32,36})\\b`).exec(output)?.[1]
  if (id === undefined) throw new Error(`wrangler printed no ${member}. Call this again.\n${output}`)
  return id
}

const placeArguments = ({ location, jurisdiction }) => [
  ...(location === undefined ? [] : ['--location', location]),
  ...(jurisdiction === undefined ? [] : ['--jurisdiction', jurisdiction]),
]

async function makeBucket(name, place) {
  try {
    await runWrangler(['r2', 'bucket', 'create', name, ...placeArguments(place), ...ACCOUNT])
    return true
  } catch (error) {
    if (IS_THERE.test(error.message)) return false
    throw error
  }
}

/**
 * How each kind is made, and what `wrangler.toml` gets to know of it.
 *
 * @type {Record<Resource['kind'], (resource: Resource, place: Place) => Promise<{ made: boolean, table: string, entry: object }>>}
 */
const KINDS = {
  database: async ({ name, id }, place) => ({
    made: id === null,
    table: 'd1_databases',
    entry: {
      database_id:
        id ??
        idIn(await runWrangler(['d1', 'create', name, ...placeArguments(place), ...ACCOUNT]), 'database_id'),
    },
  }),
  namespace: async ({ name, id }) => ({
    made: id === null,
    table: 'kv_namespaces',
    entry: { id: id ?? idIn(await runWrangler(['kv', 'namespace', 'create', name, ...ACCOUNT]), 'id') },
  }),
  bucket: async ({ name }, place) => ({
    made: await makeBucket(name, place),
    table: 'r2_buckets',
    entry: {},
  }),
}

/**
 * Makes a resource unless it exists, and writes its id into `wrangler.toml`.
 *
 * @param {Resource} resource
 * @param {string | undefined} environment
 * @param {Place} place
 * @returns {Promise<boolean>} whether it was made just now
 */
export async function ensureResource(resource, environment, place) {
  const { made, table, entry } = await KINDS[resource.kind](resource, place)
  changeSettings(environment, (settings) => {
    Object.assign(
      settings[table].find(({ binding }) => binding === resource.binding),
      entry,
    )
  })
  return made
}

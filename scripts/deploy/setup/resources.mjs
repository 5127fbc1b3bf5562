/** The databases, the namespace and the bucket of an environment: found by their ids or names, or made. */
import { account } from '../../cloudflare/account.mjs'
import { openDeployed } from '../../cloudflare/d1.mjs'
import { NO_BUCKET } from '../../cloudflare/r2.mjs'
import { isPlaceholder } from '../configuration.mjs'

/** Tables that are neither SQLite's nor the platform's. */
const TABLES =
  "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT GLOB 'sqlite_*' AND name NOT GLOB '_cf_*'"

/**
 * @typedef {object} Place
 * @property {string} [location] a hint, such as `apac`
 * @property {string} [jurisdiction] such as `eu`
 */

/**
 * @typedef {object} Resource
 * @property {string} label what it is, and its name
 * @property {'d1_databases' | 'kv_namespaces' | 'r2_buckets'} table of `wrangler.toml`
 * @property {string} binding
 * @property {Record<string, string>} entry what `wrangler.toml` names of it; empty for a bucket, which has no id
 * @property {boolean} exists
 * @property {boolean} hasData of this service
 * @property {() => Promise<Record<string, string>>} make returns the entry of the new one
 */

const inJurisdiction = ({ jurisdiction }) => (jurisdiction ? { 'cf-r2-jurisdiction': jurisdiction } : {})

/** One of the account's, by the id in `wrangler.toml`; by its name while that is a placeholder. */
function existing(all, { idMember, id, nameMember, name }) {
  if (isPlaceholder(id)) return all.find((each) => each[nameMember] === name)
  const found = all.find((each) => each[idMember] === id)
  if (found) return found
  throw new Error(
    `wrangler.toml names ${name} with the id ${id}, which is not in this account. Nothing was changed. ` +
      'CLOUDFLARE_ACCOUNT_ID chooses another account.',
  )
}

const ANOTHER_NAME = 'Nothing was changed. Give another database_name in wrangler.toml'

/** Refuses a database that was found by its name and is elsewhere. */
async function requireJurisdiction({ uuid, name }, wanted) {
  const { get } = await account()
  const { jurisdiction } = await get(`/d1/database/${uuid}`)
  if ((jurisdiction ?? undefined) === wanted) return
  const where = jurisdiction ? `the jurisdiction ${jurisdiction}` : 'no jurisdiction'
  throw new Error(`There is a database ${name} in ${where}. ${ANOTHER_NAME}, or name its jurisdiction.`)
}

/**
 * Refuses a database of something else.
 *
 * @returns {Promise<boolean>} whether it has tables of this service
 */
async function hasTables({ uuid, name }) {
  const { read } = await openDeployed(uuid)
  const tables = (await read(TABLES)).flat().filter((table) => table !== 'd1_migrations')
  if (tables.length === 0 || tables.includes('workspaces')) return tables.length > 0
  throw new Error(
    `The database ${name} is of something else: it has ${tables.slice(0, 3).join(', ')}. ${ANOTHER_NAME}.`,
  )
}

/** @returns {Promise<Resource>} */
async function database({ binding, database_name: name, database_id: id }, all, place) {
  const found = existing(all, { idMember: 'uuid', id, nameMember: 'name', name })
  if (found && isPlaceholder(id)) await requireJurisdiction(found, place.jurisdiction)
  return {
    label: `database ${name}`,
    table: 'd1_databases',
    binding,
    entry: { database_id: found?.uuid },
    exists: found !== undefined,
    hasData: found !== undefined && (await hasTables(found)),
    make: async () => {
      const { post } = await account()
      const where = place.jurisdiction
        ? { jurisdiction: place.jurisdiction }
        : { primary_location_hint: place.location }
      return { database_id: (await post('/d1/database', { name, ...where })).uuid }
    },
  }
}

/** A namespace is named after the Worker, as wrangler does. @returns {Resource} */
function namespace({ binding, id }, all, worker) {
  const title = `${worker}-${binding.toLowerCase().replaceAll('_', '-')}`
  const found = existing(all, { idMember: 'id', id, nameMember: 'title', name: title })
  return {
    label: `namespace ${title}`,
    table: 'kv_namespaces',
    binding,
    entry: { id: found?.id },
    exists: found !== undefined,
    hasData: false,
    make: async () => {
      const { post } = await account()
      return { id: (await post('/storage/kv/namespaces', { title })).id }
    },
  }
}

/** @returns {Promise<Resource>} */
async function bucket({ binding, bucket_name: name }, place) {
  const { find, post } = await account()
  const headers = inJurisdiction(place)
  const found = await find(`/r2/buckets/${name}`, NO_BUCKET, { headers })
  return {
    label: `bucket ${name}`,
    table: 'r2_buckets',
    binding,
    entry: {},
    exists: found !== undefined,
    hasData: false,
    make: async () => {
      await post('/r2/buckets', { name, locationHint: place.location }, headers)
      return {}
    },
  }
}

/**
 * What an environment needs, and what of it exists. Changes nothing.
 *
 * @param {Record<string, any>} config of the environment
 * @param {Place} place
 * @returns {Promise<Resource[]>}
 * @throws {Error} when something exists that the service should not use
 */
export async function resourcesOf(config, place) {
  const { name, d1_databases = [], kv_namespaces = [], r2_buckets = [] } = config
  const { list } = await account()
  const [databases, namespaces] = await Promise.all([list('/d1/database'), list('/storage/kv/namespaces')])
  return Promise.all([
    ...d1_databases.map((each) => database(each, databases, place)),
    ...kv_namespaces.map((each) => namespace(each, namespaces, name)),
    ...r2_buckets.map((each) => bucket(each, place)),
  ])
}

/** Puts the id of a resource into the settings of its environment. */
export const bind = (settings, { table, binding }, entry) =>
  Object.assign(
    settings[table].find((each) => each.binding === binding),
    entry,
  )

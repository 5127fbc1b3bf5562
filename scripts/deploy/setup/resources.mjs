/** The databases, the namespace and the bucket of an environment: found by their ids or names, or made by wrangler. */
import { listAccount, readAccount, runOnAccount } from '../../cloudflare/account.mjs'
import { isPlaceholder } from '../../configuration.mjs'

/** The API's code for a bucket that is not there. */
const NO_BUCKET = 10006

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
 * @property {string | undefined} id undefined if it is not made yet, and for a bucket, which has none
 * @property {boolean} exists
 * @property {() => Promise<string | undefined>} make returns the id of the new one
 */

/** The members of `wrangler.toml` that hold an id. */
const ID_MEMBERS = { d1_databases: 'database_id', kv_namespaces: 'id', r2_buckets: undefined }

/** The databases of the account, as ids and names. */
async function listDatabases() {
  const all = await listAccount('/d1/database')
  return all.map(({ uuid, name }) => ({ id: uuid, name }))
}

async function listNamespaces() {
  const all = await listAccount('/storage/kv/namespaces')
  return all.map(({ id, title }) => ({ id, name: title }))
}

/** wrangler keeps `wrangler.toml` as it is: `settings.mjs` changes it, with its comments. */
const create = (...words) => runOnAccount([...words, '--no-update-config', '--env', ''])

const placeArguments = ({ location, jurisdiction }) =>
  jurisdiction ? ['--jurisdiction', jurisdiction] : location ? ['--location', location] : []

/** One of the account's, by the id in `wrangler.toml`; by its name while that is a placeholder. */
function findResource(all, { id, name }) {
  if (isPlaceholder(id)) return all.find((each) => each.name === name)
  const match = all.find((each) => each.id === id)
  if (match) return match
  throw new Error(
    `wrangler.toml names ${name} with the id ${id}, which is not in this account. Nothing was changed. ` +
      'CLOUDFLARE_ACCOUNT_ID chooses another account.',
  )
}

/** Refuses a database that was found by its name and is elsewhere. */
async function requireJurisdiction({ id, name }, wanted) {
  const { jurisdiction } = await readAccount(`/d1/database/${id}`)
  if ((jurisdiction ?? undefined) === wanted) return
  const where = jurisdiction ? `the jurisdiction ${jurisdiction}` : 'no jurisdiction'
  throw new Error(
    `There is a database ${name} in ${where}. Nothing was changed. Give another database_name in wrangler.toml, or ` +
      'name its jurisdiction.',
  )
}

/** @returns {Promise<Resource>} */
async function database({ binding, database_name: name, database_id }, all, place) {
  const match = findResource(all, { id: database_id, name })
  if (match && isPlaceholder(database_id)) await requireJurisdiction(match, place.jurisdiction)
  return {
    label: `database ${name}`,
    table: 'd1_databases',
    binding,
    id: match?.id,
    exists: match !== undefined,
    make: async () => {
      await create('d1', 'create', name, ...placeArguments(place))
      return (await listDatabases()).find((each) => each.name === name).id
    },
  }
}

/** A namespace is named after the Worker, as wrangler does. @returns {Resource} */
function namespace({ binding, id }, all, worker) {
  const name = `${worker}-${binding.toLowerCase().replaceAll('_', '-')}`
  const match = findResource(all, { id, name })
  return {
    label: `namespace ${name}`,
    table: 'kv_namespaces',
    binding,
    id: match?.id,
    exists: match !== undefined,
    make: async () => {
      await create('kv', 'namespace', 'create', name)
      return (await listNamespaces()).find((each) => each.name === name).id
    },
  }
}

/** @returns {Promise<Resource>} */
async function bucket({ binding, bucket_name: name }, place) {
  const headers = place.jurisdiction ? { 'cf-r2-jurisdiction': place.jurisdiction } : {}
  const exists = (await readAccount(`/r2/buckets/${name}`, { headers, missing: NO_BUCKET })) !== undefined
  return {
    label: `bucket ${name}`,
    table: 'r2_buckets',
    binding,
    id: undefined,
    exists,
    make: async () => {
      await create('r2', 'bucket', 'create', name, ...placeArguments(place))
      return undefined
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
  const [databases, namespaces] = await Promise.all([listDatabases(), listNamespaces()])
  return Promise.all([
    ...d1_databases.map((each) => database(each, databases, place)),
    ...kv_namespaces.map((each) => namespace(each, namespaces, name)),
    ...r2_buckets.map((each) => bucket(each, place)),
  ])
}

/** Puts the id of a resource into the settings of its environment. */
export function bind(settings, { table, binding }, id) {
  const member = ID_MEMBERS[table]
  if (member !== undefined) settings[table].find((each) => each.binding === binding)[member] = id
}

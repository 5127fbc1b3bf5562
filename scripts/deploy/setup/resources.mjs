/** The databases, the namespace and the bucket of an environment: found by their ids or names, or made. */
import { listAccount, MISSING, postToAccount, readAccount } from '../../cloudflare/account.mjs'
import { isPlaceholder } from '../../configuration.mjs'

/**
 * @typedef {object} Place
 * @property {string} [location] a hint, such as `apac`, where there is no jurisdiction
 * @property {string} [jurisdiction] such as `eu`
 */

/** The members of `wrangler.toml` that hold an id. */
const ID_MEMBERS = { d1_databases: 'database_id', kv_namespaces: 'id' }

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

/**
 * @param {{ label: string, table: 'd1_databases' | 'kv_namespaces' | 'r2_buckets', binding: string }} what
 * @param {{ id?: string } | undefined} match in the account; a bucket has no id
 * @param {() => Promise<string | undefined>} make returns its id
 */
const resourceOf = (what, match, make) => ({ ...what, id: match?.id, exists: match !== undefined, make })

async function database({ binding, database_name: name, database_id: id }, place) {
  const all = (await listAccount('/d1/database')).map((each) => ({ id: each.uuid, name: each.name }))
  const match = findResource(all, { id, name })
  if (match && isPlaceholder(id)) await requireJurisdiction(match, place.jurisdiction)
  const body = { name, primary_location_hint: place.location, jurisdiction: place.jurisdiction }
  const make = async () => (await postToAccount('/d1/database', body)).uuid
  return resourceOf({ label: `database ${name}`, table: 'd1_databases', binding }, match, make)
}

/** A namespace is named after the Worker, as wrangler does. */
async function namespace({ binding, id }, worker) {
  const name = `${worker}-${binding.toLowerCase().replaceAll('_', '-')}`
  const all = (await listAccount('/storage/kv/namespaces')).map((each) => ({ id: each.id, name: each.title }))
  const make = async () => (await postToAccount('/storage/kv/namespaces', { title: name })).id
  return resourceOf(
    { label: `namespace ${name}`, table: 'kv_namespaces', binding },
    findResource(all, { id, name }),
    make,
  )
}

async function bucket({ binding, bucket_name: name }, place) {
  const headers = place.jurisdiction ? { 'cf-r2-jurisdiction': place.jurisdiction } : {}
  const match = await readAccount(`/r2/buckets/${name}`, { headers, missing: MISSING.bucket })
  const body = { name, locationHint: place.location }
  const make = () => postToAccount('/r2/buckets', body, headers).then(() => undefined)
  return resourceOf({ label: `bucket ${name}`, table: 'r2_buckets', binding }, match && {}, make)
}

/**
 * What an environment needs, and what of it exists. Changes nothing.
 *
 * @param {Record<string, any>} config of the environment
 * @param {Place} place
 * @throws {Error} when something exists that the service should not use
 */
export const resourcesOf = ({ name, d1_databases = [], kv_namespaces = [], r2_buckets = [] }, place) =>
  Promise.all([
    ...d1_databases.map((each) => database(each, place)),
    ...kv_namespaces.map((each) => namespace(each, name)),
    ...r2_buckets.map((each) => bucket(each, place)),
  ])

/** Puts the id of a resource into the settings of its environment. */
export function bind(settings, { table, binding }, id) {
  const member = ID_MEMBERS[table]
  if (member !== undefined) settings[table].find((each) => each.binding === binding)[member] = id
}

/** The databases, the namespace and the bucket of an environment: found by ID or name, or created by wrangler. */
import { listAccount, MISSING, readAccount, runOnAccount } from '../../cloudflare/account.mjs'
import { isPlaceholder } from '../../configuration.mjs'

/**
 * @typedef {object} Place
 * @property {string} [location] a hint, such as `apac`
 * @property {string} [jurisdiction] such as `eu`
 */

/** The properties of `wrangler.toml` that contain an ID. */
const ID_MEMBERS = { d1_databases: 'database_id', kv_namespaces: 'id' }

const placeArguments = ({ location, jurisdiction }) =>
  jurisdiction ? ['--jurisdiction', jurisdiction] : location ? ['--location', location] : []

/** Finds a resource of the account by its ID in `wrangler.toml`, or by its name while that ID is a placeholder. */
function findResource(all, { id, name }) {
  if (isPlaceholder(id)) return all.find((each) => each.name === name)
  const match = all.find((each) => each.id === id)
  if (match) return match
  throw new Error(
    `wrangler.toml names ${name} with the id ${id}, which is not in this account. Nothing was changed. ` +
      'CLOUDFLARE_ACCOUNT_ID chooses another account.',
  )
}

/** Rejects a database that was found by its name and is in another location. */
async function requireJurisdiction({ id, name }, wanted) {
  const { jurisdiction } = await readAccount(`/d1/database/${id}`)
  if ((jurisdiction ?? undefined) === wanted) return
  const where = jurisdiction ? `the jurisdiction ${jurisdiction}` : 'no jurisdiction'
  throw new Error(
    `There is a database ${name} in ${where}. Nothing was changed. Set another database_name in wrangler.toml, or ` +
      'name its jurisdiction.',
  )
}

/**
 * @param {{ label: string, table: 'd1_databases' | 'kv_namespaces' | 'r2_buckets', binding: string }} what
 * @param {() => Promise<{ id?: string } | undefined>} find looks for it in the account; a bucket has no ID
 * @param {string[]} words of the wrangler command that creates it
 */
async function resourceOf(what, find, words) {
  const match = await find()
  return {
    ...what,
    id: match?.id,
    exists: match !== undefined,
    make: async () => {
      // wrangler must not change `wrangler.toml`: `settings.mjs` changes it and keeps its comments.
      await runOnAccount([...words, '--no-update-config', '--env', ''])
      return (await find())?.id
    },
  }
}

/** @typedef {Awaited<ReturnType<typeof resourceOf>>} Resource */

function database({ binding, database_name: name, database_id: id }, place) {
  const find = async () => {
    const all = (await listAccount('/d1/database')).map((each) => ({ id: each.uuid, name: each.name }))
    const match = findResource(all, { id, name })
    if (match && isPlaceholder(id)) await requireJurisdiction(match, place.jurisdiction)
    return match
  }
  const what = { label: `database ${name}`, table: /** @type {const} */ ('d1_databases'), binding }
  return resourceOf(what, find, ['d1', 'create', name, ...placeArguments(place)])
}

/** A namespace is named after the Worker, as wrangler does. */
function namespace({ binding, id }, worker) {
  const name = `${worker}-${binding.toLowerCase().replaceAll('_', '-')}`
  const find = async () => {
    const all = (await listAccount('/storage/kv/namespaces')).map((each) => ({ id: each.id, name: each.title }))
    return findResource(all, { id, name })
  }
  const what = { label: `namespace ${name}`, table: /** @type {const} */ ('kv_namespaces'), binding }
  return resourceOf(what, find, ['kv', 'namespace', 'create', name])
}

function bucket({ binding, bucket_name: name }, place) {
  const headers = place.jurisdiction ? { 'cf-r2-jurisdiction': place.jurisdiction } : {}
  const find = async () =>
    (await readAccount(`/r2/buckets/${name}`, { headers, missing: MISSING.bucket })) === undefined ? undefined : {}
  const what = { label: `bucket ${name}`, table: /** @type {const} */ ('r2_buckets'), binding }
  return resourceOf(what, find, ['r2', 'bucket', 'create', name, ...placeArguments(place)])
}

/**
 * The resources that an environment needs, and whether they exist. Changes nothing.
 *
 * @param {Record<string, any>} config of the environment
 * @param {Place} place
 * @throws {Error} if a resource exists that the service should not use
 */
export const resourcesOf = ({ name, d1_databases = [], kv_namespaces = [], r2_buckets = [] }, place) =>
  Promise.all([
    ...d1_databases.map((each) => database(each, place)),
    ...kv_namespaces.map((each) => namespace(each, name)),
    ...r2_buckets.map((each) => bucket(each, place)),
  ])

/** Writes the ID of a resource to the settings of its environment. */
export function bind(settings, { table, binding }, id) {
  const member = ID_MEMBERS[table]
  if (member !== undefined) settings[table].find((each) => each.binding === binding)[member] = id
}

/** The plan of `npm run setup`. All errors that can be foreseen are reported here, before anything is changed. */
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { accountId, callAccount, hasDomain, MISSING, readAccount } from '../../cloudflare/account.mjs'
import { documentsBucket, readConfiguration, readConfigurations } from '../../configuration.mjs'
import { missingMigrations, stateOf } from '../../database/migrate.ts'
import { openRemote } from '../../database/remote.ts'
import { openDeployedBucket } from '../../files/bucket.ts'
import { bucketRefusal, markOf } from '../../files/bucket-mark.ts'
import { withDirectory } from '../../temporary-directory.mjs'
import { deploymentErrors, environmentsErrors } from '../configuration-errors.mjs'
import { deployedVersion } from '../state.mjs'
import { refuse } from '../steps.mjs'
import { bind, resourcesOf } from './resources.mjs'
import { secretsToSend } from './secrets.mjs'
import { changedSettings, issuerOf, jurisdictionOf, setPlace } from './settings.mjs'

/** The platform rejects the first Worker of an account without one (10063), although this service does not use it. */
async function requireSubdomain() {
  if ((await readAccount('/workers/subdomain', { missing: MISSING.subdomain })) !== undefined) return
  throw new Error(
    'The account has no workers.dev subdomain, and the platform accepts no Worker without one. Nothing was changed. ' +
      `Open https://dash.cloudflare.com/${await accountId()}/workers/onboarding once, then run the command again.`,
  )
}

/**
 * Rejects a token that lacks permissions to create something. Each request is incomplete, so that it creates nothing.
 */
async function requirePermissions(worker) {
  const permissions = {
    '/d1/database': 'D1 Edit',
    '/storage/kv/namespaces': 'Workers KV Storage Edit',
    '/r2/buckets': 'Workers R2 Storage Edit',
    [`/workers/scripts/${worker}/versions`]: 'Workers Scripts Edit',
  }
  const init = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{}' }
  const errors = Object.entries(permissions).map(async ([path, permission]) => {
    const { status } = await callAccount(path, init)
    return status === 401 || status === 403 ? [`the token may not write: it lacks the permission ${permission}`] : []
  })
  refuse((await Promise.all(errors)).flat())
}

/** Rejects a host that another Worker serves. */
async function requireFreeHost(host, worker) {
  const other = (await readAccount(`/workers/domains?hostname=${host}`)).find(
    ({ hostname, service }) => hostname === host && service !== worker,
  )
  if (other) throw new Error(`The Worker ${other.service} already serves ${host}. Nothing was changed.`)
}

/** Rejects a host whose domain wrangler would not find. Wrangler checks only after the upload. */
async function requireDomain(host) {
  const labels = host.split('.')
  const domains = labels.slice(0, -1).map((_, index) => labels.slice(index).join('.'))
  if ((await Promise.all(domains.map(hasDomain))).includes(true)) return
  throw new Error(`The domain of ${host} is not in this account, or the token may not see it. Nothing was changed.`)
}

/**
 * Rejects a database of another application or another release.
 *
 * @returns {Promise<boolean>} whether it has tables of this service
 */
async function hasData({ binding, label }, name, file) {
  const { tables, applied } = await stateOf(openRemote(binding, name, file).read)
  missingMigrations(applied, `The ${label}`)
  if (tables.length === 0 || tables.includes('workspaces')) return tables.length > 0
  throw new Error(
    `The ${label} belongs to another application: it has ${tables.slice(0, 3).join(', ')}. Nothing was changed. Set ` +
      'another database_name in wrangler.toml.',
  )
}

/**
 * Rejects a bucket of another deployment, and a bucket with objects but without an ownership marker, unless the
 * operator states that it belongs to this service.
 *
 * @returns {Promise<boolean>} whether to release the bucket for this service
 */
async function adoptsBucket(name, file, resources, hasTables, mayAdopt) {
  const { exists } = resources.find(({ table }) => table === 'r2_buckets')
  if (!exists) return false
  const [row] = hasTables ? await openRemote('DB', name, file).read('SELECT deployment_id FROM deployment') : []
  const bucket = openDeployedBucket(documentsBucket(readConfiguration(name, file)))
  const refusal = await bucketRefusal(bucket, row && String(row[0]))
  if (refusal === undefined) return false
  if (mayAdopt && (await markOf(bucket)) === undefined) return true
  throw new Error(
    `${refusal}. Nothing was changed. Set another bucket_name in wrangler.toml; if the objects without a marker ` +
      'belong to this service, add --adopt-bucket.',
  )
}

/** The settings after `npm run setup`, with placeholder IDs for resources that do not exist yet. */
function complete(settings, issuer, place, resources) {
  setPlace(settings, issuer, place)
  for (const resource of resources) bind(settings, resource, resource.id ?? `${resource.label}, not made yet`)
}

/**
 * @param {Record<string, any>} options of `setupCommand`
 * @throws {Error} naming the errors
 */
export async function planOf({ env: name, issuer: address, location, jurisdiction, adoptBucket: mayAdopt }) {
  const config = readConfiguration(name)
  const issuer = issuerOf(address, config.vars.ISSUER)
  const place = { location, jurisdiction: jurisdictionOf(config, jurisdiction) }
  const { hostname } = new URL(issuer)
  const account = await accountId()
  if (config.account_id !== undefined && config.account_id !== account)
    throw new Error(`wrangler.toml is for the account ${config.account_id}, not for ${account}. Nothing was changed.`)
  await requireSubdomain()
  await requirePermissions(config.name)
  const [resources, deployed] = await Promise.all([
    resourcesOf(config, place),
    deployedVersion(name),
    requireDomain(hostname),
    requireFreeHost(hostname, config.name),
  ])
  return withDirectory(async (directory) => {
    const file = path.join(directory, 'wrangler.toml')
    writeFileSync(
      file,
      changedSettings(name, (settings) => complete(settings, issuer, place, resources)),
    )
    refuse(environmentsErrors(readConfigurations(file)))
    const databases = resources.filter(({ table, exists }) => table === 'd1_databases' && exists)
    const filled = await Promise.all(databases.map((each) => hasData(each, name, file)))
    const planned = readConfiguration(name, file)
    const secrets = secretsToSend(name, deployed, planned, filled.includes(true))
    const changes = resources.map(({ binding }) => binding)
    refuse(deploymentErrors(planned, deployed, secrets, changes))
    const hasTables = databases.some(({ binding }, index) => binding === 'DB' && filled[index])
    const adopts = await adoptsBucket(name, file, resources, hasTables, mayAdopt)
    return { issuer, place, resources, worker: config.name, isDeployed: deployed !== null, secrets, changes, adopts }
  })
}

/** @typedef {Awaited<ReturnType<typeof planOf>>} Plan */

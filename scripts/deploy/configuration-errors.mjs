/**
 * Finds errors in `wrangler.toml`: resources that an environment shares with production, settings that the Worker would
 * reject, and anything that cannot be deployed. Changes nothing.
 */
import { compatibilityDate } from 'workerd'
import { BINDINGS, configurationErrors } from '#worker/env'
import { isExample, isLocal, isPlaceholder, patternsOf } from '../configuration.mjs'
import { newSecrets } from '../secrets.mjs'
import { secretsOf } from './state.mjs'

/** @typedef {Record<string, any>} Config the settings of one environment, as wrangler reads `wrangler.toml` */

/** The entries of a table of `wrangler.toml`, in any of its forms. @param {Config} config @returns {any[]} */
const entriesOf = (config, table) => [config[table]?.bindings ?? config[table] ?? []].flat()

/** Tables with a property that an environment must not share with production. */
const UNIQUE_MEMBERS = [
  ['d1_databases', 'database_id'],
  ['d1_databases', 'database_name'],
  ['kv_namespaces', 'id'],
  ['r2_buckets', 'bucket_name'],
  ['ratelimits', 'namespace_id'],
]

/** Anything that production must not share, in words. @param {Config} config */
const uniqueValues = (config) => [
  ...UNIQUE_MEMBERS.flatMap(([table, member]) =>
    entriesOf(config, table)
      .flatMap((entry) => entry[member] ?? [])
      .map((value) => `the ${member} ${value}`),
  ),
  ...patternsOf(config).map((pattern) => `the route ${pattern}`),
]

/**
 * Errors for which the Worker would reject its settings. Assumes that unknown secrets are right.
 *
 * @param {Config} config
 * @param {Record<string, string>} [secrets] the known secrets
 * @returns {string[]} what is wrong
 */
export function workerErrors(config, secrets = {}) {
  const { vars = {} } = config
  const bindings = [...new Set(Object.values(BINDINGS))].flatMap((table) =>
    entriesOf(config, table)
      .map(({ binding, name }) => binding ?? name)
      // A binding in the wrong table counts as missing.
      .filter((name) => (BINDINGS[name] ?? table) === table),
  )
  const login = vars.OIDC_ISSUER || vars.OIDC_CLIENT_ID ? { OIDC_CLIENT_SECRET: 'known to the Worker alone' } : {}
  const bound = Object.fromEntries(bindings.map((name) => [name, true]))
  return configurationErrors(/** @type {any} */ ({ ...newSecrets(), ...login, ...secrets, ...vars, ...bound }))
}

/** The errors of one environment alone. @param {Config} config */
function environmentErrors(config) {
  const errors = workerErrors(config)
  if (config.observability?.logs?.invocation_logs !== false)
    errors.push('observability.logs.invocation_logs must be false: those lines hold queries and login codes')
  const { compatibility_date: date = 'missing' } = config
  if (date > compatibilityDate) errors.push(`compatibility_date is ${date}; the last one is ${compatibilityDate}`)
  return errors
}

/** Errors of all environments. @param {Map<string, Config>} environments with `production` @returns {string[]} */
export function environmentsErrors(environments) {
  const ofProduction = uniqueValues(environments.get('production'))
  return [...environments].flatMap(([name, config]) => {
    const shared = name === 'production' ? [] : uniqueValues(config).filter((value) => ofProduction.includes(value))
    const errors = [...environmentErrors(config), ...shared.map((value) => `${value} is also that of production`)]
    return errors.map((error) => `${name}: ${error}`)
  })
}

/**
 * Placeholder IDs and local addresses, which the committed file contains until they are replaced. @param {Config}
 * config
 */
export const placeholderErrors = (config) => [
  ...[...entriesOf(config, 'd1_databases'), ...entriesOf(config, 'kv_namespaces')]
    .map(({ binding, database_id, id = database_id }) => ({ binding, id }))
    .filter(({ id }) => isPlaceholder(id))
    .map(
      ({ binding, id = '(no id)' }) =>
        `${binding} has the placeholder ${id}: put the id of your own into wrangler.toml`,
    ),
  ...Object.entries(config.vars ?? {})
    .filter(([, value]) => isLocal(value))
    .map(([name, value]) => `${name} is ${value}, which only this machine reaches`),
]

/** The service must only be reachable at its issuer's host. @param {Config} config */
function routeErrors(config) {
  const { vars = {}, workers_dev, preview_urls } = config
  const patterns = patternsOf(config)
  const host = URL.parse(vars.ISSUER)?.hostname
  const errors = patterns
    .filter(isExample)
    .map((pattern) => `routes has the placeholder ${pattern}: put the host of ISSUER there`)
  // A missing or malformed issuer is an error of the Worker.
  if (host !== undefined && !patterns.includes(host))
    errors.push(`routes has ${patterns.join(', ') || 'nothing'}, but ISSUER is at ${host}`)
  if (workers_dev !== false) errors.push('workers_dev is not false: it creates a second address next to your domain')
  if (preview_urls !== false)
    errors.push('preview_urls is not false: versions that were never released would run on these data')
  return errors
}

/** Secrets without which the Worker returns 500. @param {Config} config */
const secretErrors = ({ vars = {} }, deployed, sent) =>
  ['SIGNING_KEYS', 'MASTER_KEY', ...(vars.OIDC_ISSUER ? ['OIDC_CLIENT_SECRET'] : [])]
    .filter((name) => !secretsOf(deployed).has(name) && !(name in sent))
    .map((name) => `the secret ${name} is not set: npx wrangler secret put ${name}`)

/** Settings that must not change unnoticed, by type: a published issuer or audience, and the locations of data. */
const KEPT = {
  plain_text: ({ name, text }) => (['PARTNER_AUDIENCE', 'ISSUER'].includes(name) ? text : undefined),
  d1: ({ id, database_id = id }) => database_id,
  r2_bucket: ({ bucket_name }) => bucket_name,
}

/** Tokens contain the issuer and the audience, and a removed database can have workspaces. */
function changeErrors({ vars = {}, d1_databases = [], r2_buckets = [] }, deployed, changes) {
  const bound = [...d1_databases, ...r2_buckets].map((each) => [each.binding, each.database_id ?? each.bucket_name])
  const planned = { ...vars, ...Object.fromEntries(bound) }
  return (deployed?.bindings ?? [])
    .map((binding) => ({ name: binding.name, before: KEPT[binding.type]?.(binding) }))
    .filter(({ name, before }) => before !== undefined && before !== planned[name] && !changes.includes(name))
    .map(
      ({ name, before }) =>
        `${name} is ${before} in the deployed Worker and ${planned[name] ?? 'missing'} in wrangler.toml; ` +
        `--change ${name} changes it`,
    )
}

/**
 * Errors of a deployment, in addition to `environmentsErrors`.
 *
 * @param {Config} config
 * @param {import('./state.mjs').Deployed | null} deployed the deployed version; null if there is none
 * @param {Record<string, string>} [sent] secrets to send with the Worker
 * @param {string[]} [changes] names of intentionally changed variables and bindings
 * @returns {string[]} what is wrong
 */
export const deploymentErrors = (config, deployed, sent = {}, changes = []) => [
  ...workerErrors(config, sent),
  ...placeholderErrors(config),
  ...routeErrors(config),
  ...secretErrors(config, deployed, sent),
  ...changeErrors(config, deployed, changes),
]

/**
 * What is wrong with `wrangler.toml`: what environments share, each as the Worker checks it, and what cannot be
 * deployed. All of it is known before anything is changed.
 */
import { compatibilityDate } from 'workerd'
import { isExample, isLocal, isPlaceholder, patternsOf } from '../configuration.mjs'
import { newSecrets } from '../secrets.mjs'
import { secretsOf } from './state.mjs'

// Not by `import`, which an old Node would follow into TypeScript before any script could say what it needs.
const { BINDINGS, configurationErrors } = await import('#worker/env')

/** Tables of `wrangler.toml` with the members that two environments must not share. */
const OWN = [
  { kind: 'd1_databases', own: ['database_id', 'database_name'] },
  { kind: 'kv_namespaces', own: ['id'] },
  { kind: 'r2_buckets', own: ['bucket_name'] },
  { kind: 'ratelimits', own: ['namespace_id'] },
]

/** What an environment shares with production. */
function sharedErrors(production, environment) {
  const ids = OWN.flatMap(({ kind, own }) =>
    own.flatMap((member) => {
      const theirs = new Set((production[kind] ?? []).map((entry) => entry[member]))
      return (environment[kind] ?? [])
        .map((entry) => entry[member])
        .filter((value) => value !== undefined && theirs.has(value))
        .map((value) => `${kind} shares ${member} ${value} with production`)
    }),
  )
  const addresses = patternsOf(environment)
    .filter((pattern) => patternsOf(production).includes(pattern))
    .map((pattern) => `routes shares ${pattern} with production`)
  return [...ids, ...addresses]
}

/**
 * The bindings of a configuration: their names, and the tables that have them.
 *
 * @param {Record<string, any>} config
 */
const boundIn = ({ assets, durable_objects, ...tables }) =>
  new Map([
    ...Object.values(BINDINGS).flatMap((table) =>
      (Array.isArray(tables[table]) ? tables[table] : []).map((entry) => [entry.binding ?? entry.name, table]),
    ),
    ...(durable_objects?.bindings ?? []).map(({ name }) => [name, 'durable_objects']),
    ...(assets?.binding ? [[assets.binding, 'assets']] : []),
  ])

/**
 * What the Worker would refuse. Secrets that are not known are taken to be right.
 *
 * @param {Record<string, any>} config of one environment
 * @param {Record<string, string>} [secrets] those that are known
 * @returns {string[]} what is wrong
 */
export function workerErrors(config, secrets = {}) {
  const { vars = {} } = config
  const bound = boundIn(/** @type {any} */ (config))
  const wrongKinds = Object.entries(BINDINGS)
    .filter(([name, table]) => bound.has(name) && bound.get(name) !== table)
    .map(([name, table]) => `${name} must be in ${table}`)
  const login = vars.OIDC_ISSUER || vars.OIDC_CLIENT_ID ? { OIDC_CLIENT_SECRET: 'known to the Worker alone' } : {}
  const env = /** @type {any} */ ({
    ...newSecrets(),
    ...login,
    ...secrets,
    ...vars,
    ...Object.fromEntries(bound),
  })
  return [...wrongKinds, ...configurationErrors(env)]
}

/** The errors of one environment alone. */
function ownErrors(config) {
  const errors = workerErrors(config)
  if (config.observability?.logs?.invocation_logs !== false)
    errors.push('observability.logs.invocation_logs must be false: those lines hold queries and login codes')
  if (!(config.compatibility_date <= compatibilityDate))
    errors.push(`compatibility_date must not be after ${compatibilityDate}`)
  return errors
}

/**
 * @param {Map<string, Record<string, any>>} environments the configuration of each; `production` is one
 * @returns {string[]} what is wrong
 */
export function allErrors(environments) {
  const production = environments.get('production')
  return [...environments].flatMap(([name, config]) =>
    [...ownErrors(config), ...(config === production ? [] : sharedErrors(production, config))].map(
      (error) => `${name}: ${error}`,
    ),
  )
}

/** Secrets without which the Worker answers 500. */
const SECRETS = ['SIGNING_KEYS', 'MASTER_KEY']

/** The values to replace before the first deployment: the committed file has them. */
export const placeholderErrors = ({ vars = {}, d1_databases = [], kv_namespaces = [] }) => [
  ...[
    ...d1_databases.map((each) => [each.binding, each.database_id]),
    ...kv_namespaces.map((each) => [each.binding, each.id]),
  ]
    .filter(([, id]) => isPlaceholder(id))
    .map(
      ([binding, id]) => `${binding} has the placeholder ${id ?? '(no id)'}: put the id of your own into wrangler.toml`,
    ),
  ...Object.entries(vars)
    .filter(([, value]) => isLocal(value))
    .map(([name, value]) => `${name} is ${value}, which only this machine reaches`),
]

/**
 * The service answers at its issuer's host and nowhere else.
 *
 * @param {Record<string, any>} config
 */
function routeErrors(config) {
  const { vars = {}, workers_dev, preview_urls } = config
  const patterns = patternsOf(config)
  const host = URL.parse(vars.ISSUER)?.hostname
  return [
    ...patterns
      .filter(isExample)
      .map((pattern) => `routes has the placeholder ${pattern}: put the host of ISSUER there`),
    ...(patterns.includes(host) ? [] : [`routes has ${patterns.join(', ') || 'nothing'}, but ISSUER is at ${host}`]),
    ...(workers_dev === false ? [] : ['workers_dev is not false: it makes a second address beside your domain']),
    ...(preview_urls === false
      ? []
      : ['preview_urls is not false: versions that were never released would run on these data']),
  ]
}

/** @param {Record<string, any>} config */
function secretErrors(config, deployed, sent) {
  const { vars = {} } = config
  const needed = [...SECRETS, ...(vars.OIDC_ISSUER ? ['OIDC_CLIENT_SECRET'] : [])]
  const present = secretsOf(deployed)
  return needed
    .filter((name) => !present.has(name) && !(name in sent))
    .map((name) => `the secret ${name} is not set: npx wrangler secret put ${name}`)
}

/** Partners configure the audience on their side, and tokens name the issuer. A change ends them all. */
function changedErrors({ vars = {} }, deployed) {
  return ['PARTNER_AUDIENCE', 'ISSUER'].flatMap((name) => {
    const before = deployed?.bindings.find((binding) => binding.name === name)?.text
    return before === undefined || before === vars[name]
      ? []
      : [`${name} is ${before} in the deployed Worker and ${vars[name]} in wrangler.toml; --change ${name} changes it`]
  })
}

/**
 * What cannot be right about a deployment.
 *
 * @param {Record<string, any>} config of one environment, as `wrangler.toml` has it
 * @param {import('./state.mjs').Deployed | null} deployed the version that is deployed; null if there is none
 * @param {{ name: string, errors: string[] }[]} pending migrations that a database does not have, with what the old
 *   Worker cannot live with
 * @param {string[]} changes names of variables that are changed on purpose
 * @param {Record<string, string>} sent secrets that are sent with the Worker
 * @returns {string[]} what is wrong
 */
export const deploymentErrors = (config, deployed, pending, changes, sent = {}) => [
  ...workerErrors(config, sent),
  ...placeholderErrors(config),
  ...routeErrors(config),
  ...secretErrors(config, deployed, sent),
  ...changedErrors(config, deployed).filter((error) => !changes.some((name) => error.startsWith(`${name} `))),
  ...pending.flatMap(({ name, errors }) => errors.map((error) => `migrations/${name}: ${error}`)),
]

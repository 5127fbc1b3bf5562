/** Checks of `wrangler.toml` that need no account: the environments against each other, and each as the Worker does. */
import { compatibilityDate } from 'workerd'
import { isLocal, isPlaceholder, patternsOf } from '../configuration.mjs'
import { newSecrets } from '../secrets.mjs'

// Not by `import`, which an old Node would follow into TypeScript before any script could say what it needs.
const { BINDINGS, configurationErrors } = await import('#worker/env')

/**
 * Bindings that an environment does not inherit: the member that names an entry, and the members that must not be
 * shared.
 */
const OWN = [
  { kind: 'd1_databases', name: 'binding', own: ['database_id', 'database_name'] },
  { kind: 'kv_namespaces', name: 'binding', own: ['id'] },
  { kind: 'r2_buckets', name: 'binding', own: ['bucket_name'] },
  { kind: 'ratelimits', name: 'name', own: ['namespace_id'] },
]

const namesOf = (entries, name) => new Set(entries.map((entry) => entry[name]))

/** Entries that only one of production and the environment has. */
function differences(kind, production, environment) {
  return [
    ...[...production].filter((each) => !environment.has(each)).map((each) => `${kind} lacks ${each}`),
    ...[...environment]
      .filter((each) => !production.has(each))
      .map((each) => `${kind} has ${each}, which production lacks`),
  ]
}

/** What an environment lacks, or shares with production. */
function environmentErrors(production, environment) {
  const bindings = OWN.flatMap(({ kind, name, own }) => {
    const [theirs, ours] = [production[kind] ?? [], environment[kind] ?? []]
    return [
      ...differences(kind, namesOf(theirs, name), namesOf(ours, name)),
      ...own.flatMap((member) =>
        ours
          .map((entry) => entry[member])
          .filter((value) => value !== undefined && namesOf(theirs, member).has(value))
          .map((value) => `${kind} shares ${member} ${value} with production`),
      ),
    ]
  })
  const addresses = patternsOf(environment)
    .filter((pattern) => patternsOf(production).includes(pattern))
    .map((pattern) => `routes shares ${pattern} with production`)
  const variables = ({ vars = {} }) => new Set(Object.keys(vars))
  return [...bindings, ...addresses, ...differences('vars', variables(production), variables(environment))]
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
  for (const { binding, migrations_dir } of config.d1_databases ?? []) {
    if (migrations_dir !== 'migrations') errors.push(`d1_databases: ${binding} lacks migrations_dir = "migrations"`)
  }
  return errors
}

/**
 * @param {Map<string, Record<string, any>>} environments the configuration of each; `production` is one
 * @returns {string[]} what is wrong
 */
export function allErrors(environments) {
  const production = environments.get('production')
  return [
    ...(environments.has('sandbox') ? [] : ['there is no [env.sandbox]']),
    ...[...environments].flatMap(([name, config]) =>
      [...ownErrors(config), ...(config === production ? [] : environmentErrors(production, config))].map(
        (error) => `${name}: ${error}`,
      ),
    ),
  ]
}

/**
 * The values to replace before the first deployment.
 *
 * @param {Map<string, Record<string, any>>} environments
 * @returns {string[]} hints, not errors: the committed file has placeholders
 */
export const placeholders = (environments) =>
  [...environments].flatMap(([name, { vars, d1_databases = [], kv_namespaces = [] }]) => [
    ...Object.entries(vars ?? {})
      .filter(([, value]) => isLocal(value))
      .map(([key]) => `${name}: ${key} is a local address`),
    ...[...d1_databases.map((each) => each.database_id), ...kv_namespaces.map((each) => each.id)]
      .filter(isPlaceholder)
      .map((id) => `${name}: ${id} is a placeholder`),
  ])

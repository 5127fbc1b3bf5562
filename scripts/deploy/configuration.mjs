/** Checks of `wrangler.toml` that need no account. */
import { compatibilityDate } from 'workerd'

/**
 * Bindings that an environment does not inherit: the member that names an entry, and the members that must not be
 * shared.
 */
const BINDINGS = [
  { kind: 'd1_databases', name: 'binding', own: ['database_id', 'database_name'] },
  { kind: 'kv_namespaces', name: 'binding', own: ['id'] },
  { kind: 'r2_buckets', name: 'binding', own: ['bucket_name'] },
  { kind: 'ratelimits', name: 'name', own: ['namespace_id'] },
]

/** Whether an id in `wrangler.toml` is still to be replaced by that of an own resource. */
export const isPlaceholder = (id) => id === undefined || /^0{8}/.test(String(id))

/** Whether only this machine reaches an address. */
export const isLocal = (value) => /\/\/(?:localhost|127\.|\[::1\])/.test(String(value))

/** Whether the host of a route is still to be replaced. */
export const isExample = (pattern) => /(^|\.)example\.com$/.test(pattern)

/** The hosts of a configuration's routes. */
export const patternsOf = ({ routes = [] }) => routes.map((route) => route.pattern ?? route)

const names = (entries, name) => new Set(entries.map((entry) => entry[name]))

/** Entries that only one of production and the environment has. */
function differences(kind, production, environment) {
  return [
    ...[...production].filter((each) => !environment.has(each)).map((each) => `${kind} lacks ${each}`),
    ...[...environment]
      .filter((each) => !production.has(each))
      .map((each) => `${kind} has ${each}, which production lacks`),
  ]
}

/** The errors of one environment, compared with production. */
function environmentErrors(production, environment) {
  const bindings = BINDINGS.flatMap(({ kind, name, own }) => {
    const ours = environment[kind] ?? []
    const theirs = production[kind] ?? []
    return [
      ...differences(kind, names(theirs, name), names(ours, name)),
      ...own.flatMap((member) =>
        ours
          .map((entry) => entry[member])
          .filter((value) => value !== undefined && names(theirs, member).has(value))
          .map((value) => `${kind} shares ${member} ${value} with production`),
      ),
    ]
  })
  const addresses = patternsOf(environment)
    .filter((pattern) => patternsOf(production).includes(pattern))
    .map((pattern) => `routes shares ${pattern} with production`)
  const inherited = production.routes && !environment.routes ? ['routes are those of production'] : []
  const objects = differences(
    'durable_objects',
    names(production.durable_objects?.bindings ?? [], 'name'),
    names(environment.durable_objects?.bindings ?? [], 'name'),
  )
  const keys = (vars) => new Set(Object.keys(vars ?? {}))
  return [
    ...bindings,
    ...addresses,
    ...inherited,
    ...objects,
    ...differences('vars', keys(production.vars), keys(environment.vars)),
  ]
}

/** The errors that concern all environments. */
function commonErrors(config) {
  const errors = []
  if (config.observability?.logs?.invocation_logs !== false) {
    errors.push('observability.logs.invocation_logs must be false: those lines hold queries and login codes')
  }
  if (!(config.compatibility_date <= compatibilityDate)) {
    errors.push(`compatibility_date must not be after ${compatibilityDate}`)
  }
  for (const { binding, migrations_dir } of config.d1_databases ?? []) {
    if (migrations_dir !== 'migrations')
      errors.push(`d1_databases: ${binding} lacks migrations_dir = "migrations"`)
  }
  return errors
}

/**
 * @param {Record<string, any>} config `wrangler.toml`, parsed and not yet resolved for an environment
 * @returns {string[]} what is wrong
 */
export function configurationErrors(config) {
  const environments = Object.entries(config.env ?? {})
  return [
    ...(environments.some(([name]) => name === 'sandbox') ? [] : ['there is no [env.sandbox]']),
    ...commonErrors(config),
    ...environments.flatMap(([name, environment]) =>
      environmentErrors(config, environment).map((error) => `env.${name}: ${error}`),
    ),
  ]
}

/**
 * The values to replace before the first deployment.
 *
 * @returns {string[]} hints, not errors: the committed file has placeholders
 */
export function placeholders(config) {
  const all = { production: config, ...config.env }
  return Object.entries(all).flatMap(([name, { vars, d1_databases = [], kv_namespaces = [] }]) => [
    ...Object.entries(vars ?? {})
      .filter(([, value]) => isLocal(value))
      .map(([key]) => `${name}: ${key} is a local address`),
    ...[...d1_databases.map((each) => each.database_id), ...kv_namespaces.map((each) => each.id)]
      .filter(isPlaceholder)
      .map((id) => `${name}: ${id} is a placeholder`),
  ])
}

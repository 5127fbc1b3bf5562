/** What cannot be right about a deployment. All of it is known before anything is changed. */

/** Secrets without which the Worker answers 500. */
const SECRETS = ['SIGNING_KEYS', 'MASTER_KEY']

/** Addresses that nobody else can reach. */
const LOCAL_ADDRESS = /\/\/(?:localhost|127\.|\[::1\])/

const placeholderErrors = ({ d1_databases = [], kv_namespaces = [] }) =>
  [
    ...d1_databases.map((each) => [each.binding, each.database_id]),
    ...kv_namespaces.map((each) => [each.binding, each.id]),
  ]
    .filter(([, id]) => id === undefined || /^0{8}/.test(String(id)))
    .map(
      ([binding, id]) =>
        `${binding} has the placeholder ${id ?? '(no id)'}: put the id of your own into wrangler.toml`,
    )

const addressErrors = ({ vars = {} }) =>
  Object.entries(vars)
    .filter(([, value]) => LOCAL_ADDRESS.test(String(value)))
    .map(([name, value]) => `${name} is ${value}, which only this machine reaches`)

/**
 * The service answers at its issuer's host and nowhere else.
 *
 * @param {Record<string, any>} config
 */
function routeErrors({ routes = [], vars = {}, workers_dev, preview_urls }) {
  const patterns = routes.map((route) => (typeof route === 'string' ? route : route.pattern))
  const host = URL.parse(vars.ISSUER)?.hostname
  return [
    ...patterns
      .filter((pattern) => /(^|\.)example\.com$/.test(pattern))
      .map((pattern) => `routes has the placeholder ${pattern}: put the host of ISSUER there`),
    ...(patterns.includes(host)
      ? []
      : [`routes has ${patterns.join(', ') || 'nothing'}, but ISSUER is at ${host}`]),
    ...(workers_dev === false
      ? []
      : ['workers_dev is not false: it makes a second address beside your domain']),
    ...(preview_urls === false
      ? []
      : ['preview_urls is not false: versions that were never released would run on these data']),
  ]
}

/** @param {Record<string, any>} config */
function secretErrors(config, deployed) {
  const { vars = {} } = config
  const needed = [...SECRETS, ...(vars.OIDC_ISSUER ? ['OIDC_CLIENT_SECRET'] : [])]
  const present = new Set(
    (deployed?.bindings ?? []).filter(({ type }) => type === 'secret_text').map(({ name }) => name),
  )
  return needed
    .filter((name) => !present.has(name))
    .map((name) => `the secret ${name} is not set: npx wrangler secret put ${name}`)
}

/** Partners configure the audience on their side, and tokens name the issuer. A change ends them all. */
function changedErrors({ vars = {} }, deployed) {
  return ['PARTNER_AUDIENCE', 'ISSUER'].flatMap((name) => {
    const before = deployed?.bindings.find((binding) => binding.name === name)?.text
    return before === undefined || before === vars[name]
      ? []
      : [
          `${name} is ${before} in the deployed Worker and ${vars[name]} in wrangler.toml; --change ${name} changes it`,
        ]
  })
}

/**
 * @param {Record<string, any>} config of one environment, as `wrangler.toml` has it
 * @param {{ bindings: { name: string, type: string, text?: string }[] } | null} deployed the version that is deployed;
 *   null if there is none
 * @param {{ name: string, errors: string[] }[]} pending migrations that a database does not have, with what the old Worker
 *   cannot live with
 * @param {string[]} changes names of variables that are changed on purpose
 * @returns {string[]} what is wrong
 */
export const refusals = (config, deployed, pending, changes) => [
  ...placeholderErrors(config),
  ...addressErrors(config),
  ...routeErrors(config),
  ...secretErrors(config, deployed),
  ...changedErrors(config, deployed).filter((error) => !changes.some((name) => error.startsWith(`${name} `))),
  ...pending.flatMap(({ name, errors }) => errors.map((error) => `migrations/${name}: ${error}`)),
]

/** What cannot be right about a deployment. All of it is known before anything is changed. */
import { isExample, isLocal, isPlaceholder, patternsOf } from '../configuration.mjs'
import { workerErrors } from './configuration-errors.mjs'
import { secretsOf } from './deployed.mjs'

/** Secrets without which the Worker answers 500. */
const SECRETS = ['SIGNING_KEYS', 'MASTER_KEY']

const placeholderErrors = ({ d1_databases = [], kv_namespaces = [] }) =>
  [
    ...d1_databases.map((each) => [each.binding, each.database_id]),
    ...kv_namespaces.map((each) => [each.binding, each.id]),
  ]
    .filter(([, id]) => isPlaceholder(id))
    .map(
      ([binding, id]) => `${binding} has the placeholder ${id ?? '(no id)'}: put the id of your own into wrangler.toml`,
    )

const addressErrors = ({ vars = {} }) =>
  Object.entries(vars)
    .filter(([, value]) => isLocal(value))
    .map(([name, value]) => `${name} is ${value}, which only this machine reaches`)

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
 * @param {Record<string, any>} config of one environment, as `wrangler.toml` has it
 * @param {import('./deployed.mjs').Deployed | null} deployed the version that is deployed; null if there is none
 * @param {{ name: string, errors: string[] }[]} pending migrations that a database does not have, with what the old
 * Worker
 *   cannot live with
 * @param {string[]} changes names of variables that are changed on purpose
 * @param {Record<string, string>} sent secrets that are sent with the Worker
 * @returns {string[]} what is wrong
 */
export const refusals = (config, deployed, pending, changes, sent = {}) => [
  ...workerErrors(config, sent),
  ...placeholderErrors(config),
  ...addressErrors(config),
  ...routeErrors(config),
  ...secretErrors(config, deployed, sent),
  ...changedErrors(config, deployed).filter((error) => !changes.some((name) => error.startsWith(`${name} `))),
  ...pending.flatMap(({ name, errors }) => errors.map((error) => `migrations/${name}: ${error}`)),
]

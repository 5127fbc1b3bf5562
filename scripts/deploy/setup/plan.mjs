/** What `npm run setup` will do. All that can be refused is refused here, before anything is changed. */
import { account } from '../../cloudflare/account.mjs'
import { deployedVersion } from '../deployed.mjs'
import { environmentOf } from '../environment.mjs'
import { refusals } from '../refusals.mjs'
import { refuse } from '../steps.mjs'
import { bind, resourcesOf } from './resources.mjs'
import { secretsToSend } from './secrets.mjs'
import { issuerOf, jurisdictionOf, setPlace, withSettings } from './settings.mjs'

/** Refuses a host at which another Worker answers. */
async function requireFreeHost(host, worker) {
  const { get } = await account()
  const other = (await get(`/workers/domains?hostname=${host}`)).find(
    ({ hostname, service }) => hostname === host && service !== worker,
  )
  if (other) throw new Error(`The Worker ${other.service} answers at ${host}. Nothing was changed.`)
}

/** Refuses a host whose domain wrangler would not find. It looks only after the upload. */
async function requireDomain(host) {
  const { hasDomain } = await account()
  const labels = host.split('.')
  const domains = labels.slice(0, -1).map((_, index) => labels.slice(index).join('.'))
  if ((await Promise.all(domains.map(hasDomain))).includes(true)) return
  throw new Error(
    `The domain of ${host} is not in this account, or the token may not see it. Nothing was changed.`,
  )
}

/** The settings after `npm run setup`, with ids that show what is not made yet. */
const complete = (settings, issuer, place, resources) => {
  setPlace(settings, issuer, place.jurisdiction)
  for (const { table, binding, entry, label } of resources) {
    const [member] = Object.keys(entry)
    if (member) bind(settings, { table, binding }, { [member]: entry[member] ?? `${label}, not made yet` })
  }
}

/**
 * @typedef {object} Plan
 * @property {string} issuer
 * @property {import('./resources.mjs').Place} place
 * @property {import('./resources.mjs').Resource[]} resources
 * @property {string} worker its name
 * @property {boolean} isDeployed
 * @property {string[]} secrets names of those to send
 */

/**
 * @param {ReturnType<typeof import('./options.mjs').setupOptions>} options
 * @returns {Promise<Plan>}
 * @throws {Error} with what cannot be right
 */
export async function planOf({ env: name, issuer: address, location, jurisdiction }) {
  const { config } = environmentOf(name)
  const issuer = issuerOf(address, config.vars.ISSUER)
  const place = { location, jurisdiction: jurisdictionOf(config, jurisdiction) }
  const { hostname } = new URL(issuer)
  const [resources, deployed] = await Promise.all([
    resourcesOf(config, place),
    deployedVersion(config.name),
    requireDomain(hostname),
    requireFreeHost(hostname, config.name),
  ])
  const { configuration } = withSettings(name, (settings) => complete(settings, issuer, place, resources))
  const planned = environmentOf(name, configuration).config
  const hasData = resources.some((resource) => resource.hasData)
  const secrets = secretsToSend(name, deployed, planned, hasData)
  refuse(refusals(planned, deployed, [], [], secrets))
  return { issuer, place, resources, worker: config.name, isDeployed: deployed !== null, secrets }
}

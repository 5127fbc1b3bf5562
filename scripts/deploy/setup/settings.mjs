/** Changes of `wrangler.toml` that keep its comments. */
import { readFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { parse, patch } from '@decimalturn/toml-patch'
import { writeWhole } from '#cli/write-whole'
import { CONFIGURATION, isExample, isLocal, isPlaceholder, patternsOf } from '../../configuration.mjs'

/**
 * `wrangler.toml` with changed settings of one environment. Writes nothing. wrangler cannot change files with comments.
 *
 * @param {string | undefined} name production by default
 * @param {(settings: Record<string, any>, all: Record<string, any>) => void} change `all` is the whole file
 * @returns {string} the text
 */
export function changedSettings(name, change) {
  const text = readFileSync(CONFIGURATION, 'utf8')
  const settings = parse(text)
  change(name === undefined ? settings : settings.env[name], settings)
  const changed = patch(text, settings)
  // Clones are equal whatever the prototypes are.
  if (isDeepStrictEqual(structuredClone(parse(changed)), structuredClone(settings))) return changed
  throw new Error('wrangler.toml was not changed, because its comments would be lost. Change it by hand.')
}

/**
 * Changes the settings of one environment, all or none.
 *
 * @param {string | undefined} name production by default
 * @param {(settings: Record<string, any>, all: Record<string, any>) => void} change
 */
export const changeSettings = (name, change) => writeWhole(CONFIGURATION, changedSettings(name, change))

/**
 * Cloud regions near the locations of databases, for `placement`, so that the Worker's location is fixed from the first
 * request on. Smart placement needs much traffic from several cities first.
 */
const REGIONS = {
  weur: 'aws:eu-west-3',
  eeur: 'aws:eu-central-1',
  apac: 'aws:ap-southeast-1',
  oc: 'aws:ap-southeast-2',
  wnam: 'aws:us-west-2',
  enam: 'aws:us-east-1',
  eu: 'aws:eu-central-1',
  fedramp: 'aws:us-east-1',
}

/**
 * Sets the service's address and the settings that depend on it, and the locations of its data and its Worker.
 *
 * @param {Record<string, any>} settings of the environment
 * @param {string} issuer
 * @param {import('./resources.mjs').Place} place
 */
export function setPlace(settings, issuer, { location, jurisdiction }) {
  const { vars } = settings
  vars.ISSUER = issuer
  if (jurisdiction !== undefined) {
    for (const bucket of settings.r2_buckets) bucket.jurisdiction = jurisdiction
    vars.JURISDICTION = jurisdiction
  }
  const region = REGIONS[jurisdiction ?? location]
  if (region !== undefined && (settings.placement?.mode ?? 'smart') === 'smart') settings.placement = { region }
  // Unless the operator has chosen one.
  if (isLocal(vars.PARTNER_AUDIENCE)) vars.PARTNER_AUDIENCE = `${issuer}/partners`
  const { hostname } = new URL(issuer)
  if (patternsOf(settings).includes(hostname)) return
  const others = (settings.routes ?? []).filter((route) => !isExample(route.pattern ?? route))
  settings.routes = [...others, { pattern: hostname, custom_domain: true }]
}

/**
 * The jurisdiction of databases and buckets, which cannot be changed later. It is stored with the buckets.
 *
 * @param {Record<string, any>} settings of an environment
 * @param {string | undefined} argument on the command line
 * @returns {string | undefined}
 * @throws {Error} if it is too late to change it
 */
export function jurisdictionOf({ d1_databases = [], r2_buckets = [] }, argument) {
  const current = r2_buckets.find((bucket) => bucket.jurisdiction !== undefined)?.jurisdiction
  if (argument === undefined || argument === current) return current
  if (current === undefined && d1_databases.every(({ database_id }) => isPlaceholder(database_id))) return argument
  const where = current ? `the jurisdiction ${current}` : 'no jurisdiction'
  throw new Error(
    `wrangler.toml has databases or buckets in ${where}, and that cannot be changed. Nothing was changed.`,
  )
}

/**
 * The intended public address.
 *
 * @param {string | undefined} argument on the command line
 * @param {string} present in `wrangler.toml`
 * @throws {Error} naming its error
 */
export function issuerOf(argument, present) {
  const configured = isLocal(present) ? undefined : present
  const issuer = argument?.replace(/\/$/, '') ?? configured
  if (issuer === undefined) throw new Error('Name the public address: --issuer https://catalog.example.com')
  const url = URL.parse(issuer)
  if (url?.protocol !== 'https:' || url.origin !== issuer || url.port || !/\.[a-z][a-z-]*[a-z]$/.test(url.hostname)) {
    throw new Error(`${argument} is not an address such as https://catalog.example.com, of a domain of your account.`)
  }
  if (configured !== undefined && configured !== issuer) {
    throw new Error(
      `The issuer in wrangler.toml is ${configured}. To change it, replace its host everywhere in that file, and: ` +
        'npm run deploy -- --change ISSUER --change PARTNER_AUDIENCE',
    )
  }
  return issuer
}

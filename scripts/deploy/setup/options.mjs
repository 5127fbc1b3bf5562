import { parseArgs } from 'node:util'

export const USAGE = `npm run setup -- --issuer https://catalog.example.com [options]

From an empty Cloudflare account to a running service with its first workspace: makes the databases, the
namespace and the bucket, writes their ids into wrangler.toml, makes the secrets, applies the migrations,
deploys, and makes a workspace with its admin, a client and a key. Shows what it will do, and asks before it
changes anything. Interrupted anywhere, it goes on when it is called again with the same arguments.

  --issuer URL          public address, at a domain of your account; needed the first time
  --env sandbox         the sandbox instead of production
  --location apac       where the data are (weur, eeur, apac, oc, wnam, enam); cannot be changed later
  --jurisdiction eu     instead of a location: the data stay there by contract
  --workspace main      the first workspace
  --admin EMAIL         its first admin; asked for by default
  --yes                 asks nothing
  --help                shows this

It needs npx wrangler login or CLOUDFLARE_API_TOKEN and, with several accounts, CLOUDFLARE_ACCOUNT_ID. More in
docs/deploying.md.`

const LOCATIONS = ['weur', 'eeur', 'apac', 'oc', 'wnam', 'enam']
const JURISDICTIONS = ['eu', 'fedramp']

/** The service checks both again. A mistake is found before anything is made. */
const WORKSPACE = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/
const EMAIL = /^[^\s@]+@[^\s@]+$/

function requireOneOf(option, value, values) {
  if (value !== undefined && !values.includes(value))
    throw new Error(`--${option} ${value}: choose one of ${values.join(', ')}.`)
}

/** @throws {Error} when a text is no email address */
export function requireEmail(text) {
  if (!EMAIL.test(text)) throw new Error(`"${text}" is not an email address. Nothing was changed.`)
  return text
}

/**
 * The arguments of `npm run setup`.
 *
 * @param {string[]} args
 * @throws {Error} with what is wrong about them
 */
export function setupOptions(args) {
  const { values } = parseArgs({
    args,
    options: {
      issuer: { type: 'string' },
      env: { type: 'string', short: 'e' },
      location: { type: 'string' },
      jurisdiction: { type: 'string' },
      workspace: { type: 'string', default: 'main' },
      admin: { type: 'string' },
      yes: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  if (values.help) return values
  requireOneOf('location', values.location, LOCATIONS)
  requireOneOf('jurisdiction', values.jurisdiction, JURISDICTIONS)
  if (values.location !== undefined && values.jurisdiction !== undefined) {
    throw new Error('Choose one of --location and --jurisdiction.')
  }
  if (!WORKSPACE.test(values.workspace)) throw new Error(`"${values.workspace}" cannot be a workspace's id.`)
  if (values.admin !== undefined) requireEmail(values.admin)
  return values
}

/**
 * Refuses if something has to be asked and nobody is there.
 *
 * @param {{ yes: boolean, admin?: string }} options
 * @param {boolean} hasTerminal to ask on
 */
export function requireAnswers({ yes, admin }, hasTerminal) {
  if (!yes && !hasTerminal) throw new Error('There is no terminal to ask on: add --yes.')
  if (yes && admin === undefined) throw new Error('Name the first admin of the workspace: --admin EMAIL')
}

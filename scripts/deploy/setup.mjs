/**
 * `npm run setup -- --issuer https://catalog.example.com [--env sandbox] [--location apac | --jurisdiction eu]
 * [--workspace ID] [--admin EMAIL] [--yes]`: from an empty account to a running service with its first workspace. It asks
 * once. Interrupted anywhere, it goes on when it is called again: each step looks at what is there.
 */
import '../require-node.mjs'
import path from 'node:path'
import { createInterface } from 'node:readline/promises'
import { keep, readKept } from '../kept-file.mjs'
import { curlLine } from '../local/demo.mjs'
import { root } from '../wrangler.mjs'
import { deployedVersion } from './deployed.mjs'
import { environmentOf, version } from './environment.mjs'
import { shownVersion } from './look.mjs'
import { ensureFirstWorkspace } from './setup/first-workspace.mjs'
import { setupOptions } from './setup/options.mjs'
import { ensureResource, missingResources } from './setup/resources.mjs'
import { ensureSecrets, keptDirectory, operatorToken, secretsFile } from './setup/secrets.mjs'
import { changeSettings, issuerOf, jurisdictionOf, setPlace } from './setup/settings.mjs'
import { deploy } from './steps.mjs'

/** A new domain needs its DNS record and certificate first. In milliseconds. */
const PATIENCE_MS = 15 * 60_000

const say = (text = '') => process.stdout.write(`${text}\n`)

/** Paths are told as people type them. */
const relative = (file) => path.relative(process.cwd(), file)

/** Asks on the terminal. Ctrl-C ends the process. */
async function ask(question) {
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  terminal.once('SIGINT', () => process.exit(130))
  try {
    return (await terminal.question(question)).trim()
  } finally {
    terminal.close()
  }
}

function showPlan({ name, config, issuer, place, missing, isUp, options }) {
  const where = place.jurisdiction ?? place.location
  const lines = missing.map(({ label, kind, id }) => {
    if (id !== null) return `  ${label}: is there, will be used`
    const inPlace = where !== undefined && kind !== 'namespace' ? ` in ${where}` : ''
    return `  ${label}: will be made${inPlace}${kind === 'bucket' ? ', unless it is there' : ''}`
  })
  say(`
Dataset Catalog Service ${version}, ${name ?? 'production'}

  address ${issuer}${isUp ? ': answers already' : '; if its host has a DNS record in your account, that is replaced'}
${lines.join('\n')}
  secrets: those that the Worker has, or new ones in ${relative(secretsFile(name))}
  migrations, and the Worker ${config.name}${isUp ? ': are there' : ''}
  workspace ${options.workspace} with its admin, a client and a key
`)
}

/** @returns {Promise<string>} the email address of the first admin */
async function agree({ yes, admin }) {
  if (yes) return admin
  const email = admin ?? (await ask('Email address of the first admin of the workspace: '))
  const answer = await ask('Go on? (y/n) ')
  if (!/^y(es)?$/i.test(answer)) throw new Error('Nothing was changed.')
  return email
}

async function prepareResources(name, missing, place) {
  for (const resource of missing) {
    const made = await ensureResource(resource, name, place)
    say(`${made ? 'made' : 'is there'}: ${resource.label}`)
  }
}

/** Kept when a deployment is complete: a service can answer before its schedule is set. */
const markOf = (name) => path.join(keptDirectory(name), 'deployed.json')

async function isDeployed(name, issuer) {
  const [mark, shown] = await Promise.all([readKept(markOf(name)), shownVersion(issuer)])
  return mark?.version === version && shown === version
}

async function bringUp(name, fresh) {
  const { args, config } = environmentOf(name)
  const { file, send, created } = await ensureSecrets(name, config, await deployedVersion(args), fresh)
  if (created.length > 0) {
    say(
      `New secrets, readable by you only: ${relative(file)}. Cloudflare never shows them: keep a copy in your vault.`,
    )
  }
  await deploy({
    name,
    secretsFile: send ? file : undefined,
    credentials: { PLATFORM_ADMIN_TOKEN: operatorToken(name) },
    patience: PATIENCE_MS,
  })
  await keep(markOf(name), { version })
}

function welcome(name, issuer, config, { id, admin }, { credentials, file }) {
  const login = config.vars.OIDC_ISSUER ? `log in as ${admin}` : 'needs a login provider: docs/login.md'
  say(`
Dataset Catalog Service   ${issuer}
Console                   ${issuer}/console/
                          ${login}
API description           ${issuer}/docs
Operator's token          PLATFORM_ADMIN_TOKEN in ${relative(secretsFile(name))}

Workspace ${id} (also in ${relative(file)})
  client_id      ${credentials.client_id}
  client_secret  ${credentials.client_secret}
  X-API-KEY      ${credentials.api_key}

Try it:

${curlLine(issuer, credentials)}

From now on: npm run deploy${name === undefined ? '' : ` -- --env ${name}`}. Commit wrangler.toml.`)
}

async function main(args) {
  const options = setupOptions(args, process.stdin.isTTY)
  const { env: name } = options
  const { config } = environmentOf(name)
  const issuer = issuerOf(options.issuer, config.vars.ISSUER)
  const place = { location: options.location, jurisdiction: jurisdictionOf(config, options.jurisdiction) }
  say('Looking at what is there ...')
  const isUp = await isDeployed(name, issuer)
  const missing = (await missingResources(config, place)).filter(({ kind }) => kind !== 'bucket' || !isUp)
  showPlan({ name, config, issuer, place, missing, isUp, options })
  const admin = await agree(options)

  changeSettings(name, (settings) => setPlace(settings, issuer, place.jurisdiction))
  await prepareResources(name, missing, place)
  const bases = missing.filter(({ kind }) => kind === 'database')
  const fresh = bases.length === config.d1_databases.length && bases.every(({ id }) => id === null)
  if (!isUp) await bringUp(name, fresh)

  const workspace = { id: options.workspace, admin }
  const service = { fetch, origin: issuer, operatorToken: operatorToken(name) }
  welcome(
    name,
    issuer,
    config,
    workspace,
    await ensureFirstWorkspace(service, workspace, keptDirectory(name), say),
  )
}

process.chdir(root)
await main(process.argv.slice(2)).catch((error) => {
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
})

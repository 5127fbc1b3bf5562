/**
 * `npm start`: makes everything that a local service needs (secrets, static files, database, a demo workspace with
 * sample catalogs), starts the service and a login provider, and prints how to use them. Needs no network.
 *
 * `--verbose` prints the service's log, which otherwise goes to a file; `--watch` builds pages and service again when
 * their sources change; `--distance 30` puts the databases 30 milliseconds away. The other options are in
 * `local/options.mjs`.
 */
import './require-node.mjs'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { ASSETS_ARE_BUILT, buildAssets } from './assets.mjs'
import { curlLine, DEMO_MEMBERS, ensureDemo } from './local/demo.mjs'
import { LOCAL_CLIENT, startOidcProvider } from './local/oidc-provider.mjs'
import { startOptions } from './local/options.mjs'
import { requireFreePort, startService, stopService, waitForService } from './local/service.mjs'
import { ensureStateDirectory, lockState } from './local/state-directory.mjs'
import { ensureSecrets, readJson, writeJson } from './secrets.mjs'
import { root } from './wrangler.mjs'

/** Lines of the log that are printed when the service fails. */
const LOG_TAIL = 20
/** How long everything except the service may take to end, in milliseconds. */
const REST_TIMEOUT_MS = 2000
/** How often to look whether the parent of this process still runs, in milliseconds. */
const PARENT_CHECK_MS = 1000

const say = (text = '') => process.stdout.write(`${text}\n`)
const printError = (text) => process.stderr.write(`${text}\n`)

/** Everything that runs, and how it ends. */
class Local {
  #service
  #stops = []
  isStopping = false

  /** Registers a function that ends something together with this process. */
  onStop(stop) {
    this.#stops.push(stop)
  }

  /** This process ends with the service. */
  runs(service, logFile) {
    this.#service = service
    service.once('exit', () => {
      if (this.isStopping) return
      printError(`The service ended by itself.${logTail(logFile)}`)
      this.end(1)
    })
  }

  /** The service ends first, then everything else; what hangs does not keep this process from ending. */
  async end(code) {
    // A second signal does not wait.
    if (this.isStopping) process.exit(code)
    this.isStopping = true
    if (this.#service) await stopService(this.#service)
    setTimeout(() => process.exit(code), REST_TIMEOUT_MS)
    const results = await Promise.allSettled(this.#stops.map(async (stop) => stop()))
    for (const { reason } of /** @type {any[]} */ (results)) if (reason) printError(reason.message)
    process.exit(code)
  }
}

/** Calls `end` when the parent of this process has ended. A parent that was killed passes no signal on. */
function onParentGone(end) {
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    end()
  }, PARENT_CHECK_MS)
}

/** The last lines of a log, for the message of a fault; empty when the log is printed anyway. */
function logTail(file) {
  if (file === undefined) return ''
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n').slice(-LOG_TAIL)
  return ` The end of its log, ${file}:\n${lines.join('\n')}`
}

function welcome(origin, { credentials, loaded }, users, logFile) {
  const counts = Object.entries(loaded).map(([type, count]) => `${count} ${type}`)
  if (counts.length > 0) say(`Loaded the sample catalogs: ${counts.join(', ')} records.`)
  const login =
    users.length > 0
      ? `log in as ${users.map(({ email, role }) => `${email} (${role})`).join(' or ')}, without a password`
      : 'log in with the configured provider'
  say(`
Dataset Catalog Service   ${origin}
Console                   ${origin}/console/
                          ${login}
API description           ${origin}/docs
Search element            ${origin}/embed/demo/
Operator's token          PLATFORM_ADMIN_TOKEN in .dev.vars
Log                       ${logFile ?? 'below (--verbose)'}

Demo workspace (local, for development only)
  client_id      ${credentials.client_id}
  client_secret  ${credentials.client_secret}
  X-API-KEY      ${credentials.api_key}

Try it (Ctrl-C stops the service):

${curlLine(origin, credentials)}
`)
}

/** Starts a login provider with the demo users. @returns its end, and the variables with which the service finds it */
async function startDemoLogin({ origin }) {
  const { issuer, stop } = await startOidcProvider({
    redirectUri: `${origin}/api/v1/auth/oidc/callback`,
    accounts: DEMO_MEMBERS.map(({ email }) => ({ email, email_verified: true })),
  })
  const { client_id, client_secret } = LOCAL_CLIENT
  return { stop, vars: { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: client_id, OIDC_CLIENT_SECRET: client_secret } }
}

async function start(local, args) {
  const options = startOptions(args)
  const { origin, port, stateDirectory } = options
  await requireFreePort(port)
  await ensureStateDirectory(stateDirectory)
  local.onStop(lockState(stateDirectory, `the service on port ${port}`))

  const { vars, created } = ensureSecrets('.dev.vars')
  if (created.length > 0) say(`Wrote new secrets to .dev.vars: ${created.join(', ')}.`)
  if (!process.env[ASSETS_ARE_BUILT]) {
    say('Building the console ...')
    await buildAssets()
  }

  let login
  if (!(vars.OIDC_ISSUER || options.vars.OIDC_ISSUER)) {
    login = await startDemoLogin(options)
    local.onStop(login.stop)
  }
  say('Starting the service ...')
  const logFile = options.verbose ? undefined : path.join(stateDirectory, 'service.log')
  const log = logFile === undefined ? 'inherit' : openSync(logFile, 'w', 0o600)
  const service = startService(options, log, login?.vars)
  if (typeof log === 'number') closeSync(log)
  local.runs(service, logFile)
  await waitForService(origin, service)

  const users = login ? DEMO_MEMBERS : []
  const file = path.join(stateDirectory, 'demo-credentials.json')
  const demo = await ensureDemo(
    { fetch, origin, operatorToken: vars.PLATFORM_ADMIN_TOKEN },
    users,
    { credentials: await readJson(file), save: (credentials) => writeJson(file, credentials) },
    (name) => readFile(path.join(root, 'samples', name)),
  )
  welcome(origin, demo, users, logFile)
}

// Relative paths then mean the same for this script and for the server, from any working directory.
process.chdir(root)
const local = new Local()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => local.end(0))
onParentGone(() => local.end(0))
try {
  await start(local, process.argv.slice(2))
} catch (error) {
  if (!local.isStopping) {
    printError(error.message)
    await local.end(1)
  }
}

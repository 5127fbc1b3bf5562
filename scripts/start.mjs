/**
 * `npm start`: creates everything that a local service needs (secrets, static files, database, a demo workspace with
 * sample catalogs), starts the service and a login provider, and prints how to use them. Needs no network.
 */
import { closeSync, openSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { ASSETS_ARE_BUILT, buildAssets } from './assets.mjs'
import { DEMO_MEMBERS, ensureDemo, welcomeText } from './local/demo.mjs'
import { LOCAL_CLIENT, startOidcProvider } from './local/oidc-provider.mjs'
import { startCommand, startOptions } from './local/options.mjs'
import { requireFreePort, startService, stopService, waitForService } from './local/service.mjs'
import { lockState } from './local/state-directory.mjs'
import { runMain, say } from './script.mjs'
import { ensureSecrets, readJson, writeJson } from './secrets.mjs'
import { root } from './wrangler.mjs'

/** Number of log lines to print if the service fails. */
const LOG_TAIL = 20
/** Interval at which to check whether this process's parent is still running, in milliseconds. */
const PARENT_CHECK_MS = 1000

const printError = (text) => process.stderr.write(`${text}\n`)

let service
/** Releases the state directory. */
let unlock
let isStopping = false

/** Ends the service, and with this process the login provider. */
async function end(code) {
  // A second call does not wait.
  if (isStopping) process.exit(code)
  isStopping = true
  if (service) await stopService(service)
  unlock?.()
  process.exit(code)
}

/** Ends with the parent of this process. A killed parent passes on no signal. */
function endWithParent() {
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    end(0)
  }, PARENT_CHECK_MS)
}

/** The last lines of a log, for an error message; empty if the log is printed anyway. */
function logTail(file) {
  if (file === undefined) return ''
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n').slice(-LOG_TAIL)
  return ` The end of its log, ${file}:\n${lines.join('\n')}`
}

function welcome(origin, { credentials, loaded }, users, logFile) {
  const counts = Object.entries(loaded).map(([type, count]) => `${count} ${type}`)
  if (counts.length > 0) say(`Loaded the sample catalogs: ${counts.join(', ')} records.`)
  const logins = users.map(({ email, role }) => `${email} (${role})`).join(' or ')
  const text = welcomeText({
    origin,
    login: users.length > 0 ? `log in as ${logins}, without a password` : 'log in with the configured provider',
    more: { 'Search element': `${origin}/embed/demo/`, Log: logFile ?? 'below (--verbose)' },
    tokenFile: '.dev.vars',
    workspace: 'Demo workspace (local, for development only)',
    credentials,
    hint: 'Try it (Ctrl-C stops the service):',
  })
  say(`\n${text}\n`)
}

/** Starts a login provider with the demo users. @returns variables that tell the service where to find it */
async function startDemoLogin({ origin }) {
  const { issuer } = await startOidcProvider({
    redirectUri: `${origin}/api/v1/auth/oidc/callback`,
    accounts: DEMO_MEMBERS.map(({ email }) => ({ email, email_verified: true })),
  })
  const { client_id, client_secret } = LOCAL_CLIENT
  return { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: client_id, OIDC_CLIENT_SECRET: client_secret }
}

/** @param {import('./local/options.mjs').StartOptions} options */
async function start(options) {
  const { origin, port, stateDirectory } = options
  await requireFreePort(port)
  unlock = lockState(stateDirectory, `the service on port ${port}`)

  const { vars, created } = await ensureSecrets('.dev.vars')
  if (created.length > 0) say(`Wrote new secrets to .dev.vars: ${created.join(', ')}.`)
  if (!process.env[ASSETS_ARE_BUILT]) {
    say('Building the console ...')
    await buildAssets()
  }

  const login = vars.OIDC_ISSUER ? undefined : await startDemoLogin(options)
  say('Starting the service ...')
  const logFile = options.verbose ? undefined : path.join(stateDirectory, 'service.log')
  const log = logFile === undefined ? 'inherit' : openSync(logFile, 'w', 0o600)
  service = startService(options, log, login)
  if (typeof log === 'number') closeSync(log)
  service.once('exit', () => {
    if (isStopping) return
    printError(`The service ended by itself.${logTail(logFile)}`)
    end(1)
  })
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

async function startOrEnd(options) {
  // Relative paths then have the same meaning for this script and for the server, in any working directory.
  process.chdir(root)
  endWithParent()
  try {
    await start(startOptions(options))
  } catch ({ message }) {
    if (isStopping) return
    printError(message)
    await end(1)
  }
}

await runMain(startCommand().action(startOrEnd), () => end(0))

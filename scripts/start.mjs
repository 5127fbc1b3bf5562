/**
 * `npm start`: makes what a local service needs (secrets, database, a demo workspace with sample catalogs), serves it
 * with a login provider beside it, and prints how to use it. Arguments after `--` go to `wrangler dev`. Needs no network.
 */
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { watchConsole } from './assets.mjs'
import { addDemoMembers, curlLine, DEMO_MEMBERS } from './local/demo.mjs'
import { hasLoginProvider, startDemoLogin } from './local/demo-login.mjs'
import { prepareDemo } from './local/demo-state.mjs'
import { ensureDevVars } from './local/dev-vars.mjs'
import { startOptions } from './local/options.mjs'
import { requireFreePort, startService, stopService, waitForHealth } from './local/service.mjs'
import { root, runWrangler } from './wrangler.mjs'

const say = (text = '') => process.stdout.write(`${text}\n`)

function printWelcome(origin, { credentials, loaded }, users) {
  const counts = Object.entries(loaded).map(([type, count]) => `${count} ${type}`)
  if (counts.length > 0) say(`\nLoaded the sample catalogs: ${counts.join(', ')} records.`)
  say(`
Dataset Catalog Service   ${origin}
API description           ${origin}/docs

Demo workspace (local, for development only)
  client_id      ${credentials.client_id}
  client_secret  ${credentials.client_secret}
  X-API-KEY      ${credentials.api_key}
The operator's token is PLATFORM_ADMIN_TOKEN in .dev.vars.

Console  ${origin}/console/
  ${users.length > 0 ? `log in as ${users.map(({ email, role }) => `${email} (${role})`).join(' or ')}, without a password` : 'log in with the configured provider'}

Try it (Ctrl-C stops the service):

${curlLine(origin, credentials)}
`)
}

/** Calls `end` when the process that started this one has gone without passing a signal on, as a killed npm does. */
function endWithParent(end) {
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    end()
  }, 1000)
  timer.unref()
}

async function main(args) {
  // Relative paths mean the same here and to wrangler, from wherever the script was started.
  process.chdir(root)
  let service
  let login
  let stopWatching
  let stopping = false
  const end = async (code) => {
    if (stopping) return
    stopping = true
    login?.stop()
    await stopWatching?.()
    if (service) await stopService(service)
    process.exit(code)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => end(0))
  endWithParent(() => end(0))

  try {
    const options = startOptions(args)
    await requireFreePort(options.port)
    const { vars, created } = ensureDevVars('.dev.vars')
    if (created.length > 0) say(`Wrote new secrets to .dev.vars: ${created.join(', ')}.`)
    // Wrangler wants to see the directory of the static files before it builds them.
    await mkdir(path.join('dist', 'assets'), { recursive: true })
    await mkdir(options.stateDirectory, { recursive: true })
    await runWrangler(['d1', 'migrations', 'apply', 'DB', '--local', '--persist-to', options.stateDirectory])

    if (!hasLoginProvider(vars, args)) login = await startDemoLogin(options)
    service = startService(options, args, login?.vars)
    await waitForHealth(options.origin, service)
    service.once('exit', () => {
      if (stopping) return
      process.stderr.write('The service ended by itself; wrangler says why above.\n')
      end(1)
    })
    const access = { fetch, origin: options.origin, operatorToken: vars.PLATFORM_ADMIN_TOKEN }
    const demo = await prepareDemo(access, {
      stateDirectory: options.stateDirectory,
      samplesDirectory: path.join(root, 'samples'),
    })
    if (login) await addDemoMembers(access)
    stopWatching = await watchConsole((error) => process.stderr.write(`${error.message}\n`))
    printWelcome(options.origin, demo, login ? DEMO_MEMBERS : [])
  } catch (error) {
    if (stopping) return
    process.stderr.write(`${error.message}\n`)
    await end(1)
  }
}

await main(process.argv.slice(2))

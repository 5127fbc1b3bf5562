/**
 * `npm run deploy -- [--env sandbox] [--change NAME] [other arguments of wrangler deploy]`: refuses what cannot be right,
 * applies the migrations of every database, deploys the Worker, all of the same environment, and looks at the service.
 */
import '../require-node.mjs'
import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import { boundDatabases } from '../database/bindings.mjs'
import { root, WRANGLER } from '../wrangler.mjs'
import { deployedVersion, pendingMigrations } from './deployed.mjs'
import { environmentOf, version } from './environment.mjs'
import { look } from './look.mjs'
import { refusals } from './refusals.mjs'

/** @type {import('node:util').ParseArgsOptionsConfig} */
const OPTIONS = { env: { type: 'string', short: 'e' }, change: { type: 'string', multiple: true } }

const say = (text) => process.stdout.write(`${text}\n`)

/** What `parseArgs` did not know goes to wrangler as it was written. */
function wranglerArguments(tokens, args) {
  const own = new Set(
    tokens
      .filter(({ kind, name }) => kind === 'option' && name in OPTIONS)
      .flatMap(({ index, inlineValue }) => (inlineValue ? [index] : [index, index + 1])),
  )
  return args.filter((_, index) => !own.has(index))
}

function wrangler(...words) {
  const { status } = spawnSync(process.execPath, [WRANGLER, ...words], { cwd: root, stdio: 'inherit' })
  if (status !== 0) throw new Error(`wrangler ${words.slice(0, 3).join(' ')} failed.`)
}

async function deploy(args) {
  const { values, tokens } = parseArgs({ args, strict: false, tokens: true, options: OPTIONS })
  const name = typeof values.env === 'string' ? values.env : undefined
  const changes = [values.change ?? []].flat().map(String)
  const environment = environmentOf(name)
  say('Asking what is deployed ...')
  const deployed = await deployedVersion(environment.args)
  const databases = boundDatabases(name)
  const placeholders = refusals(environment.config, deployed, [], changes)
  // A database with a placeholder for an id cannot be asked.
  const pending =
    placeholders.length > 0
      ? []
      : (await Promise.all(databases.map((one) => pendingMigrations(one, environment.args)))).flat()
  const errors = refusals(environment.config, deployed, pending, changes)
  if (errors.length > 0) throw new Error(`Nothing was changed, because:\n- ${errors.join('\n- ')}`)

  for (const database of databases)
    wrangler('d1', 'migrations', 'apply', database, '--remote', ...environment.args)
  wrangler('deploy', ...environment.args, ...wranglerArguments(tokens, args))
  const back =
    deployed === null
      ? 'there is no earlier version'
      : `npm run rollback -- ${name === undefined ? '' : `--env ${name} `}${deployed.id}`
  try {
    say('Looking at the service ...')
    const issuer = environment.config.vars.ISSUER.replace(/\/$/, '')
    const { looked, notLooked } = await look({ issuer, version, environment: process.env })
    for (const text of looked) say(`ok: ${text}`)
    for (const text of notLooked) say(`not looked at: ${text}`)
  } catch (error) {
    throw new Error(`The Worker is deployed, but something is wrong:\n${error.message}\nTo go back: ${back}`)
  }
  say(`Deployed ${version}. To go back: ${back}`)
}

await deploy(process.argv.slice(2)).catch((error) => {
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
})

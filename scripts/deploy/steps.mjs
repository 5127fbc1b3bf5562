/** The steps of a deployment, which `npm run deploy` and `npm run setup` share. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { account } from '../cloudflare/account.mjs'
import { openDeployed } from '../cloudflare/d1.mjs'
import { databaseBindings } from '../database/bindings.mjs'
import { migrateOneByOne } from '../database/migrate.mjs'
import { root, WRANGLER } from '../wrangler.mjs'
import { deployedVersion, pendingMigrations } from './deployed.mjs'
import { environmentOf, version } from './environment.mjs'
import { look } from './look.mjs'
import { refusals } from './refusals.mjs'

const say = (text) => process.stdout.write(`${text}\n`)

/** Runs wrangler in the terminal of this process, for the account that was asked before. With `CI` it asks nothing. */
async function wrangler(words, environment) {
  const env = { ...process.env, CLOUDFLARE_ACCOUNT_ID: (await account()).id, ...environment }
  const { status, signal } = spawnSync(process.execPath, [WRANGLER, ...words], {
    cwd: root,
    stdio: 'inherit',
    env,
  })
  // Ctrl-C on the terminal ends both.
  if (signal === 'SIGINT') process.kill(process.pid, signal)
  if (status !== 0) throw new Error(`wrangler ${words[0]} failed.`)
}

/** @returns {Promise<{ binding: string, id: string, missing: { name: string, errors: string[] }[] }[]>} */
const databasesOf = (name) =>
  Promise.all(
    databaseBindings(name).map(async ({ binding, id }) => ({
      binding,
      id,
      missing: await pendingMigrations(id),
    })),
  )

/** @throws {Error} with everything that is wrong, if there is something */
export function refuse(errors) {
  if (errors.length > 0) throw new Error(`Nothing was changed, because:\n- ${errors.join('\n- ')}`)
}

/** @returns {Promise<{ binding: string, id: string, missing: { name: string }[] }[]>} the databases */
async function requireRight(config, { name, deployed, changes, secretsFile }) {
  const sent = secretsFile === undefined ? [] : Object.keys(parseEnv(readFileSync(secretsFile, 'utf8')))
  const wrong = refusals(config, deployed, [], changes, sent)
  if (wrong.length > 0 && deployed === null) wrong.push('nothing is deployed yet: npm run setup -- --help')
  // A database with a placeholder for an id cannot be asked.
  refuse(wrong)
  const databases = await databasesOf(name)
  const pending = databases.flatMap(({ missing }) => missing)
  refuse(refusals(config, deployed, pending, changes, sent))
  return databases
}

async function migrateAll(databases) {
  for (const { binding, id, missing } of databases) {
    if (missing.length === 0) continue
    say(`Applying ${missing.length} migrations to ${binding} ...`)
    const names = missing.map(({ name }) => name)
    await migrateOneByOne(await openDeployed(id), names)
  }
}

/**
 * Refuses what cannot be right, applies the migrations of every database, deploys the Worker, all of the same
 * environment, and looks at the service.
 *
 * @param {object} options
 * @param {string} [options.name] of the environment; production by default
 * @param {string[]} [options.changes] names of variables that are changed on purpose
 * @param {string[]} [options.words] further arguments of `wrangler deploy`
 * @param {string} [options.secretsFile] secrets to send with the Worker
 * @param {Record<string, string | undefined>} [options.credentials] to look at the service with
 * @param {boolean} [options.inSetup] whether everything was asked before, and nobody can search yet
 * @param {number} [options.patience] how long the new version may take to answer, in milliseconds
 */
export async function deploy(options) {
  const { name, changes = [], words = [], secretsFile, credentials, inSetup, patience } = options
  const { args, config } = environmentOf(name)
  say('Asking what is deployed ...')
  const deployed = await deployedVersion(config.name)
  await migrateAll(await requireRight(config, { name, deployed, changes, secretsFile }))
  const secrets = secretsFile === undefined ? [] : ['--secrets-file', secretsFile]
  await wrangler(['deploy', ...args, ...secrets, ...words], inSetup ? { CI: '1' } : {})
  const back =
    deployed === null
      ? 'there is no earlier version'
      : `npm run rollback -- ${name === undefined ? '' : `--env ${name} `}${deployed.id}`
  try {
    say('Looking at the service ...')
    const issuer = config.vars.ISSUER.replace(/\/$/, '')
    const { looked, notLooked } = await look({ issuer, version, environment: credentials, patience })
    for (const text of looked) say(`ok: ${text}`)
    if (!inSetup) for (const text of notLooked) say(`not looked at: ${text}`)
  } catch (error) {
    throw new Error(`The Worker is deployed, but something is wrong:\n${error.message}\nTo go back: ${back}`)
  }
  say(`Deployed ${version}. To go back: ${back}`)
}

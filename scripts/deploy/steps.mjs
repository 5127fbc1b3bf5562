/** The steps of a deployment, which `npm run deploy` and `npm run setup` share. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { boundDatabases } from '../database/bindings.mjs'
import { root, WRANGLER } from '../wrangler.mjs'
import { deployedVersion, pendingMigrations } from './deployed.mjs'
import { environmentOf, version } from './environment.mjs'
import { look } from './look.mjs'
import { refusals } from './refusals.mjs'

const say = (text) => process.stdout.write(`${text}\n`)

/** Runs wrangler in the terminal of this process. */
function wrangler(words, environment = {}) {
  const env = { ...process.env, ...environment }
  const { status } = spawnSync(process.execPath, [WRANGLER, ...words], { cwd: root, stdio: 'inherit', env })
  if (status !== 0) throw new Error(`wrangler ${words.slice(0, 3).join(' ')} failed.`)
}

/**
 * What each database lacks. A database with a placeholder for an id cannot be asked.
 *
 * @returns {Promise<Record<string, { name: string, errors: string[] }[]>>} by binding
 */
async function missingMigrations(name) {
  const ask = async (database) => [database, await pendingMigrations(database, name)]
  return Object.fromEntries(await Promise.all(boundDatabases(name).map(ask)))
}

/** @throws {Error} with everything that is wrong. @returns {Promise<string[]>} the databases that lack migrations */
async function requireRight(config, { name, deployed, changes, secretsFile }) {
  const sent = secretsFile === undefined ? [] : Object.keys(parseEnv(readFileSync(secretsFile, 'utf8')))
  let errors = refusals(config, deployed, [], changes, sent)
  const missing = errors.length > 0 ? {} : await missingMigrations(name)
  errors = refusals(config, deployed, Object.values(missing).flat(), changes, sent)
  if (errors.length > 0) throw new Error(`Nothing was changed, because:\n- ${errors.join('\n- ')}`)
  return Object.keys(missing).filter((database) => missing[database].length > 0)
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
 * @param {number} [options.patience] how long the new version may take to answer, in milliseconds
 */
export async function deploy({ name, changes = [], words = [], secretsFile, credentials, patience }) {
  const { args, config } = environmentOf(name)
  say('Asking what is deployed ...')
  const deployed = await deployedVersion(args)
  const behind = await requireRight(config, { name, deployed, changes, secretsFile })

  // The command was the consent: wrangler does not ask again before each database.
  for (const database of behind)
    wrangler(['d1', 'migrations', 'apply', database, '--remote', ...args], { CI: '1' })
  wrangler([
    'deploy',
    ...args,
    ...(secretsFile === undefined ? [] : ['--secrets-file', secretsFile]),
    ...words,
  ])
  const back =
    deployed === null
      ? 'there is no earlier version'
      : `npm run rollback -- ${name === undefined ? '' : `--env ${name} `}${deployed.id}`
  try {
    say('Looking at the service ...')
    const issuer = config.vars.ISSUER.replace(/\/$/, '')
    const { looked, notLooked } = await look({ issuer, version, environment: credentials, patience })
    for (const text of looked) say(`ok: ${text}`)
    for (const text of notLooked) say(`not looked at: ${text}`)
  } catch (error) {
    throw new Error(`The Worker is deployed, but something is wrong:\n${error.message}\nTo go back: ${back}`)
  }
  say(`Deployed ${version}. To go back: ${back}`)
}

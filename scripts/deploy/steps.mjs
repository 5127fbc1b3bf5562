/** The steps of a deployment, shared by `npm run deploy` and `npm run setup`. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { accountId } from '../cloudflare/account.mjs'
import { databaseNames, environmentArguments, readConfiguration, version } from '../configuration.mjs'
import { missingMigrations, stateOf, textOfMigration } from '../database/migrate.ts'
import { openRemote } from '../database/remote.ts'
import { contractionErrors } from '../migrations/rules.ts'
import { say } from '../script.mjs'
import { readSecrets } from '../secrets.mjs'
import { root, WRANGLER } from '../wrangler.mjs'
import { deploymentErrors } from './configuration-errors.mjs'
import { checkService } from './service-check.mjs'
import { deployedVersion } from './state.mjs'

/** Runs wrangler in the terminal of this process. With `CI`, it asks nothing. */
async function runInTerminal(words, environment) {
  const child = spawn(process.execPath, [WRANGLER, ...words], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, CLOUDFLARE_ACCOUNT_ID: await accountId(), ...environment },
  })
  const [status, signal] = await once(child, 'close')
  // Ctrl-C on the terminal ends both.
  if (signal === 'SIGINT') process.exit(130)
  if (status !== 0) throw new Error(`wrangler ${words[0]} failed.`)
}

/** @throws {Error} listing all errors, if there are any */
export function refuse(errors) {
  if (errors.length > 0) throw new Error(`Nothing was changed, because:\n- ${errors.join('\n- ')}`)
}

/** Changes that the deployed Worker cannot handle. @param {[name: string, text: string][]} migrations */
export const migrationErrors = (migrations) =>
  migrations.flatMap(([name, text]) => contractionErrors(text).map((error) => `migrations/${name}: ${error}`))

/** The migrations that a deployed database lacks. @throws {Error} if it belongs to another release */
async function pendingMigrations(binding, environment) {
  const { applied } = await stateOf(openRemote(binding, environment).read)
  return { binding, missing: missingMigrations(applied, binding) }
}

/**
 * Stops if the configuration cannot be right, applies the migrations of every database, deploys the Worker, all in the
 * same environment, and checks the service.
 *
 * @param {object} options
 * @param {string} [options.name] of the environment; production by default
 * @param {string[]} [options.changes] names of intentionally changed variables and bindings
 * @param {string} [options.secretsFile] secrets to send with the Worker
 * @param {Record<string, string | undefined>} [options.credentials] to check the service with
 * @param {boolean} [options.inSetup] whether all questions were asked before, and no user can search yet
 * @param {number} [options.patience] time limit for the new version to respond, in milliseconds
 */
export async function deploy({ name, changes = [], secretsFile, credentials, inSetup, patience }) {
  const config = readConfiguration(name)
  const sent = secretsFile === undefined ? {} : readSecrets(secretsFile)
  say('Asking what is deployed ...')
  const deployed = await deployedVersion(name)
  refuse([
    ...deploymentErrors(config, deployed, sent, changes),
    ...(deployed === null && !inSetup ? ['nothing is deployed yet: npm run setup (docs/deploying.md)'] : []),
  ])
  const pending = await Promise.all(databaseNames(config).map((binding) => pendingMigrations(binding, name)))
  const behind = pending.filter(({ missing }) => missing.length > 0)
  const migrations = new Set(behind.flatMap(({ missing }) => missing))
  if (deployed !== null) refuse(migrationErrors(Array.from(migrations, (each) => [each, textOfMigration(each)])))
  const databases = behind.map(({ binding }) => binding)
  if (databases.length > 0) say(`Applying migrations to ${databases.join(', ')} ...`)
  await Promise.all(databases.map((binding) => openRemote(binding, name).migrate()))
  const secrets = secretsFile === undefined ? [] : ['--secrets-file', secretsFile]
  await runInTerminal(['deploy', ...environmentArguments(name), ...secrets], inSetup ? { CI: '1' } : {})
  const back =
    deployed === null
      ? 'there is no earlier version'
      : `npx wrangler rollback ${deployed.id} --env "${name ?? ''}" (read docs/deploying.md#roll-back before)`
  try {
    say('Checking the service ...')
    const issuer = config.vars.ISSUER.replace(/\/$/, '')
    const { passed, skipped } = await checkService({ issuer, version, environment: credentials, patience })
    for (const text of passed) say(`ok: ${text}`)
    if (!inSetup) for (const text of skipped) say(`not checked: ${text}`)
  } catch (error) {
    const advice = error.isLasting ? 'Rolling back does not change that.' : `To roll back: ${back}`
    throw new Error(`The Worker is deployed, but something is wrong:\n${error.message}\n${advice}`)
  }
  say(`Deployed ${version}. To roll back: ${back}`)
}

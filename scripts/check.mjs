/**
 * `npm run check`: all checks that need no account: the migrations, a deployment's configuration, the released files of
 * the search element, and the API description.
 */
import path from 'node:path'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { ASSETS_ARE_BUILT, buildAssets } from './assets.mjs'
import { loadDescription } from './client/types.mjs'
import { environmentArguments, readConfigurations } from './configuration.mjs'
import { MIGRATIONS } from './database/migrate.ts'
import { trackedDatabases } from './database/sqlite.ts'
import { environmentsErrors, placeholderErrors } from './deploy/configuration-errors.mjs'
import { checkElement } from './element/check.mjs'
import { checkMigrations } from './migrations/check.ts'
import { command, countText, runMain, say } from './script.mjs'
import { root, runWrangler } from './wrangler.mjs'

/** Bundles the Worker of an environment as for a deployment. */
async function dryRunErrors(name) {
  const environment = environmentArguments(name === 'production' ? undefined : name)
  try {
    await runWrangler(['deploy', '--dry-run', '--strict', ...environment], { [ASSETS_ARE_BUILT]: '1' })
    return []
  } catch (error) {
    return [`${name}: ${error.message}`]
  }
}

/** Checks the configuration, the tracked files, and `wrangler deploy --dry-run` for each environment. */
async function checkDeployment() {
  if (!process.env[ASSETS_ARE_BUILT]) await buildAssets()
  const configurations = readConfigurations()
  for (const [name, config] of configurations) {
    for (const hint of placeholderErrors(config)) say(`Before a deployment of ${name}: ${hint}`)
  }
  return [
    ...environmentsErrors(configurations),
    ...trackedDatabases(root).map((file) => `${file} is a database, and git tracks it`),
    ...(await Promise.all([...configurations.keys()].map(dryRunErrors))).flat(),
  ]
}

/** Checks the API description with the recommended rules of Redocly, warnings included. */
async function checkDescription() {
  const { document } = await loadDescription()
  // If a browser opens an operation, the success response is a redirect.
  const isRedirect = ({ ruleId, location }) => {
    const [, , pointer, method] = location[0].pointer.split('/')
    const name = pointer?.replaceAll('~1', '/').replaceAll('~0', '~')
    return ruleId === 'operation-2xx-response' && '302' in document.paths[name][method].responses
  }
  // The contract has a slash at the end of some paths. The library's type requires every rule to be named.
  const rules = /** @type {any} */ ({ 'no-path-trailing-slash': 'off' })
  const problems = await lintFromString({
    source: JSON.stringify(document),
    absoluteRef: path.join(root, 'openapi.json'),
    config: await createConfig({ extends: ['recommended'], rules }),
  })
  return problems
    .filter((problem) => !isRedirect(problem))
    .map(({ severity, ruleId, message, location }) => `${severity} ${ruleId} ${location[0]?.pointer ?? ''}: ${message}`)
}

/** Each check with its name in words. @type {[string, () => Promise<string[]>][]} */
const CHECKS = [
  [`${countText(MIGRATIONS.length, 'migration')}: texts, durations, and the tables in the sources`, checkMigrations],
  ['wrangler.toml, the tracked files, and the bundle of every environment', checkDeployment],
  ['the released files of the search element, and its sources', () => checkElement()],
  ['the API description', checkDescription],
]

async function main() {
  process.chdir(root)
  for (const [what, check] of CHECKS) {
    const errors = await check()
    if (errors.length === 0) say(`ok: ${what}`)
    else {
      process.stderr.write(`${errors.join('\n')}\n`)
      process.exitCode = 1
    }
  }
}

await runMain(command('check', 'Checks all that can be checked without an account.').action(main))

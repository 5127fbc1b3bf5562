/**
 * Part of `npm run check`: checks everything about a deployment that can be checked without an account: the
 * configuration, the tracked files, and `wrangler deploy --dry-run` for each environment.
 */
import '../require-node.mjs'
import '../no-arguments.mjs'
import { execFileSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { ASSETS_ARE_BUILT, buildAssets } from '../assets.mjs'
import { environmentArguments, readConfigurations } from '../configuration.mjs'
import { root, runWrangler } from '../wrangler.mjs'
import { allErrors, placeholderErrors } from './configuration-errors.mjs'

/** The first bytes of a SQLite database. */
const SQLITE = 'SQLite format 3\0'

const say = (text) => process.stdout.write(`${text}\n`)

/** Bundles the Worker of an environment as a deployment would. */
async function dryRunErrors(name) {
  const environment = environmentArguments(name === 'production' ? undefined : name)
  try {
    await runWrangler(['deploy', '--dry-run', '--strict', ...environment], { [ASSETS_ARE_BUILT]: '1' })
    return []
  } catch (error) {
    return [`${name}: ${error.message}`]
  }
}

/** Databases that were committed by accident. A copy of the sources without git has none to check. */
function trackedDatabases() {
  let files = []
  try {
    files = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8', stdio: 'pipe' }).split('\0')
  } catch {
    say('Not checked, because git does not answer here: databases among the tracked files.')
  }
  const isFile = (file) => statSync(path.join(root, file), { throwIfNoEntry: false })?.isFile() === true
  const beginning = (file) => readFileSync(path.join(root, file)).subarray(0, SQLITE.length).toString('latin1')
  return files.filter((file) => file !== '' && isFile(file) && beginning(file) === SQLITE)
}

process.chdir(root)
if (!process.env[ASSETS_ARE_BUILT]) await buildAssets()
const configurations = readConfigurations()
const errors = [
  ...allErrors(configurations),
  ...trackedDatabases().map((file) => `${file} is a database, and git tracks it`),
  ...(await Promise.all([...configurations.keys()].map(dryRunErrors))).flat(),
]
for (const [name, config] of configurations) {
  for (const hint of placeholderErrors(config)) say(`Before a deployment of ${name}: ${hint}`)
}
if (errors.length > 0) {
  process.stderr.write(`${errors.join('\n')}\n`)
  process.exitCode = 1
}

/**
 * `npm run deploy -- [--env sandbox] [other arguments of wrangler deploy]`: the migrations of every database first, then
 * the Worker, all of the same environment.
 */
import '../require-node.mjs'
import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import { boundDatabases } from '../database/bindings.mjs'
import { root, WRANGLER } from '../wrangler.mjs'

const args = process.argv.slice(2)
const { values } = parseArgs({ args, strict: false, options: { env: { type: 'string', short: 'e' } } })
// Always passed: without a name, wrangler warns that there are several environments.
const environment = ['--env', typeof values.env === 'string' ? values.env : '']

function wrangler(...words) {
  const { status } = spawnSync(process.execPath, [WRANGLER, ...words], { cwd: root, stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}

const bound = boundDatabases(typeof values.env === 'string' ? values.env : undefined)
for (const database of bound) wrangler('d1', 'migrations', 'apply', database, '--remote', ...environment)
wrangler('deploy', ...(values.env === undefined ? environment : []), ...args)

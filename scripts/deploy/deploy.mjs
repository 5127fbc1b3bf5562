/**
 * `npm run deploy -- [--env sandbox] [other arguments of wrangler deploy]`: migrations first, then the Worker, both of the
 * same environment.
 */
import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import { root, WRANGLER } from '../wrangler.mjs'

const args = process.argv.slice(2)
const { values } = parseArgs({ args, strict: false, options: { env: { type: 'string', short: 'e' } } })
// Said in any case: without a name, wrangler warns that there are several environments.
const environment = ['--env', typeof values.env === 'string' ? values.env : '']

function wrangler(...words) {
  const { status } = spawnSync(process.execPath, [WRANGLER, ...words], { cwd: root, stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}

wrangler('d1', 'migrations', 'apply', 'DB', '--remote', ...environment)
wrangler('deploy', ...(values.env === undefined ? environment : []), ...args)

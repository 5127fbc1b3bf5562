/**
 * `npm run typecheck`: checks all sources, one configuration after another. Each uses a single thread, because several
 * threads check many types repeatedly: they use half as much CPU time again, and other steps of `npm test` use the
 * other core.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { ENDPOINT_TYPES, endpointTypes } from './client/types.mjs'
import { command, runMain } from './script.mjs'
import { root } from './wrangler.mjs'

/**
 * The first one writes the declarations of the Worker, against which scripts are checked: its sources need the Workers
 * types, which contradict Node's. All declarations are rewritten: with `incremental`, tsc 7.0 keeps some outdated ones
 * and then reports false errors. The types of the endpoints come from the API description.
 */
const CONFIGURATIONS = [
  ['-p', 'src/worker'],
  ...[
    'test',
    ...['shared', 'files', 'client', 'cli', 'console', 'element'].map((area) => `src/${area}`),
    'test/console/browser',
    ...['scripts', 'scripts/tsconfig.strict.json'],
  ].map((project) => ['--noEmit', '-p', project]),
]

const tsc = path.join(root, 'node_modules', '.bin', 'tsc')

async function main() {
  const types = path.join(root, 'dist', 'types')
  rmSync(types, { recursive: true, force: true })
  mkdirSync(path.join(types, 'client'), { recursive: true })
  writeFileSync(path.join(types, 'client', ENDPOINT_TYPES), await endpointTypes())
  for (const configuration of CONFIGURATIONS) {
    const { status } = spawnSync(tsc, ['--singleThreaded', ...configuration], { cwd: root, stdio: 'inherit' })
    if (status === 0) continue
    process.exitCode = 1
    break
  }
}

await runMain(command('typecheck', 'Checks the types of all sources.').action(main))

/**
 * `npm run typecheck`: checks all sources, one configuration after another. Each by a single thread, because several
 * check much of the types again: together they take half as much CPU again, and other steps of `npm test` use the
 * other core.
 */
import './require-node.mjs'
import './no-arguments.mjs'
import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import path from 'node:path'
import { root } from './wrangler.mjs'

/**
 * The first one writes the declarations of the Worker, against which programs, client and scripts are checked: its
 * sources need the types of Workers, which contradict those of pages and of Node. All are written anew: tsc 7.0 keeps
 * some that are out of date if it may keep any (`incremental`), and then reports errors that nobody has made.
 */
const CONFIGURATIONS = [
  ['-p', 'src/worker'],
  ...[
    'test',
    ...['shared', 'files', 'client', 'cli', 'console', 'element'].map((area) => `src/${area}`),
    'test/console/browser',
    'scripts',
  ].map((project) => ['--noEmit', '-p', project]),
]

const tsc = path.join(root, 'node_modules', '.bin', 'tsc')

rmSync(path.join(root, 'dist', 'types'), { recursive: true, force: true })
for (const configuration of CONFIGURATIONS) {
  const { status } = spawnSync(tsc, ['--singleThreaded', ...configuration], { cwd: root, stdio: 'inherit' })
  if (status === 0) continue
  process.exitCode = 1
  break
}

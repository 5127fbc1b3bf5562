/**
 * `npm test`: every check and every test, with one line per step. A failing step prints its whole output. A stage
 * begins when the previous stage has passed.
 */
import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify, stripVTControlCharacters } from 'node:util'
import { ASSETS_ARE_BUILT } from './assets.mjs'
import { command, runMain, say } from './script.mjs'
import { root } from './wrangler.mjs'

const run = promisify(execFile)

/**
 * npm scripts: the stages, and the parallel lists of each. Tests of the scripts often wait for processes, so other
 * steps run in parallel until they end.
 */
const STAGES = [[['build']], [['typecheck'], ['check', 'lint']], [['test:browser', 'test:worker'], ['test:scripts']]]

/** Lines to print also for a step that passed: the figures of Vitest, and notes about skipped tests. */
const SUMMARY_LINES = /^\s*(?:Test Files|Tests)\s+\d|^!!/

/** Node's compile cache, because the steps start dozens of processes that load the same large modules. */
const compileCache = path.join(root, 'node_modules', '.cache', 'compiled')

/** Ends the steps with this process. */
const end = new AbortController()

/** Runs an npm script. @returns {Promise<boolean>} whether it passed */
async function runStep(name) {
  const startedAt = performance.now()
  const env = { ...process.env, NODE_COMPILE_CACHE: compileCache }
  // The first stage builds the static files.
  if (name !== 'build') env[ASSETS_ARE_BUILT] = '1'
  const options = { cwd: root, env, maxBuffer: Number.POSITIVE_INFINITY, signal: end.signal }
  const { code = 0, ...output } = await run('npm', ['run', '--silent', name], options).catch((error) => error)
  const text = `${output.stdout}${output.stderr}`
  const seconds = `${((performance.now() - startedAt) / 1000).toFixed(1)} s`
  if (code !== 0) {
    say(`${text.trimEnd()}\n\n✗ ${name} failed after ${seconds} (exit code ${code}); its output is above`)
    return false
  }
  say(`✓ ${name} (${seconds})`)
  const lines = stripVTControlCharacters(text).split('\n')
  for (const line of new Set(lines.filter((each) => SUMMARY_LINES.test(each)))) say(line)
  return true
}

/** Runs steps one after another, whether or not they pass. @returns {Promise<boolean>} whether all passed */
async function runSteps(names) {
  let passed = true
  for (const name of names) if (!(await runStep(name))) passed = false
  return passed
}

async function main() {
  for (const stage of STAGES) {
    if (!(await Promise.all(stage.map(runSteps))).includes(false)) continue
    process.exitCode = 1
    break
  }
}

await runMain(command('test', 'Runs every check and every test.').name('npm test --').action(main), () => {
  end.abort()
  process.exit(1)
})

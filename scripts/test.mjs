/**
 * `npm test`: every check and every test, with one line for each step. A step that fails prints its whole output.
 *
 * Steps of one stage run two at a time. A stage begins when the stage before it has passed.
 */
import './require-node.mjs'
import './no-arguments.mjs'
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { promisify, stripVTControlCharacters } from 'node:util'
import { ASSETS_ARE_BUILT } from './assets.mjs'
import { root } from './wrangler.mjs'

const run = promisify(execFile)

const AT_ONCE = 2

/**
 * npm scripts. The tests in the Workers runtime and those in the browser each keep two cores busy; those of the scripts
 * mostly wait for processes, so they run beside the other two.
 */
const STAGES = [['build'], ['typecheck', 'check', 'lint'], ['test:browser', 'test:scripts', 'test:service']]

/**
 * Lines that are also printed for a step that passed: the figures of Vitest, and notes about tests that were left
 * out.
 */
const SUMMARY_LINES = /^\s*(?:Test Files|Tests)\s+\d|^!!/

const say = (text) => process.stdout.write(`${text}\n`)

/** Where Node keeps what it has compiled: the steps start dozens of programs that load the same large modules. */
const compiled = mkdtempSync(path.join(os.tmpdir(), 'catalog-compiled-'))
process.once('exit', () => rmSync(compiled, { recursive: true, force: true }))

/** Ends the steps with this process. */
const end = new AbortController()

/** Runs an npm script. @returns {Promise<boolean>} whether it passed */
async function runStep(name) {
  const begun = performance.now()
  const env = { ...process.env, NODE_COMPILE_CACHE: compiled }
  // The first stage makes the static files.
  if (name !== 'build') env[ASSETS_ARE_BUILT] = '1'
  const options = { cwd: root, env, maxBuffer: Number.POSITIVE_INFINITY, signal: end.signal }
  const { code = 0, ...output } = await run('npm', ['run', '--silent', name], options).catch((error) => error)
  const text = `${output.stdout}${output.stderr}`
  const seconds = `${((performance.now() - begun) / 1000).toFixed(1)} s`
  if (code !== 0) {
    say(`${text.trimEnd()}\n\n✗ ${name} failed after ${seconds} (exit code ${code}); its output is above`)
    return false
  }
  say(`✓ ${name} (${seconds})`)
  const lines = stripVTControlCharacters(text).split('\n')
  for (const line of new Set(lines.filter((each) => SUMMARY_LINES.test(each)))) say(line)
  return true
}

/** Runs all steps of a stage to their end and returns whether they passed. */
async function runStage(names) {
  const waiting = [...names]
  let passed = true
  const worker = async () => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      if (!(await runStep(name))) passed = false
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  return passed
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.once(signal, () => {
    end.abort()
    process.exit(1)
  })
}

for (const stage of STAGES) {
  if (await runStage(stage)) continue
  process.exitCode = 1
  break
}

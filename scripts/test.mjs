/**
 * `npm test`: every check and every test, with one line for each step. A step that fails prints everything that it said.
 *
 * Steps of one stage run two at a time; a stage begins when the one before it has passed.
 */
import { spawn } from 'node:child_process'
import { ASSETS_ARE_BUILT } from './assets.mjs'
import { root } from './wrangler.mjs'

const AT_ONCE = 2

/** npm scripts. Those that run tests have a stage of their own: they need the machine, and have time limits. */
const STAGES = [
  ['build', 'types'],
  ['typecheck', 'lint', 'check:migrations', 'check:deploy', 'check:openapi', 'licences'],
  ['test:scripts'],
  ['test:service'],
  ['test:browser'],
]

/** Lines of a step that passed which are printed all the same: the figures of Vitest, and what was left out. */
const TELLING = /^\s*(?:Test Files|Tests)\s+\d|^!!/

/** Colours, which Vitest writes where the environment asks for them. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the escape is what they begin with
const COLOURS = /\x1b\[[0-9;]*m/g

const say = (text) => process.stdout.write(`${text}\n`)
const running = new Set()

/** Runs an npm script. @returns {Promise<boolean>} whether it passed */
async function runStep(name) {
  const begun = performance.now()
  const child = spawn('npm', ['run', '--silent', name], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    // The first stage makes the static files.
    env: { ...process.env, ...(name === 'build' ? {} : { [ASSETS_ARE_BUILT]: '1' }) },
  })
  running.add(child)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      output += text
    })
  }
  const code = await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve))
  running.delete(child)
  const seconds = `${((performance.now() - begun) / 1000).toFixed(1)} s`
  if (code !== 0) {
    say(`${output.trimEnd()}\n\n✗ ${name} failed after ${seconds} (exit code ${code}); what it said is above`)
    return false
  }
  say(`✓ ${name} (${seconds})`)
  const lines = output.replaceAll(COLOURS, '').split('\n')
  for (const line of new Set(lines.filter((each) => TELLING.test(each)))) say(line)
  return true
}

/** Runs the steps of a stage, and ends all of them before it tells whether they passed. */
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
    for (const child of running) child.kill(signal)
    process.exit(1)
  })
}

for (const stage of STAGES) {
  if (await runStage(stage)) continue
  process.exitCode = 1
  break
}

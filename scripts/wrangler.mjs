import { spawn } from 'node:child_process'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { PARENT_VARIABLE } from './local/end-with-parent.mjs'

export const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))

export const WRANGLER = path.join(root, 'node_modules', 'wrangler', 'bin', 'wrangler.js')

const END_WITH_PARENT = new URL('./local/end-with-parent.mjs', import.meta.url).href

/** Wrangler asks no questions and sends no metrics. Nothing that runs locally needs the network. */
const ENVIRONMENT = { CI: '1', WRANGLER_SEND_METRICS: 'false', CLOUDFLARE_CF_FETCH_ENABLED: 'false' }

/**
 * Starts a script of Node in a separate process group, so that it can be stopped with everything that it started. The
 * group ends by itself when this process has ended.
 *
 * @param {string} script
 * @param {string[]} args
 * @param {import('node:child_process').StdioOptions} stdio
 * @param {Record<string, string>} environment variables beside those of this process
 */
export function startGroup(script, args, stdio, environment = {}) {
  return spawn(process.execPath, ['--import', END_WITH_PARENT, script, ...args], {
    cwd: root,
    stdio,
    detached: true,
    env: { ...process.env, ...ENVIRONMENT, ...environment, [PARENT_VARIABLE]: String(process.pid) },
  })
}

/**
 * Runs a script of Node to its end, in a separate process group.
 *
 * @param {string} script
 * @param {string[]} args
 * @param {Record<string, string>} environment variables beside those of this process
 * @returns {Promise<string>} its standard output
 * @throws {Error} with its whole output, when it fails
 */
export async function runToEnd(script, args, environment = {}) {
  const child = startGroup(script, args, ['ignore', 'pipe', 'pipe'], environment)
  let output = ''
  let everything = ''
  child.stdout.setEncoding('utf8').on('data', (text) => {
    output += text
    everything += text
  })
  child.stderr.setEncoding('utf8').on('data', (text) => {
    everything += text
  })
  const stop = () => stopGroup(child, 'SIGKILL')
  process.once('exit', stop)
  const code = await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve))
  process.off('exit', stop)
  const name = path.basename(script, path.extname(script))
  if (code !== 0) throw new Error(`${[name, ...args.slice(0, 3)].join(' ')} failed:\n${everything.trim()}`)
  return output
}

/** Runs a wrangler command to its end. */
export const runWrangler = (args, environment) => runToEnd(WRANGLER, args, environment)

/**
 * Signals a process group that was started here.
 *
 * @param {NodeJS.Signals | 0} signal 0 only asks
 * @returns {boolean} whether a process of the group was still running
 */
export function stopGroup(child, signal = 'SIGTERM') {
  if (child.pid === undefined) return false
  try {
    return process.kill(-child.pid, signal)
  } catch (error) {
    // ESRCH: nothing of the group is left.
    if (error.code === 'ESRCH') return false
    throw error
  }
}

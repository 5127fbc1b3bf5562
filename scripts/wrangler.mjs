import { spawn } from 'node:child_process'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))

const WRANGLER = path.join(root, 'node_modules', 'wrangler', 'bin', 'wrangler.js')

/** Wrangler neither asks nor calls home; nothing that runs locally needs the network. */
const ENVIRONMENT = { CI: '1', WRANGLER_SEND_METRICS: 'false', CLOUDFLARE_CF_FETCH_ENABLED: 'false' }

/**
 * Starts wrangler in a process group of its own, so that it can be stopped with everything that it started.
 *
 * @param {string[]} args
 * @param {import('node:child_process').StdioOptions} stdio
 */
export function startWrangler(args, stdio) {
  return spawn(process.execPath, [WRANGLER, ...args], {
    cwd: root,
    stdio,
    detached: true,
    env: { ...process.env, ...ENVIRONMENT },
  })
}

/**
 * Runs a wrangler command to its end.
 *
 * @param {string[]} args
 * @returns {Promise<string>} what it wrote to its standard output
 * @throws {Error} with everything that it said, when it fails
 */
export async function runWrangler(args) {
  const child = startWrangler(args, ['ignore', 'pipe', 'pipe'])
  let output = ''
  let everything = ''
  child.stdout.setEncoding('utf8').on('data', (text) => {
    output += text
    everything += text
  })
  child.stderr.setEncoding('utf8').on('data', (text) => {
    everything += text
  })
  const stop = () => stopGroup(child)
  process.once('exit', stop)
  const code = await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve))
  process.off('exit', stop)
  if (code !== 0) throw new Error(`wrangler ${args.slice(0, 3).join(' ')} failed:\n${everything.trim()}`)
  return output
}

/**
 * Signals a process group started by `startWrangler`.
 *
 * @returns {boolean} whether anything of it was still running
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

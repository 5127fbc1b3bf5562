/** The root of the project, and wrangler. */
import { execFile } from 'node:child_process'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

export const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))

export const WRANGLER = path.join(root, 'node_modules', 'wrangler', 'bin', 'wrangler.js')

/** Wrangler asks no questions and sends no metrics. Nothing that runs locally needs the network. */
const ENVIRONMENT = { CI: '1', WRANGLER_SEND_METRICS: 'false', CLOUDFLARE_CF_FETCH_ENABLED: 'false' }

/**
 * Runs a wrangler command to its end.
 *
 * @param {Record<string, string>} environment additional environment variables
 * @returns {Promise<string>} its standard output
 * @throws {Error} with its whole output, if it fails
 */
export async function runWrangler(args, environment = {}) {
  const env = { ...process.env, ...ENVIRONMENT, ...environment }
  try {
    const options = { cwd: root, env, maxBuffer: Number.POSITIVE_INFINITY }
    return (await promisify(execFile)(process.execPath, [WRANGLER, ...args], options)).stdout
  } catch (cause) {
    const output = `${cause.stdout}${cause.stderr}`.trim()
    throw new Error(`wrangler ${args.slice(0, 3).join(' ')} failed:\n${output}`, { cause })
  }
}

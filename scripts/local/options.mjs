import path from 'node:path'
import { parseArgs } from 'node:util'

/** Longest distance to the databases, in milliseconds: once around the world and more. */
const LONGEST_DISTANCE_MS = 1000

/** Addresses at which a server can also be reached as `localhost`. */
const LOCAL = new Set(['localhost', '127.0.0.1', '0.0.0.0', '*', '::', '::1'])

/** @throws {Error} naming the option, unless the text is a whole number between two others */
function numberOf(name, text, least, most) {
  if (/^\d{1,5}$/.test(text) && Number(text) >= least && Number(text) <= most) return Number(text)
  throw new Error(`--${name} requires a number from ${least} to ${most}, not "${text}".`)
}

/** @throws {Error} unless the value of `--persist-to` can be a directory */
export function requireDirectoryName(text) {
  if (text === '' || text.startsWith('-')) throw new Error('--persist-to requires a directory.')
}

/**
 * Reads the arguments of the start script. The last value of an option wins.
 *
 * @throws {Error} with a message for the user, if an argument is unknown, or its value missing or malformed
 */
export function startOptions(args) {
  const { values } = parseArgs({
    args,
    options: {
      port: { type: 'string', default: '8787' },
      ip: { type: 'string', default: '127.0.0.1' },
      'persist-to': { type: 'string', default: path.join('.wrangler', 'state') },
      'inspector-port': { type: 'string' },
      distance: { type: 'string', default: '0' },
      'no-rate-limits': { type: 'boolean', default: false },
      verbose: { type: 'boolean', default: false },
      watch: { type: 'boolean', default: false },
    },
  })
  const port = numberOf('port', values.port, 1, 65_535)
  const { ip: host, 'persist-to': stateDirectory, 'inspector-port': inspectorPort } = values
  requireDirectoryName(stateDirectory)
  const name = LOCAL.has(host) ? 'localhost' : host.includes(':') ? `[${host}]` : host
  return {
    port,
    host,
    stateDirectory,
    /** Address of the service, which is also the issuer of its tokens. */
    origin: `http://${name}:${port}`,
    inspectorPort: inspectorPort === undefined ? undefined : numberOf('inspector-port', inspectorPort, 1, 65_535),
    distance: numberOf('distance', values.distance, 0, LONGEST_DISTANCE_MS),
    isLimited: !values['no-rate-limits'],
    verbose: values.verbose,
    watch: values.watch,
  }
}

/** @typedef {ReturnType<typeof startOptions>} StartOptions */

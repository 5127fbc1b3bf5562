import path from 'node:path'
import { parseArgs } from 'node:util'

/** Longest distance to the databases, in milliseconds: once around the world and more. */
const LONGEST_DISTANCE_MS = 1000

/** Addresses at which a server can also be reached as `localhost`. */
const LOCAL = new Set(['localhost', '127.0.0.1', '0.0.0.0', '*', '::', '::1'])

/** @throws {Error} naming the option, unless the text is a whole number between two others */
function numberOf(name, text, least, most) {
  if (/^\d{1,5}$/.test(text) && Number(text) >= least && Number(text) <= most) return Number(text)
  throw new Error(`--${name} takes a number from ${least} to ${most}, not "${text}".`)
}

/** @throws {Error} if a variable is not written as `NAME:value` */
function variableOf(text) {
  const [, name, value] = /^([A-Za-z_]\w*):(.*)$/s.exec(text) ?? []
  if (name === undefined) throw new Error(`--var takes NAME:value, not "${text}".`)
  return [name, value]
}

/**
 * @typedef {object} StartOptions
 * @property {number} port
 * @property {string} host address on which the service listens
 * @property {string} stateDirectory directory of all local state
 * @property {string} origin address of the service, which is also the issuer of its tokens
 * @property {Record<string, string>} vars variables of the Worker, which override those of `wrangler.toml`
 * @property {number | undefined} inspectorPort port for debuggers; without it there are none
 * @property {number} distance milliseconds that each round trip to a database takes beside its work
 * @property {boolean} verbose whether the service's log is printed; otherwise it goes to a file
 * @property {boolean} watch whether pages and service are built again when their sources change
 */

/**
 * Reads the arguments of the start script. The last value of an option wins.
 *
 * @param {string[]} args
 * @returns {StartOptions}
 * @throws {Error} with a message for the user, if an argument is unknown, or its value missing or malformed
 */
export function startOptions(args) {
  const { values } = parseArgs({
    args,
    options: {
      port: { type: 'string', default: '8787' },
      ip: { type: 'string', default: '127.0.0.1' },
      'persist-to': { type: 'string', default: path.join('.wrangler', 'state') },
      var: { type: 'string', multiple: true, default: [] },
      'inspector-port': { type: 'string' },
      distance: { type: 'string', default: '0' },
      verbose: { type: 'boolean', default: false },
      watch: { type: 'boolean', default: false },
    },
  })
  const port = numberOf('port', values.port, 1, 65_535)
  const { ip: host, 'persist-to': stateDirectory, 'inspector-port': inspectorPort } = values
  if (stateDirectory === '' || stateDirectory.startsWith('-')) throw new Error('--persist-to takes a directory.')
  const name = LOCAL.has(host) ? 'localhost' : host.includes(':') ? `[${host}]` : host
  return {
    port,
    host,
    stateDirectory,
    origin: `http://${name}:${port}`,
    vars: Object.fromEntries(values.var.map(variableOf)),
    inspectorPort: inspectorPort === undefined ? undefined : numberOf('inspector-port', inspectorPort, 1, 65_535),
    distance: numberOf('distance', values.distance, 0, LONGEST_DISTANCE_MS),
    verbose: values.verbose,
    watch: values.watch,
  }
}

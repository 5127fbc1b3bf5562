import path from 'node:path'

const DEFAULT_PORT = 8787
const DEFAULT_STATE = path.join('.wrangler', 'state')
/** Longest distance to the databases, in milliseconds: once around the world and more. */
const LONGEST_DISTANCE_MS = 1000

/** Addresses at which a server can also be reached as `localhost`. */
const LOCAL = new Set(['localhost', '127.0.0.1', '0.0.0.0', '*', '::', '::1'])

/** Switches, and options that take a value. */
const SWITCHES = ['--verbose', '--watch']
const VALUES = ['--port', '--ip', '--persist-to', '--var', '--inspector-port', '--distance']

/**
 * The values of each option, written as `--name value` or `--name=value`.
 *
 * @param {string[]} args
 * @returns {Map<string, string[]>}
 * @throws {Error} naming an argument that the start script does not have
 */
function readOptions(args) {
  const given = new Map()
  for (let position = 0; position < args.length; position++) {
    const [, name, value] = /^(--[^=]+)(?:=(.*))?$/s.exec(args[position]) ?? []
    if (name === undefined || !(SWITCHES.includes(name) || VALUES.includes(name)))
      throw new Error(
        `npm start does not know "${args[position]}". It takes ${[...VALUES, ...SWITCHES].join(', ')}.`,
      )
    const own = SWITCHES.includes(name) ? '' : (value ?? args[++position] ?? '')
    given.set(name, [...(given.get(name) ?? []), own])
  }
  return given
}

/** @throws {Error} naming the option, unless the text is the number of a port */
function portOf(name, text) {
  if (/^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= 65_535) return Number(text)
  throw new Error(`${name} takes a number from 1 to 65535, not "${text}".`)
}

/** @throws {Error} if a variable is not written as `NAME:value` */
function variableOf(text) {
  const [, name, value] = /^([A-Za-z_]\w*):(.*)$/s.exec(text) ?? []
  if (name === undefined) throw new Error(`--var takes NAME:value, not "${text}".`)
  return [name, value]
}

/** @throws {Error} unless the text is a whole number of milliseconds, of a second at most */
function distanceOf(text) {
  if (/^\d{1,4}$/.test(text) && Number(text) <= LONGEST_DISTANCE_MS) return Number(text)
  throw new Error(`--distance takes milliseconds from 0 to ${LONGEST_DISTANCE_MS}, not "${text}".`)
}

/**
 * @typedef {object} StartOptions
 * @property {number} port
 * @property {string} host address on which the service listens
 * @property {string} stateDirectory directory of all local state
 * @property {string} origin address of the service, which is also the issuer of its tokens
 * @property {Record<string, string>} vars variables of the Worker, which override those of `wrangler.toml`
 * @property {number | undefined} inspectorPort port for debuggers; without it there are none
 * @property {number} distance milliseconds that each trip to a database takes beside its work
 * @property {boolean} verbose whether the service's log is printed; otherwise it goes to a file
 * @property {boolean} watch whether console and service are built again when their sources change
 */

/**
 * Reads the arguments of the start script: `--port`, `--ip`, `--persist-to`, `--var NAME:value` (repeatable),
 * `--inspector-port`, `--distance`, `--verbose`, `--watch`. The last value of an option wins.
 *
 * @param {string[]} args
 * @returns {StartOptions}
 * @throws {Error} with a message for the user, if an argument is unknown, or its value missing or malformed
 */
export function startOptions(args) {
  const given = readOptions(args)
  const last = (name) => given.get(name)?.at(-1)
  const port = portOf('--port', last('--port') ?? String(DEFAULT_PORT))
  const stateDirectory = last('--persist-to') ?? DEFAULT_STATE
  if (stateDirectory === '' || stateDirectory.startsWith('--'))
    throw new Error('--persist-to takes a directory.')
  const host = last('--ip') ?? '127.0.0.1'
  const name = LOCAL.has(host) ? 'localhost' : host.includes(':') ? `[${host}]` : host
  const inspectorPort = last('--inspector-port')
  return {
    port,
    host,
    stateDirectory,
    origin: `http://${name}:${port}`,
    vars: Object.fromEntries((given.get('--var') ?? []).map(variableOf)),
    inspectorPort: inspectorPort === undefined ? undefined : portOf('--inspector-port', inspectorPort),
    distance: distanceOf(last('--distance') ?? '0'),
    verbose: given.has('--verbose'),
    watch: given.has('--watch'),
  }
}

import path from 'node:path'

const DEFAULT_PORT = 8787
const DEFAULT_STATE = path.join('.wrangler', 'state')
/** Longest distance to the databases, in milliseconds: once around the world and more. */
const LONGEST_DISTANCE_MS = 1000

/** Addresses at which a server can also be reached as `localhost`. */
const LOCAL = new Set(['localhost', '127.0.0.1', '0.0.0.0', '*', '::', '::1'])

/** Arguments of the start script itself. */
const OWN = new Set(['--verbose', '--watch'])

/** Arguments of the start script itself that have a value. */
const OWN_WITH_VALUE = '--distance'

/** The last value of an option, written as `--name value` or `--name=value`. */
function optionValue(args, name) {
  let value
  for (const [position, arg] of args.entries()) {
    if (arg === name) value = args[position + 1] ?? ''
    else if (arg.startsWith(`${name}=`)) value = arg.slice(name.length + 1)
  }
  return value
}

/** Whether wrangler takes the argument at this position. */
const isForWrangler = (arg, position, args) =>
  !OWN.has(arg) &&
  arg !== OWN_WITH_VALUE &&
  !arg.startsWith(`${OWN_WITH_VALUE}=`) &&
  args[position - 1] !== OWN_WITH_VALUE

function distanceOf(args) {
  const value = optionValue(args, OWN_WITH_VALUE) ?? '0'
  if (!/^\d{1,4}$/.test(value) || Number(value) > LONGEST_DISTANCE_MS)
    throw new Error(`--distance takes milliseconds from 0 to ${LONGEST_DISTANCE_MS}, not "${value}".`)
  return Number(value)
}

/**
 * @typedef {object} StartOptions
 * @property {number} port
 * @property {string} stateDirectory directory of all local state
 * @property {string} origin address of the service, which is also the issuer of its tokens
 * @property {boolean} verbose whether wrangler's log is printed; otherwise it goes to a file
 * @property {boolean} watch whether the console is built again when its sources change
 * @property {number} distance milliseconds that each trip to a database takes beside its work
 * @property {string[]} wranglerArgs arguments for `wrangler dev`
 */

/**
 * Reads the arguments of the start script: `--verbose`, `--watch`, `--distance`, and the arguments for `wrangler dev`, some of
 * which the script uses too.
 *
 * @param {string[]} args
 * @returns {StartOptions}
 * @throws {Error} with a message for the user, when a value is missing or malformed
 */
export function startOptions(args) {
  const port = optionValue(args, '--port') ?? String(DEFAULT_PORT)
  if (!/^\d{1,5}$/.test(port) || Number(port) < 1 || Number(port) > 65_535) {
    throw new Error(`--port takes a number from 1 to 65535, not "${port}".`)
  }
  const stateDirectory = optionValue(args, '--persist-to') ?? DEFAULT_STATE
  if (stateDirectory === '' || stateDirectory.startsWith('--'))
    throw new Error('--persist-to takes a directory.')
  const ip = optionValue(args, '--ip') ?? 'localhost'
  const host = LOCAL.has(ip) ? 'localhost' : ip.includes(':') ? `[${ip}]` : ip
  return {
    port: Number(port),
    stateDirectory,
    origin: `http://${host}:${Number(port)}`,
    verbose: args.includes('--verbose'),
    watch: args.includes('--watch'),
    distance: distanceOf(args),
    wranglerArgs: args.filter(isForWrangler),
  }
}

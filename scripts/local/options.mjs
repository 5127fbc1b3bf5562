import path from 'node:path'

const DEFAULT_PORT = 8787
const DEFAULT_STATE = path.join('.wrangler', 'state')

/** Addresses at which a server can also be reached as `localhost`. */
const LOCAL = new Set(['localhost', '127.0.0.1', '0.0.0.0', '*', '::', '::1'])

/** Arguments of the start script itself. */
const OWN = new Set(['--verbose', '--watch'])

/** The last value of an option, written as `--name value` or `--name=value`. */
function optionValue(args, name) {
  let value
  for (const [position, arg] of args.entries()) {
    if (arg === name) value = args[position + 1] ?? ''
    else if (arg.startsWith(`${name}=`)) value = arg.slice(name.length + 1)
  }
  return value
}

/**
 * @typedef {object} StartOptions
 * @property {number} port
 * @property {string} stateDirectory directory of all local state
 * @property {string} origin address of the service, which is also the issuer of its tokens
 * @property {boolean} verbose whether wrangler's log is printed; otherwise it goes to a file
 * @property {boolean} watch whether the console is built again when its sources change
 * @property {string[]} wranglerArgs arguments for `wrangler dev`
 */

/**
 * Reads the arguments of the start script: `--verbose`, `--watch`, and the arguments for `wrangler dev`, some of
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
    wranglerArgs: args.filter((arg) => !OWN.has(arg)),
  }
}

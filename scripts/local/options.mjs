import { command, numberFrom, withStateDirectory } from '../script.mjs'

/** Longest distance to the databases, in milliseconds: more than once around the world. */
const LONGEST_DISTANCE_MS = 1000

/** Addresses of servers that are also reachable as `localhost`. */
const LOCAL = new Set(['localhost', '127.0.0.1', '0.0.0.0', '*', '::', '::1'])

const port = numberFrom(1, 65_535)

/** `npm start`. The last value of an option wins. */
export const startCommand = () =>
  withStateDirectory(
    command('start', 'Starts the service on this machine, with a demo workspace and a login provider.'),
  )
    .name('npm start --')
    .option('--port <port>', 'port of the service', port, 8787)
    .option('--ip <address>', 'address on which it listens', '127.0.0.1')
    .option('--verbose', 'print the log, which otherwise goes to a file')
    .option('--watch', 'build pages and service again when their sources change')
    .option('--inspector-port <port>', 'port for a debugger', port)
    .option('--distance <ms>', 'milliseconds to the databases and back', numberFrom(0, LONGEST_DISTANCE_MS), 0)
    .option('--no-rate-limits', 'for tests and measurements')

/** The settings for the parts of `npm start`. @param {Record<string, any>} options of `startCommand` */
export function startOptions({ ip, persistTo, rateLimits, verbose = false, watch = false, ...others }) {
  const name = LOCAL.has(ip) ? 'localhost' : ip.includes(':') ? `[${ip}]` : ip
  return {
    ...{ port: others.port, host: ip, stateDirectory: persistTo, distance: others.distance, verbose, watch },
    /** Address of the service, which is also the issuer of its tokens. */
    origin: `http://${name}:${others.port}`,
    inspectorPort: others.inspectorPort,
    isLimited: rateLimits,
  }
}

/** @typedef {ReturnType<typeof startOptions>} StartOptions */

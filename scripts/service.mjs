/** A running service from its operator's view: that of `npm start`, or a deployed one. */
import path from 'node:path'
import { readConfiguration } from './configuration.mjs'
import { openRemote } from './database/remote.ts'
import { operatorToken } from './deploy/setup/secrets.mjs'
import { CONTROL, QUERY_PATH } from './local/control.mjs'
import { numberFrom, withEnvironment } from './script.mjs'
import { readSecrets } from './secrets.mjs'
import { root } from './wrangler.mjs'

/** Adds the option that names the port of a local service. @param {import('commander').Command} command */
export const withPort = (command) =>
  command.option('--port <port>', 'port of the service of npm start', numberFrom(1, 65_535), 8787)

/** Adds the options that choose a service. @param {import('commander').Command} command */
export const withServiceOptions = (command) =>
  withPort(withEnvironment(command)).option('--remote', 'the deployed service, in place of that of npm start')

const localQuery = (port) => async (binding, sql, params) => {
  const body = JSON.stringify({ binding, sql, params })
  const response = await fetch(`http://localhost:${port}${QUERY_PATH}`, { ...CONTROL, body }).catch((cause) => {
    throw new Error(`No service responds on port ${port}. Start it with npm start.`, { cause })
  })
  if (!response.ok) throw new Error(`The local service returned ${response.status}: ${await response.text()}`)
  return response.json()
}

/**
 * @param {Record<string, any>} options values of `withServiceOptions`
 * @returns {{ origin: string, operatorToken: string | undefined, query: import('./move/workspace-move.ts').Query }}
 *   `query` runs one statement in the database of a binding: of a deployed service through D1's API
 */
export function serviceOf({ remote, env, port }) {
  if (!remote) {
    const { PLATFORM_ADMIN_TOKEN } = readSecrets(path.join(root, '.dev.vars'))
    return { origin: `http://localhost:${port}`, operatorToken: PLATFORM_ADMIN_TOKEN, query: localQuery(port) }
  }
  return {
    origin: new URL(readConfiguration(env).vars.ISSUER).origin,
    operatorToken: operatorToken(env),
    query: (binding, sql, params) => openRemote(binding, env).query(sql, params),
  }
}

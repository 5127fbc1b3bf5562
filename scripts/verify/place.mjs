/** A service with a workspace that is created for these tests, and erased afterwards. */

import { MAX_BODY_BYTES } from '#shared/limits'
import { CatalogClient, clientCredentials, ServiceClient } from '../client/client.mjs'
import { readConfiguration } from '../configuration.mjs'
import { serviceOf } from '../service.mjs'
import { allItems, ensureWorkspace } from '../workspace.mjs'
import { Scratch } from './scratch.mjs'

const WORKSPACE = '/platform/v1/workspaces/{workspace_id}'

/**
 * @typedef {object} Place
 * @property {string | undefined} env environment of `wrangler.toml`; undefined for the service of `npm start`
 * @property {string} origin
 * @property {import('../configuration.mjs').Configuration} config
 * @property {string} workspaceId
 * @property {string} database the binding of the workspace's database
 * @property {InstanceType<typeof ServiceClient>} operator
 * @property {InstanceType<typeof CatalogClient>} client of the workspace, without retries
 * @property {() => Promise<string>} token of the workspace
 * @property {import('../move/workspace-move.ts').Query} query
 * @property {Scratch} scratch
 * @property {number} bodyBytes of a large write
 */

/** Erases a workspace completely. The scheduled run makes the last count. @returns {Promise<void>} */
async function erase({ operator, workspaceId, clientId }) {
  const params = { workspace_id: workspaceId }
  await operator.put(`${WORKSPACE}/state`, { params, body: { state: 'suspended', reason: 'npm run verify is done' } })
  if (clientId !== undefined)
    await operator.delete('/platform/v1/clients/{client_id}', { params: { client_id: clientId } })
  for (;;) {
    const answer = await operator.delete(WORKSPACE, { params, query: { confirm: workspaceId } })
    if ('erased' in answer || Object.values(answer.left).every((count) => count === 0)) return
  }
}

/**
 * Calls `work` with a service and a new workspace in it. Deletes everything that was created, also after a failure.
 *
 * @param {{ env?: string, port?: number, bodyBytes?: number }} options
 * @param {(place: Place) => Promise<void>} work
 * @throws {Error} naming leftovers that could not be deleted
 */
export async function withPlace(options, work) {
  const { env, port = 8787, bodyBytes = MAX_BODY_BYTES } = options
  const service = serviceOf({ remote: env !== undefined, env, port })
  const { origin, operatorToken, query } = service
  if (operatorToken === undefined) throw new Error('Set PLATFORM_ADMIN_TOKEN, the token of the operator.')
  const config = readConfiguration(env)
  const operator = new ServiceClient({ baseUrl: origin, tokens: { token: async () => operatorToken } })
  const workspaceId = `verify-${crypto.randomUUID()}`
  const scratch = new Scratch(config)
  /** @type {Partial<import('../workspace.mjs').Credentials>} */
  const made = {}
  const faults = []
  const tidy = (what, step) => step().catch((error) => faults.push(`${what} is left: ${error.message}`))
  try {
    const credentials = await ensureWorkspace(
      { fetch, ...service },
      { id: workspaceId, name: 'Made by npm run verify', members: [] },
      { credentials: {}, save: async (saved) => void Object.assign(made, saved) },
    )
    const workspaces = await allItems(operator, '/platform/v1/workspaces')
    const { client_id: clientId, client_secret: clientSecret, api_key: apiKey } = credentials
    const access = { baseUrl: origin, clientId, clientSecret, apiKey }
    const tokens = clientCredentials(access)
    await work({
      ...{ env, origin, config, workspaceId, operator, query, scratch, bodyBytes },
      database: workspaces.find((each) => each.workspace_id === workspaceId).database,
      client: new CatalogClient({ baseUrl: origin, tokens, retry: { attempts: 1 } }),
      token: () => tokens.token(),
    })
  } finally {
    await tidy(`The workspace ${workspaceId}`, () => erase({ operator, workspaceId, clientId: made.client_id }))
    await tidy('Something in the account', () => scratch.remove())
  }
  if (faults.length > 0) throw new Error(faults.join('\n'))
}

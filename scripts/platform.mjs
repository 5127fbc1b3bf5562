/** What an operator does through the platform's endpoints of a service, local or deployed. */
import { clientCredentials, ServiceClient } from './client/client.mjs'

/**
 * @typedef {{ client_id: string, client_secret: string, api_key: string }} Credentials
 * @typedef {(url: string, init?: RequestInit) => Promise<Response>} Fetch
 * @typedef {{ fetch: Fetch, origin: string, operatorToken: string }} Service
 */

const WORKSPACES = '/platform/v1/workspaces'

/** @param {Service} service */
const asOperator = ({ fetch, origin, operatorToken }) =>
  new ServiceClient({ baseUrl: origin, fetch, tokens: { token: async () => operatorToken } })

/** @param {Service} service */
export async function hasWorkspace(service, id) {
  const { items } = await asOperator(service).get(WORKSPACES)
  return items.some((workspace) => workspace.workspace_id === id)
}

/**
 * @param {Service} service
 * @param {{ workspace_id: string, name: string }} workspace
 */
export async function ensureWorkspace(service, workspace) {
  if (!(await hasWorkspace(service, workspace.workspace_id)))
    await asOperator(service).post(WORKSPACES, { body: workspace })
}

/**
 * Makes people members, unless they already are members in any role.
 *
 * @param {Service} service
 * @param {string} workspace
 * @param {{ email: string, role: 'admin' | 'editor' | 'viewer' }[]} members
 */
export async function ensureMembers(service, workspace, members) {
  const operator = asOperator(service)
  const path = `${WORKSPACES}/{workspace_id}/members`
  const params = { workspace_id: workspace }
  const { items } = await operator.get(path, { params })
  for (const member of members) {
    if (!items.some(({ email }) => email === member.email)) await operator.post(path, { params, body: member })
  }
}

/**
 * @param {Service} service
 * @returns {Promise<{ client_id: string, client_secret: string }>} its secret is shown only once
 */
export const createClient = (service, name) => asOperator(service).post('/platform/v1/clients', { body: { name } })

/**
 * Lets a client act on a workspace.
 *
 * @param {Service} service
 * @returns {Promise<string>} the API key, which is shown only once
 */
export async function createKey(service, workspace, client) {
  const { api_key } = await asOperator(service).post(`${WORKSPACES}/{workspace_id}/api-keys`, {
    params: { workspace_id: workspace },
    body: { client_id: client },
  })
  return api_key
}

/**
 * The access tokens of a client.
 *
 * @param {Pick<Service, 'fetch' | 'origin'>} service
 * @param {Credentials} credentials
 */
export const tokensOf = ({ fetch, origin }, { client_id, client_secret, api_key }) =>
  clientCredentials({
    baseUrl: origin,
    fetch,
    clientId: client_id,
    clientSecret: client_secret,
    apiKey: api_key,
  })

/** A workspace with its members, a client and an API key, created through the service's platform endpoints. */
import { ServiceClient } from './client/client.mjs'

/**
 * @typedef {{ client_id: string, client_secret: string, api_key: string }} Credentials
 * @typedef {(url: string, init?: RequestInit) => Promise<Response>} Fetch
 * @typedef {{ fetch: Fetch, origin: string, operatorToken: string }} Service
 * @typedef {{ id: string, name: string, members: { email: string, role: 'admin' | 'editor' | 'viewer' }[] }} WorkspaceSpec
 */

const WORKSPACES = '/platform/v1/workspaces'

/** All items of a paged list of the service. */
export async function allItems(operator, path, params = {}) {
  const items = []
  for (;;) {
    const page = await operator.get(path, { params, query: { limit: 1000, offset: items.length } })
    items.push(...page.items)
    if (!page.has_more) return items
  }
}

/**
 * Creates missing parts of a workspace: the workspace itself, members, a client, its API key. Existing members keep
 * their roles.
 *
 * @template {Partial<Credentials>} K
 * @param {Service} service
 * @param {WorkspaceSpec} spec
 * @param {{ credentials?: K, save: (credentials: K) => Promise<void> }} store the data that earlier calls saved. A
 *   secret is shown only once, so each is saved before the next step
 * @returns {Promise<K & Credentials>} the saved data
 */
export async function ensureWorkspace({ fetch, origin, operatorToken }, { id, name, members }, store) {
  const operator = new ServiceClient({ baseUrl: origin, fetch, tokens: { token: async () => operatorToken } })
  const params = { workspace_id: id }
  const exists = (await allItems(operator, WORKSPACES)).some(({ workspace_id }) => workspace_id === id)
  if (!exists) await operator.post(WORKSPACES, { body: { ...params, name } })
  const membersPath = `${WORKSPACES}/{workspace_id}/members`
  // The service keeps addresses in lower case.
  const emails = new Set((await allItems(operator, membersPath, params)).map(({ email }) => email))
  for (const member of members) {
    if (!emails.has(member.email.toLowerCase())) await operator.post(membersPath, { params, body: member })
  }
  // If there was no workspace, the saved credentials belong to another service.
  const none = { client_id: undefined, client_secret: undefined, api_key: undefined }
  let credentials = /** @type {any} */ ({ ...store.credentials, ...(exists ? {} : none) })
  const add = async (more) => {
    credentials = { ...credentials, ...more }
    await store.save(credentials)
  }
  // A lost response leaves a client without a key, or a key that nobody knows. Neither grants access.
  if (credentials.client_id === undefined) {
    const { client_id, client_secret } = await operator.post('/platform/v1/clients', {
      body: { name: `${name} client` },
    })
    await add({ client_id, client_secret })
  }
  if (credentials.api_key === undefined) {
    const body = { client_id: credentials.client_id }
    const { api_key } = await operator.post(`${WORKSPACES}/{workspace_id}/api-keys`, { params, body })
    await add({ api_key })
  }
  return credentials
}

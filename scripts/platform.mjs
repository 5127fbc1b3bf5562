/** What an operator does through the platform's endpoints of a service, local or deployed. */

/**
 * @typedef {{ client_id: string, client_secret: string, api_key: string }} Credentials
 * @typedef {(url: string, init?: RequestInit) => Promise<Response>} Fetch
 * @typedef {{ fetch: Fetch, origin: string, operatorToken: string }} Service
 */

/**
 * Sends a request and reads the JSON answer.
 *
 * @param {Fetch} fetch
 * @throws {Error} naming the request and the service's own message, when the answer is not a success; its `status` is
 *   the status of the answer
 */
export async function call(fetch, url, init) {
  const response = await fetch(url, init)
  const body = await response.json()
  if (response.ok) return body
  const message = `${init.method ?? 'GET'} ${new URL(url).pathname}: ${response.status} ${body.message}`
  throw Object.assign(new Error(message), { status: response.status })
}

export const json = (headers, body) => ({
  method: 'POST',
  headers: { ...headers, 'Content-Type': 'application/json' },
  body: JSON.stringify(body),
})

/**
 * Calls a platform endpoint.
 *
 * @param {Service} service
 * @param {string} path below `/platform/v1`
 * @param {object} [body] of a POST; a GET by default
 * @returns {Promise<any>} the data of the answer
 */
async function platform({ fetch, origin, operatorToken }, path, body) {
  const headers = { Authorization: `Bearer ${operatorToken}` }
  const init = body === undefined ? { headers } : json(headers, body)
  return (await call(fetch, `${origin}/platform/v1${path}`, init)).data
}

/** @param {Service} service */
export async function hasWorkspace(service, id) {
  const { items } = await platform(service, '/workspaces')
  return items.some((workspace) => workspace.workspace_id === id)
}

/**
 * @param {Service} service
 * @param {{ workspace_id: string, name: string }} workspace
 */
export async function ensureWorkspace(service, workspace) {
  if (!(await hasWorkspace(service, workspace.workspace_id)))
    await platform(service, '/workspaces', workspace)
}

/**
 * Makes people members, unless they already are members in any role.
 *
 * @param {Service} service
 * @param {string} workspace
 * @param {{ email: string, role: string }[]} members
 */
export async function ensureMembers(service, workspace, members) {
  const path = `/workspaces/${workspace}/members`
  const { items } = await platform(service, path)
  for (const member of members) {
    if (!items.some(({ email }) => email === member.email)) await platform(service, path, member)
  }
}

/**
 * @param {Service} service
 * @returns {Promise<{ client_id: string, client_secret: string }>} its secret is shown only once
 */
export const createClient = (service, name) => platform(service, '/clients', { name })

/**
 * @param {Service} service
 * @returns {Promise<{ client_id: string, name: string }[]>} of the first page of clients
 */
export async function clientsNamed(service, name) {
  const { items } = await platform(service, '/clients')
  return items.filter((client) => client.name === name)
}

/**
 * Lets a client act on a workspace.
 *
 * @param {Service} service
 * @returns {Promise<string>} the API key, which is shown only once
 */
export async function createKey(service, workspace, client) {
  return (await platform(service, `/workspaces/${workspace}/api-keys`, { client_id: client })).api_key
}

/**
 * @param {Pick<Service, 'fetch' | 'origin'>} service
 * @param {Credentials} credentials
 * @returns {Promise<string>} an access token
 */
export async function accessToken({ fetch, origin }, { api_key, ...client }) {
  const body = { ...client, grant_type: 'client_credentials' }
  return (await call(fetch, `${origin}/api/v1/auth/token`, json({ 'X-API-KEY': api_key }, body))).access_token
}

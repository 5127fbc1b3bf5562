/** The demo workspace: its credentials and its sample catalogs, made through the service's own endpoints. */

export const DEMO_WORKSPACE = 'demo'

/** The users who can log in to the demo workspace with the local login provider. */
export const DEMO_MEMBERS = [
  { email: 'admin@demo.example', role: 'admin' },
  { email: 'viewer@demo.example', role: 'viewer' },
]

/** Sample files, by the type of their records. */
export const SAMPLES = {
  medication: 'medications.csv',
  lab_test: 'lab-tests.csv',
  symptom: 'symptoms.csv',
  diagnosis: 'diagnoses.csv',
}

/**
 * @typedef {{ client_id: string, client_secret: string, api_key: string }} Credentials
 * @typedef {(url: string, init?: RequestInit) => Promise<Response>} Fetch
 */

/**
 * Sends a request and reads the JSON answer.
 *
 * @param {Fetch} fetch
 * @throws {Error} naming the request and the service's own message, when the answer is not a success; its `status` is
 *   the status of the answer
 */
async function call(fetch, url, init) {
  const response = await fetch(url, init)
  const body = await response.json()
  if (response.ok) return body
  const message = `${init.method ?? 'GET'} ${new URL(url).pathname}: ${response.status} ${body.message}`
  throw Object.assign(new Error(message), { status: response.status })
}

const json = (headers, body) => ({
  method: 'POST',
  headers: { ...headers, 'Content-Type': 'application/json' },
  body: JSON.stringify(body),
})

/**
 * Whether the demo workspace exists.
 *
 * @param {{ fetch: Fetch, origin: string, operatorToken: string }} service
 */
export async function hasDemo({ fetch, origin, operatorToken }) {
  const headers = { Authorization: `Bearer ${operatorToken}` }
  const { data } = await call(fetch, `${origin}/platform/v1/workspaces`, { headers })
  return data.items.some((workspace) => workspace.workspace_id === DEMO_WORKSPACE)
}

/**
 * Creates the demo workspace, unless it exists, and a client with an API key for it. Secrets are shown only once, so
 * the caller must keep the result.
 *
 * @param {{ fetch: Fetch, origin: string, operatorToken: string }} service
 * @returns {Promise<Credentials>}
 */
export async function createDemo({ fetch, origin, operatorToken }) {
  const platform = `${origin}/platform/v1`
  const headers = { Authorization: `Bearer ${operatorToken}` }
  if (!(await hasDemo({ fetch, origin, operatorToken }))) {
    await call(fetch, `${platform}/workspaces`, json(headers, { name: 'Demo', workspace_id: DEMO_WORKSPACE }))
  }
  const { data: client } = await call(fetch, `${platform}/clients`, json(headers, { name: 'Demo client' }))
  const { data: key } = await call(
    fetch,
    `${platform}/workspaces/${DEMO_WORKSPACE}/api-keys`,
    json(headers, { client_id: client.client_id }),
  )
  return { client_id: client.client_id, client_secret: client.client_secret, api_key: key.api_key }
}

/**
 * Makes the demo users members of the demo workspace, unless they already are members in any role.
 *
 * @param {{ fetch: Fetch, origin: string, operatorToken: string }} service
 */
export async function addDemoMembers({ fetch, origin, operatorToken }) {
  const members = `${origin}/platform/v1/workspaces/${DEMO_WORKSPACE}/members`
  const headers = { Authorization: `Bearer ${operatorToken}` }
  const { data } = await call(fetch, members, { headers })
  for (const member of DEMO_MEMBERS) {
    if (data.items.some(({ email }) => email === member.email)) continue
    await call(fetch, members, json(headers, member))
  }
}

/**
 * Loads the sample catalog of each type that has no records yet, and lets partners search it.
 *
 * @param {{ fetch: Fetch, origin: string }} service
 * @param {Credentials} credentials
 * @param {(file: string) => Promise<Uint8Array | string>} readSample
 * @returns {Promise<Record<string, number>>} records loaded, per type
 */
export async function loadSamples({ fetch, origin }, credentials, readSample) {
  const { api_key, ...client } = credentials
  const { access_token } = await call(
    fetch,
    `${origin}/api/v1/auth/token`,
    json({ 'X-API-KEY': api_key }, { ...client, grant_type: 'client_credentials' }),
  )
  const headers = { Authorization: `Bearer ${access_token}` }
  const loaded = {}
  for (const [type, file] of Object.entries(SAMPLES)) {
    const catalog = `${origin}/admin/datasets/v1/?type=${type}`
    const page = await call(fetch, `${catalog}&limit=1&show_inactive=1`, { headers })
    if (page.total > 0) continue
    const body = await readSample(file)
    const { data } = await call(fetch, catalog, {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'text/csv' },
      body,
    })
    loaded[type] = data.total
    // So that the demo of the search element finds them.
    await call(
      fetch,
      `${origin}/admin/datasets/v1/search-status/?type=${type}`,
      json(headers, { enabled: true }),
    )
  }
  return loaded
}

/**
 * A line for bash that gets a token and lists some medications.
 *
 * @param {string} origin
 * @param {Credentials} credentials
 */
export function curlLine(origin, credentials) {
  const { api_key, ...client } = credentials
  const body = JSON.stringify({ ...client, grant_type: 'client_credentials' })
  return (
    `TOKEN=$(curl -s ${origin}/api/v1/auth/token -H 'Content-Type: application/json' -H 'X-API-KEY: ${api_key}' ` +
    `-d '${body}' | sed -E 's/.*"access_token":"([^"]+)".*/\\1/') && ` +
    `curl -s "${origin}/admin/datasets/v1/?type=medication&limit=2" -H "Authorization: Bearer $TOKEN"`
  )
}

/** The demo workspace: its credentials and its sample catalogs, made through the service's own endpoints. */
import { clientCredentials, ServiceClient } from '../client/client.mjs'

export const DEMO_WORKSPACE = 'demo'

/**
 * The users who can log in to the demo workspace with the local login provider.
 *
 * @type {{ email: string, role: 'admin' | 'viewer' }[]}
 */
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
 * @typedef {{ fetch: Fetch, origin: string, operatorToken: string }} Access
 */

const WORKSPACES = '/platform/v1/workspaces'

/** @param {Access} service */
const asOperator = ({ fetch, origin, operatorToken }) =>
  new ServiceClient({ baseUrl: origin, fetch, tokens: { token: async () => operatorToken } })

/**
 * Whether the demo workspace exists.
 *
 * @param {Access} service
 */
export async function hasDemo(service) {
  const { items } = await asOperator(service).get(WORKSPACES)
  return items.some(({ workspace_id }) => workspace_id === DEMO_WORKSPACE)
}

/**
 * Creates the demo workspace, unless it exists, and a client with an API key for it. Secrets are shown only once, so
 * the caller must keep the result.
 *
 * @param {Access} service
 * @returns {Promise<Credentials>}
 */
export async function createDemo(service) {
  const operator = asOperator(service)
  if (!(await hasDemo(service))) {
    await operator.post(WORKSPACES, { body: { name: 'Demo', workspace_id: DEMO_WORKSPACE } })
  }
  const { client_id, client_secret } = await operator.post('/platform/v1/clients', {
    body: { name: 'Demo client' },
  })
  const { api_key } = await operator.post(`${WORKSPACES}/{workspace_id}/api-keys`, {
    params: { workspace_id: DEMO_WORKSPACE },
    body: { client_id },
  })
  return { client_id, client_secret, api_key }
}

/**
 * Makes the demo users members of the demo workspace, unless they already are members in any role.
 *
 * @param {Access} service
 */
export async function addDemoMembers(service) {
  const operator = asOperator(service)
  const members = `${WORKSPACES}/{workspace_id}/members`
  const params = { workspace_id: DEMO_WORKSPACE }
  const { items } = await operator.get(members, { params })
  for (const member of DEMO_MEMBERS) {
    if (items.some(({ email }) => email === member.email)) continue
    await operator.post(members, { params, body: member })
  }
}

/**
 * Loads the sample catalog of each type that has no records yet, and lets partners search it.
 *
 * @param {Pick<Access, 'fetch' | 'origin'>} service
 * @param {Credentials} credentials
 * @param {(file: string) => Promise<Uint8Array<ArrayBuffer> | string>} readSample
 * @returns {Promise<Record<string, number>>} records loaded, per type
 */
export async function loadSamples({ fetch, origin }, credentials, readSample) {
  const { client_id: clientId, client_secret: clientSecret, api_key: apiKey } = credentials
  const access = { baseUrl: origin, fetch }
  const tokens = clientCredentials({ ...access, clientId, clientSecret, apiKey })
  const client = new ServiceClient({ ...access, tokens })
  const loaded = {}
  const types = /** @type {(keyof typeof SAMPLES)[]} */ (Object.keys(SAMPLES))
  for (const type of types) {
    const fileName = SAMPLES[type]
    const { total } = await client.get('/admin/datasets/v1/', {
      query: { type, limit: 1, show_inactive: '1' },
    })
    if (total > 0) continue
    const body = { file: new Blob([await readSample(fileName)]), fileName }
    loaded[type] = (await client.post('/admin/datasets/v1/', { query: { type }, body })).total
    // So that the demo of the search element finds them.
    await client.post('/admin/datasets/v1/search-status/', { query: { type }, body: { enabled: true } })
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

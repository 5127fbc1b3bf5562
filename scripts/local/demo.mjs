/** The demo workspace: its credentials and its sample catalogs, made through the service's own endpoints. */
import { ServiceClient } from '../client/client.mjs'
import { createClient, createKey, ensureMembers, ensureWorkspace, hasWorkspace, tokensOf } from '../platform.mjs'

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

/** @param {import('../platform.mjs').Service} service */
export const hasDemo = (service) => hasWorkspace(service, DEMO_WORKSPACE)

/**
 * Creates the demo workspace, unless it exists, and a client with an API key for it. Secrets are shown only once, so
 * the caller must keep the result.
 *
 * @param {import('../platform.mjs').Service} service
 * @returns {Promise<import('../platform.mjs').Credentials>}
 */
export async function createDemo(service) {
  await ensureWorkspace(service, { workspace_id: DEMO_WORKSPACE, name: 'Demo' })
  const { client_id, client_secret } = await createClient(service, 'Demo client')
  return { client_id, client_secret, api_key: await createKey(service, DEMO_WORKSPACE, client_id) }
}

/**
 * Makes the demo users members of the demo workspace, unless they already are members in any role.
 *
 * @param {import('../platform.mjs').Service} service
 */
export const addDemoMembers = (service) => ensureMembers(service, DEMO_WORKSPACE, DEMO_MEMBERS)

/**
 * Loads the sample catalog of each type that has no records yet, and lets partners search it.
 *
 * @param {Pick<import('../platform.mjs').Service, 'fetch' | 'origin'>} service
 * @param {import('../platform.mjs').Credentials} credentials
 * @param {(file: string) => Promise<Uint8Array<ArrayBuffer> | string>} readSample
 * @returns {Promise<Record<string, number>>} records loaded, per type
 */
export async function loadSamples({ fetch, origin }, credentials, readSample) {
  const client = new ServiceClient({
    baseUrl: origin,
    fetch,
    tokens: tokensOf({ fetch, origin }, credentials),
  })
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
 * @param {import('../platform.mjs').Credentials} credentials
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

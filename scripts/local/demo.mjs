/** The demo workspace: its credentials and its sample catalogs, created through the service's own endpoints. */
import { clientCredentials, ServiceClient } from '../client/client.mjs'
import { ensureWorkspace } from '../workspace.mjs'

/**
 * The users who can log in to the demo workspace with the local login provider.
 *
 * @type {{ email: string, role: 'admin' | 'viewer' }[]}
 */
export const DEMO_MEMBERS = [
  { email: 'admin@demo.example', role: 'admin' },
  { email: 'viewer@demo.example', role: 'viewer' },
]

/** Sample files, by record type. */
export const SAMPLES = {
  medication: 'medications.csv',
  lab_test: 'lab-tests.csv',
  symptom: 'symptoms.csv',
  diagnosis: 'diagnoses.csv',
}

/**
 * Searches that users gave up, by record type, so that a new user sees examples in the console.
 *
 * @type {Partial<Record<keyof typeof SAMPLES, string[]>>}
 */
const SEARCH_MISSES = {
  medication: ['water pill', 'dolo 650'],
  symptom: ['loose motions'],
  diagnosis: ['htn', 'copd'],
}

/**
 * Creates missing parts of the demo workspace and its catalogs, and prints the number of loaded records of each type.
 *
 * @param {import('../workspace.mjs').Service} service
 * @param {typeof DEMO_MEMBERS} members
 * @param {{ credentials?: any, save: (credentials: any) => Promise<void> }} store for its credentials, in the
 *   form of `ensureWorkspace`
 * @param {(file: string) => Promise<Uint8Array<ArrayBuffer> | string>} readSample
 */
export async function ensureDemo(service, members, store, readSample) {
  const credentials = await ensureWorkspace(service, { id: 'demo', name: 'Demo', members }, store)
  return { credentials, loaded: await loadSamples(service, credentials, readSample) }
}

/** Loads the sample catalog of each type without records, and lets partners search it. */
export async function loadSamples({ fetch, origin }, { client_id, client_secret, api_key }, readSample) {
  const access = { baseUrl: origin, fetch, clientId: client_id, clientSecret: client_secret, apiKey: api_key }
  const client = new ServiceClient({ baseUrl: origin, fetch, tokens: clientCredentials(access) })
  const loaded = {}
  for (const [type, fileName] of /** @type {[keyof typeof SAMPLES, string][]} */ (Object.entries(SAMPLES))) {
    const { total } = await client.get('/admin/datasets/v1/', {
      query: { type, limit: 1, show_inactive: '1' },
    })
    if (total > 0) continue
    const body = { file: new Blob([await readSample(fileName)]), fileName }
    loaded[type] = (await client.post('/admin/datasets/v1/', { query: { type }, body })).total
    // So that the demo of the search element finds them.
    await client.post('/admin/datasets/v1/search-status/', { query: { type }, body: { enabled: true } })
    for (const q of SEARCH_MISSES[type] ?? []) {
      await client.post('/medical-db/v1/search/misses', { body: { type, q } })
    }
  }
  return loaded
}

/**
 * A bash command that gets a token and lists some medications.
 *
 * @param {import('../workspace.mjs').Credentials} credentials
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

/** The summary of a new service: its addresses, the credentials of a workspace, and a command to try them. */
export function welcomeText({ origin, login, more = {}, tokenFile, workspace, credentials, hint }) {
  const lines = {
    'Dataset Catalog Service': origin,
    Console: `${origin}/console/`,
    '': login,
    'API description': `${origin}/docs`,
    "Operator's token": `PLATFORM_ADMIN_TOKEN in ${tokenFile}`,
    ...more,
  }
  return `${Object.entries(lines)
    .map(([name, value]) => name.padEnd(26) + value)
    .join('\n')}

${workspace}
  client_id      ${credentials.client_id}
  client_secret  ${credentials.client_secret}
  X-API-KEY      ${credentials.api_key}

${hint}

${curlLine(origin, credentials)}`
}

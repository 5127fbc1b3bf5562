/** Workspaces of the service: creates them as the operator, and writes their medications. */
import { randomUUID } from 'node:crypto'
import { clientCredentials, ServiceClient } from '../scripts/client/client.mjs'
import { expectStatus } from './http-client.mjs'

/** A workspace and a token for it. */
export class Workspace {
  #client

  /** @param {import('./http-client.mjs').HttpClient} client */
  constructor(client, id, token) {
    this.#client = client
    this.id = id
    this.token = token
    this.headers = { Authorization: `Bearer ${token}` }
    /** For requests that are not measured. */
    this.api = new ServiceClient({ baseUrl: client.origin, tokens: { token: async () => token } })
  }

  /**
   * Writes medications, or records of another type.
   *
   * @param {Pick<import('./catalogs.mjs').CatalogBody, 'format' | 'bytes'>} body
   * @param {{ type?: string, query?: string, status?: number, client?: import('./http-client.mjs').HttpClient }}
   *   [options] query: more parameters, each with a leading `&`; status: the expected status; client: another
   *   connection to the service
   * @returns {Promise<import('./http-client.mjs').Answer & { requestId: string }>}
   */
  async write({ format, bytes }, { type = 'medication', query = '', status = 200, client = this.#client } = {}) {
    const requestId = randomUUID()
    const answer = await client.send(`/admin/datasets/v1/?type=${type}${query}`, {
      method: 'POST',
      headers: {
        ...this.headers,
        'Content-Type': format === 'csv' ? 'text/csv' : 'application/json',
        'X-Request-Id': requestId,
      },
      body: bytes,
    })
    return { ...expectStatus(answer, status, `writing ${type}`), requestId }
  }

  /** Restores the medications to a revision. */
  async restore(revision) {
    const target = `/admin/catalogs/v1/medication/restore?revision=${revision}&confirm_shrink=true`
    const requestId = randomUUID()
    const headers = { ...this.headers, 'X-Request-Id': requestId }
    const answer = await this.#client.send(target, { method: 'POST', headers })
    return { ...expectStatus(answer, 200, 'restoring medications'), requestId }
  }

  /**
   * Makes the workspace's own catalog the search source.
   *
   * @param {any} type
   */
  async enableSearch(type = 'medication') {
    await this.api.post('/admin/datasets/v1/search-status/', { query: { type }, body: { enabled: true } })
  }
}

const WORKSPACES = '/platform/v1/workspaces'

/** Creates workspaces, all of them with the same HTTP client. */
export class Operator {
  #client
  #credentials

  /**
   * @param {import('./http-client.mjs').HttpClient} client
   * @param {string} token PLATFORM_ADMIN_TOKEN
   */
  constructor(client, token) {
    this.#client = client
    this.api = new ServiceClient({ baseUrl: client.origin, tokens: { token: async () => token } })
  }

  /**
   * Creates a workspace without records.
   *
   * @param {{ database?: string }} [place] the database with the fewest workspaces by default
   */
  async newWorkspace(place = {}) {
    const id = `bench-${crypto.randomUUID()}`
    await this.api.post(WORKSPACES, { body: { name: id, workspace_id: id, ...place } })
    return new Workspace(this.#client, id, await this.newToken(id))
  }

  /** A token for a workspace, from a new API key. */
  async newToken(id) {
    const { client_id: clientId, client_secret: clientSecret, api_key: apiKey } = await this.newCredentials(id)
    return clientCredentials({ baseUrl: this.#client.origin, clientId, clientSecret, apiKey }).token()
  }

  /** The client with a new API key for a workspace. */
  async newCredentials(id) {
    this.#credentials ??= await this.api.post('/platform/v1/clients', { body: { name: 'Benchmark' } })
    const { client_id, client_secret } = this.#credentials
    const keys = `${WORKSPACES}/{workspace_id}/api-keys`
    const { api_key } = await this.api.post(keys, { params: { workspace_id: id }, body: { client_id } })
    return { client_id, client_secret, api_key }
  }

  /** A key for encrypted bodies of a workspace. */
  newSharedKey(id) {
    return this.api.post(`${WORKSPACES}/{workspace_id}/encryption-keys`, {
      params: { workspace_id: id },
      body: {},
    })
  }

  /** Adds a user to a workspace, as an admin. */
  async addMember(id, email) {
    const members = `${WORKSPACES}/{workspace_id}/members`
    await this.api.post(members, { params: { workspace_id: id }, body: { email, role: 'admin' } })
  }
}

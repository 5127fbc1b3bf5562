/** Workspaces of the service: creates them as the operator, and writes their medications. */
import { randomUUID } from 'node:crypto'
import { expectStatus } from './http-client.mjs'

/** A workspace and a token for it. */
export class Workspace {
  #client

  /** @param {import('./http-client.mjs').HttpClient} client */
  constructor(client, id, token) {
    this.#client = client
    this.id = id
    this.headers = { Authorization: `Bearer ${token}` }
  }

  /**
   * Writes medications, or records of another type.
   *
   * @param {import('./catalogs.mjs').CatalogBody} body
   * @param {{ type?: string, query?: string, status?: number, client?: import('./http-client.mjs').HttpClient }}
   *   [options] query: further parameters, each beginning with `&`; status: the expected status; client: another
   *   connection to the service
   * @returns {Promise<import('./http-client.mjs').Answer & { requestId: string }>}
   */
  async write(
    { format, bytes },
    { type = 'medication', query = '', status = 200, client = this.#client } = {},
  ) {
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

  /** Switches partner search to the workspace's own catalog. */
  async enableSearch(type = 'medication') {
    // After a long write, wrangler may drop the connection and fails the next request unless that is a GET.
    await this.#client.send('/health')
    const answer = await this.#client.send(`/admin/datasets/v1/search-status/?type=${type}`, {
      method: 'POST',
      headers: { ...this.headers, 'Content-Type': 'application/json' },
      body: JSON.stringify({ enabled: true }),
    })
    expectStatus(answer, 200, 'enabling search')
  }
}

/** Creates workspaces, all of them for one client. */
export class Operator {
  #client
  #headers
  #credentials
  #workspaces = 0

  /**
   * @param {import('./http-client.mjs').HttpClient} client
   * @param {string} token PLATFORM_ADMIN_TOKEN
   */
  constructor(client, token) {
    this.#client = client
    this.#headers = { Authorization: `Bearer ${token}` }
  }

  /**
   * Makes a workspace without records.
   *
   * @param {{ database?: string }} [place] the one with the fewest workspaces by default
   */
  async newWorkspace(place = {}) {
    const id = `bench-${++this.#workspaces}`
    await this.#post('/platform/v1/workspaces', { name: id, workspace_id: id, ...place })
    return new Workspace(this.#client, id, await this.newToken(id))
  }

  /** A token for a workspace, from an API key of its own. */
  async newToken(id) {
    const { body, headers } = await this.newCredentials(id)
    return (await this.#post('/api/v1/auth/token', body, headers)).access_token
  }

  /** What a token request for a workspace sends, with a new API key. */
  async newCredentials(id) {
    this.#credentials ??= (await this.#post('/platform/v1/clients', { name: 'Benchmark' })).data
    const { client_id, client_secret } = this.#credentials
    const { data } = await this.#post(`/platform/v1/workspaces/${id}/api-keys`, { client_id })
    const body = { client_id, client_secret, grant_type: 'client_credentials' }
    return { body, headers: { 'X-API-KEY': data.api_key } }
  }

  /** A credential with which a partner of a workspace makes tokens. */
  async newPartner(id) {
    const path = `/platform/v1/workspaces/${id}/partner-credentials`
    return (await this.#post(path, { issuer: 'https://partner.example' })).data
  }

  /** Lets a person into a workspace, as an admin. */
  async addMember(workspaceId, email) {
    await this.#post(`/platform/v1/workspaces/${workspaceId}/members`, { email, role: 'admin' })
  }

  /** @returns {Promise<any>} `data` of the answer */
  async get(target) {
    const answer = await this.#client.send(target, { headers: this.#headers })
    return JSON.parse(expectStatus(answer, 200, target).body).data
  }

  async #post(target, body, headers = this.#headers) {
    const answer = await this.#client.send(target, {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })
    return JSON.parse(expectStatus(answer, 200, target).body)
  }
}

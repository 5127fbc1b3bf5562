import { parseRecords } from '#records/exact-json'
import type { Access } from './access'
import { type FileToSend, sendFile } from './send-file'
import { refusalOf, ServiceError, unreachable } from './service-error'

/** Parameters that are undefined are left out. */
export type Query = Readonly<Record<string, string | number | boolean | undefined>>

interface Call {
  method: 'GET' | 'POST' | 'DELETE'
  address: string
  /** Sent as JSON. */
  body?: unknown
  signal?: AbortSignal | undefined
}

export interface Upload extends Omit<FileToSend, 'address'> {
  path: string
  query: Query
}

function addressOf(path: string, query: Query = {}): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) parameters.set(name, String(value))
  }
  return parameters.size === 0 ? path : `${path}?${parameters}`
}

const dataOf = <T>(text: string): T => (JSON.parse(text) as { data: T }).data

/**
 * The API of the service, with the access token of the person who is logged in. Every method throws a `ServiceError` for
 * a refusal, and for a service that cannot be reached.
 */
export class ServiceClient {
  readonly #access: Access

  constructor(access: Access) {
    this.#access = access
  }

  /** `data` of the answer. */
  async get<T>(path: string, query?: Query, signal?: AbortSignal): Promise<T> {
    return dataOf(await (await this.#call({ method: 'GET', address: addressOf(path, query), signal })).text())
  }

  /** As `get`, with the numbers in `refid` as they are written, so that a record can be sent back unharmed. */
  async getExact<T>(path: string, query?: Query, signal?: AbortSignal): Promise<T> {
    const response = await this.#call({ method: 'GET', address: addressOf(path, query), signal })
    return (parseRecords(await response.text()) as { data: T }).data
  }

  /** An answer that has no envelope. */
  async getBare<T>(path: string, query?: Query, signal?: AbortSignal): Promise<T> {
    return (await this.#call({ method: 'GET', address: addressOf(path, query), signal })).json() as Promise<T>
  }

  /** An answer that is a file. */
  async download(path: string, query?: Query): Promise<Blob> {
    return (await this.#call({ method: 'GET', address: addressOf(path, query) })).blob()
  }

  /** `data` of the answer. */
  async post<T>(path: string, body: unknown, query?: Query): Promise<T> {
    return dataOf(await (await this.#call({ method: 'POST', address: addressOf(path, query), body })).text())
  }

  async delete(path: string): Promise<void> {
    await this.#call({ method: 'DELETE', address: path })
  }

  /** Sends a file; `data` of the answer. */
  async upload<T>(upload: Upload): Promise<T> {
    return dataOf(await (await this.uploadForFile(upload)).text())
  }

  /** Sends a file that is answered with a file. */
  uploadForFile({ path, query, ...file }: Upload): Promise<Blob> {
    return this.#authorized((token) => sendFile(token, { address: addressOf(path, query), ...file }))
  }

  #call({ method, address, body, signal }: Call): Promise<Response> {
    return this.#authorized(async (token) => {
      const headers: Record<string, string> = { Authorization: `Bearer ${token}` }
      if (body !== undefined) headers['Content-Type'] = 'application/json'
      const response = await fetch(address, {
        method,
        headers,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        ...(signal === undefined ? {} : { signal }),
      }).catch((error: unknown) => {
        throw error instanceof DOMException && error.name === 'AbortError' ? error : unreachable()
      })
      if (response.ok) return response
      throw refusalOf(response.status, await response.text(), response.headers.get('X-Request-Id'))
    })
  }

  /** A token may have ended before its time, when a role was changed or the computer slept: once, it is renewed. */
  async #authorized<T>(request: (token: string) => Promise<T>): Promise<T> {
    const token = await this.#access.token()
    try {
      return await request(token)
    } catch (error) {
      if (!(error instanceof ServiceError && error.status === 401)) throw error
      return request(await this.#access.renew())
    }
  }
}

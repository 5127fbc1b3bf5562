/** A proxy between a partner's page and the service. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

export interface Passed {
  method: string
  path: string
  /** The text that is searched; undefined for other requests. */
  q: string | undefined
  authorization: string | undefined
}

/** What the proxy does with a request in place of the service; `delayMs` alone only takes longer. */
export interface Override {
  delayMs?: number
  status?: number
  headers?: Record<string, string>
  /** The connection breaks. */
  breaks?: boolean
}

/** Headers that belong to one connection, or to the bytes as they were packed. */
const OF_CONNECTION = ['connection', 'content-encoding', 'content-length', 'transfer-encoding', 'keep-alive']

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

export const addressOf = (server: { address(): AddressInfo | string | null }): string =>
  `http://localhost:${(server.address() as AddressInfo).port}`

/** Passes requests on to the service after a delay, and remembers them. */
export class ServiceProxy {
  readonly origin: string
  readonly passed: Passed[] = []
  /** Milliseconds that each request takes longer. */
  delayMs = 0
  override: (request: Passed) => Override | undefined = () => undefined
  readonly close: () => void

  private constructor(origin: string, close: () => void) {
    this.origin = origin
    this.close = close
  }

  static async to(service: string): Promise<ServiceProxy> {
    const server = createServer((request, response) => proxy.#pass(service, request, response))
    await new Promise<void>((resolve) => server.listen(0, resolve))
    const proxy: ServiceProxy = new ServiceProxy(addressOf(server), () => {
      server.closeAllConnections()
      server.close()
    })
    return proxy
  }

  get searches(): Passed[] {
    return this.passed.filter(({ method, q }) => method === 'POST' && q !== undefined)
  }

  get preflights(): Passed[] {
    return this.passed.filter(({ method }) => method === 'OPTIONS')
  }

  forget(): void {
    this.passed.length = 0
    this.delayMs = 0
    this.override = () => undefined
  }

  async #pass(service: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '' } = request
    const body = await buffer(request)
    const isSearch = method === 'POST' && url.startsWith('/medical-db/')
    const passed = {
      method,
      path: url,
      q: isSearch ? String((JSON.parse(body.toString()) as { q: unknown }).q) : undefined,
      authorization: request.headers.authorization,
    }
    this.passed.push(passed)
    const override = this.override(passed) ?? {}
    await pause(this.delayMs + (override.delayMs ?? 0))
    if (override.breaks) {
      request.socket.destroy()
      return
    }
    if (override.status !== undefined) {
      const headers = {
        'Access-Control-Allow-Origin': request.headers.origin ?? '*',
        'Access-Control-Expose-Headers': 'Retry-After, X-Request-Id',
        'X-Request-Id': 'from-the-proxy',
        ...override.headers,
      }
      response.writeHead(override.status, headers).end(JSON.stringify({ message: 'Refused by the proxy.' }))
      return
    }
    const { host: _, connection: __, ...headers } = request.headers
    const answer = await fetch(service + url, {
      method,
      headers: headers as Record<string, string>,
      ...(body.byteLength === 0 ? {} : { body }),
      redirect: 'manual',
    })
    const kept = [...answer.headers].filter(([name]) => !OF_CONNECTION.includes(name))
    const bytes = Buffer.from(await answer.arrayBuffer())
    response.writeHead(answer.status, Object.fromEntries(kept)).end(bytes)
  }
}

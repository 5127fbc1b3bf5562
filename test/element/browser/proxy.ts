/** A proxy between a partner's page and the service, which delays and refuses searches. */
import { setTimeout as sleep } from 'node:timers/promises'
import { startProxy } from '../../support/proxy.mjs'

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
  /** What a search finds. */
  answer?: object
}

/** Browsers take a page without https for safe under this name, and the service allows it as the origin of a page. */
export const localhostOf = (origin: string): string => origin.replace('127.0.0.1', 'localhost')

/** Passes requests on to the service after a delay, and remembers them. */
export class ServiceProxy {
  origin = ''
  readonly passed: Passed[] = []
  /** Milliseconds that each request takes longer. */
  delayMs = 0
  override: (request: Passed) => Override | undefined = () => undefined
  close: () => void = () => undefined

  static async to(service: string): Promise<ServiceProxy> {
    const proxy = new ServiceProxy()
    const { origin, close } = await startProxy(service, proxy.#handle)
    return Object.assign(proxy, { origin: localhostOf(origin), close })
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

  readonly #handle: Parameters<typeof startProxy>[1] = async ({ method = '', url = '', headers, body }, response) => {
    const isSearch = method === 'POST' && url.startsWith('/medical-db/')
    const q = isSearch ? String((JSON.parse(body.toString()) as { q: unknown }).q) : undefined
    const passed = { method, path: url, q, authorization: headers.authorization }
    this.passed.push(passed)
    const override = this.override(passed) ?? {}
    await sleep(this.delayMs + (override.delayMs ?? 0))
    const { answer, status = answer && 200 } = override
    if (override.breaks) response.destroy()
    else if (status === undefined) return 'pass'
    else {
      const all = {
        'Access-Control-Allow-Origin': headers.origin ?? '*',
        'Access-Control-Expose-Headers': 'Retry-After, X-Request-Id',
        'X-Request-Id': 'from-the-proxy',
        ...override.headers,
      }
      const body = answer ? { data: answer } : { message: 'Refused by the proxy.' }
      response.writeHead(status, all).end(JSON.stringify(body))
    }
    return 'none'
  }
}

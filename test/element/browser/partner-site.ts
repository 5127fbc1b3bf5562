/** A partner's site, on another origin than the service: pages, a backend for tokens, and the target of a form. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { partnerToken } from '../../../docs/partners.md?example=partner-token'
import { operator, service } from '../../console/browser/workspaces'
import { serve, startProxy } from '../../support/proxy.mjs'

interface Passed {
  method: string
  path: string
  /** The text that is searched for or was given up; undefined for other requests. */
  q: string | undefined
  authorization: string | undefined
}

/** How the proxy handles a request instead of the service. `delayMs` alone only adds a delay. */
interface Override {
  delayMs?: number
  status?: number
  headers?: Record<string, string>
  /** The connection breaks. */
  breaks?: boolean
  /** Path of a search. */
  answer?: object
}

/** Path to report searches that were given up. */
const MISSES = '/medical-db/v1/search/misses'

/** Browsers treat a page at this host as secure without https, and the service allows it as the origin of a page. */
const localhostOf = (origin: string): string => origin.replace('127.0.0.1', 'localhost')

/** Forwards requests of the pages to the service after a delay, and records them. */
async function newProxy() {
  const proxy = {
    passed: [] as Passed[],
    /** Additional milliseconds of each request. */
    delayMs: 0,
    override: (_: Passed): Override | undefined => undefined,
    get searches() {
      return proxy.passed.filter(({ path, q }) => path !== MISSES && q !== undefined)
    },
    /** Searches that were given up, as the element reports them. */
    get misses() {
      return proxy.passed.filter(({ method, path }) => method === 'POST' && path === MISSES)
    },
    get preflights() {
      return proxy.passed.filter(({ method }) => method === 'OPTIONS')
    },
    forget() {
      Object.assign(proxy, { passed: [], delayMs: 0, override: () => undefined })
    },
  }
  const { origin } = await startProxy(service().origin, async (request, response) => {
    const { method = '', url = '', headers, body } = request
    const hasText = method === 'POST' && url.startsWith('/medical-db/')
    const q = hasText ? String((JSON.parse(body.toString()) as { q: unknown }).q) : undefined
    const passed = { method, path: url, q, authorization: headers.authorization }
    proxy.passed.push(passed)
    const { delayMs = 0, breaks, answer, status = answer && 200, headers: more } = proxy.override(passed) ?? {}
    await sleep(proxy.delayMs + delayMs)
    if (breaks) response.destroy()
    else if (status === undefined) return 'pass'
    else {
      const all = {
        'Access-Control-Allow-Origin': headers.origin ?? '*',
        'Access-Control-Expose-Headers': 'Retry-After, X-Request-Id',
        'X-Request-Id': 'from-the-proxy',
        ...more,
      }
      response.writeHead(status, all)
      response.end(JSON.stringify(answer ? { data: answer } : { message: 'Refused by the proxy.' }))
    }
    return 'none'
  })
  return Object.assign(proxy, { origin: localhostOf(origin) })
}

/** A page of the site. */
export interface PartnerPage {
  /** Of the body. */
  html: string
  headers?: Record<string, string>
  /** Attributes of the element's script. */
  script?: string
  /** Of the head, before the element's script. */
  head?: string
}

/** Overrides of the token backend's response. */
interface Backend {
  /** Status of a rejection. */
  status?: number
  /** Instead of a token. */
  text?: string
  headers?: Record<string, string>
  /** The lifetime of a token, in seconds. */
  expiresIn?: number
}

export type PartnerSite = Awaited<ReturnType<typeof newPartnerSite>>

export async function newPartnerSite(workspaceId: string) {
  const proxy = await newProxy()
  let page: PartnerPage = { html: '' }
  const site = {
    proxy,
    origin: '',
    /** Another origin with the same backend. */
    otherOrigin: '',
    /** Forms that were sent, as text. */
    sent: [] as string[],
    /** Number of token requests to the backend. */
    tokens: 0,
    backend: {} as Backend,
    /** The cookies that the backend received last. */
    cookies: undefined as string | undefined,
    partnerToken: (): Promise<string> => partnerToken(credential, '+919800000001'),
    /** The page for the next visit of any path. */
    show(shown: PartnerPage) {
      page = shown
      proxy.forget()
      Object.assign(site, { sent: [], tokens: 0, backend: {} })
    },
  }
  const answerPage = (response: ServerResponse) => {
    const script = page.script ?? `src="${proxy.origin}/embed/v1/catalog-search.js"`
    const title = '<meta charset="utf-8"><title>Order</title><link rel="icon" href="data:,">'
    const head = `<head>${title}${page.head ?? ''}<script type="module" ${script}></script></head>`
    response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8', ...page.headers })
    response.end(`<!doctype html><html lang="en">${head}<body><main><h1>Order</h1>${page.html}</main></body></html>`)
  }
  const answerToken = async (request: IncomingMessage, response: ServerResponse) => {
    site.tokens++
    site.cookies = request.headers.cookie
    const { status, text, headers, expiresIn } = site.backend
    if (status !== undefined || text !== undefined) return response.writeHead(status ?? 200).end(text)
    // Bypasses the proxy, which counts the requests of the page.
    const answer = await fetch(`${service().origin}/api/v1/auth/session`, {
      method: 'POST',
      headers: { 'X-Auth-Token': await site.partnerToken(), 'Content-Type': 'application/json' },
      body: '{"scope":"search"}',
    })
    const grant = (await answer.json()) as Record<string, unknown>
    response.writeHead(answer.status, { 'Content-Type': 'application/json', ...headers })
    response.end(JSON.stringify({ ...grant, ...(expiresIn !== undefined && { expires_in: expiresIn }) }))
  }
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    if (request.url === '/catalog-token') await answerToken(request, response)
    else if (request.method === 'POST') {
      site.sent.push(await text(request))
      response.writeHead(200, { 'Content-Type': 'text/html' }).end('<title>Sent</title>')
    } else answerPage(response)
  }
  const servers = [await serve(answer), await serve(answer)]
  const [origin = '', otherOrigin = ''] = servers.map((server) => localhostOf(server.origin))
  const credential = await operator().post('/platform/v1/workspaces/{workspace_id}/partner-credentials', {
    params: { workspace_id: workspaceId },
    body: { issuer: 'https://partner.example', allowed_origins: [origin] },
  })
  return Object.assign(site, { origin, otherOrigin })
}

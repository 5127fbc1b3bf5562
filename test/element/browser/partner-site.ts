/** The site of a partner, on another origin than the service: pages, a backend for tokens, and a form's target. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { partnerToken } from '../../../docs/partners.md?example=partner-token'
import { operator, service } from '../../console/browser/workspaces'
import { serve } from '../../support/proxy.mjs'
import { localhostOf, ServiceProxy } from './proxy'

interface Credential {
  kid: string
  secret: string
  issuer: string
  audience: string
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

/** How the backend for tokens answers otherwise than it does. */
interface Backend {
  /** With which it refuses. */
  status?: number
  /** In place of a token. */
  text?: string
  headers?: Record<string, string>
  /** The life of a token, in seconds. */
  expiresIn?: number
}

export class PartnerSite {
  readonly origin: string
  /** Another origin with the same backend. */
  readonly otherOrigin: string
  readonly proxy: ServiceProxy
  /** Forms that were sent, as text. */
  readonly sent: string[] = []
  /** How often the backend was asked for a token. */
  tokens = 0
  backend: Backend = {}
  /** The cookies that the backend got last. */
  cookies: string | undefined
  #credential: Credential | undefined
  #page: PartnerPage = { html: '' }
  readonly #close: () => void

  private constructor([origin, otherOrigin]: [string, string], proxy: ServiceProxy, close: () => void) {
    this.origin = origin
    this.otherOrigin = otherOrigin
    this.proxy = proxy
    this.#close = close
  }

  static async of(workspaceId: string): Promise<PartnerSite> {
    const proxy = await ServiceProxy.to(service().origin)
    const answer = async (request: IncomingMessage, response: ServerResponse) => {
      if (request.url === '/catalog-token') await site.#answerToken(request, response)
      else if (request.method === 'POST') {
        site.sent.push(await text(request))
        response.writeHead(200, { 'Content-Type': 'text/html' }).end('<title>Sent</title>')
      } else site.#answerPage(response)
    }
    const [first, second] = [await serve(answer), await serve(answer)]
    const origins: [string, string] = [localhostOf(first.origin), localhostOf(second.origin)]
    const site: PartnerSite = new PartnerSite(origins, proxy, () => {
      for (const { close } of [first, second, proxy]) close()
    })
    site.#credential = await operator().post('/platform/v1/workspaces/{workspace_id}/partner-credentials', {
      params: { workspace_id: workspaceId },
      body: { issuer: 'https://partner.example', allowed_origins: [site.origin] },
    })
    return site
  }

  /** What the next visit of any address finds. */
  show(page: PartnerPage): void {
    this.#page = page
    this.proxy.forget()
    this.sent.length = 0
    this.tokens = 0
    this.backend = {}
  }

  close(): void {
    this.#close()
  }

  partnerToken(): Promise<string> {
    if (this.#credential === undefined) throw new Error('the site has no credential')
    return partnerToken(this.#credential, '+919800000001')
  }

  #answerPage(response: ServerResponse): void {
    const {
      html,
      headers = {},
      head = '',
      script = `src="${this.proxy.origin}/embed/v1/catalog-search.js"`,
    } = this.#page
    response
      .writeHead(200, { 'Content-Type': 'text/html; charset=utf-8', ...headers })
      .end(
        `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Order</title><link rel="icon" href="data:,">` +
          `${head}<script type="module" ${script}></script></head><body><main><h1>Order</h1>${html}</main></body></html>`,
      )
  }

  async #answerToken(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.tokens++
    this.cookies = request.headers.cookie
    const { status, text, headers, expiresIn } = this.backend
    if (status !== undefined || text !== undefined) {
      response.writeHead(status ?? 200).end(text)
      return
    }
    // Not through the proxy, which counts the requests of the page.
    const answer = await fetch(`${service().origin}/api/v1/auth/session`, {
      method: 'POST',
      headers: { 'X-Auth-Token': await this.partnerToken(), 'Content-Type': 'application/json' },
      body: '{"scope":"search"}',
    })
    const grant = (await answer.json()) as Record<string, unknown>
    const life = expiresIn === undefined ? {} : { expires_in: expiresIn }
    response.writeHead(answer.status, { 'Content-Type': 'application/json', ...headers })
    response.end(JSON.stringify({ ...grant, ...life }))
  }
}

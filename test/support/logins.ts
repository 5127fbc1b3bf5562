import { env } from 'cloudflare:workers'
import { base64url } from 'jose'
import { inject } from 'vitest'
import type { Role } from '#shared/access/caller'
import type { Env } from '#worker/env'
import service from '#worker/index'
import { createWorkspace } from './credentials'
import { addMember } from './members'
import { calling, type Fetch, jsonBody } from './service'

export const LOGIN = '/api/v1/auth/oidc/login'
export const CALLBACK = '/api/v1/auth/oidc/callback'
export const ALLOW = '/api/v1/auth/oidc/allow'
export const TOKEN = '/api/v1/auth/session/token'
export const LOGOUT = '/api/v1/auth/session/logout'

const bindingsFor = (provider: { issuer: string; client_id: string; client_secret: string }): Env => ({
  ...env,
  OIDC_ISSUER: provider.issuer,
  OIDC_CLIENT_ID: provider.client_id,
  OIDC_CLIENT_SECRET: provider.client_secret,
})

export const serviceWith = (bindings: Env): Fetch => calling(service, bindings as typeof env)

/** The service with the real provider. */
export const loginBindings = bindingsFor(inject('loginProvider'))
export const callLogin = serviceWith(loginBindings)

/** The service with the provider that signs any claims. */
export const callLenient = serviceWith(bindingsFor(inject('lenientProvider')))

/** The cookies of a browser at one host. */
export class CookieJar {
  readonly #cookies = new Map<string, string>()

  take(response: Response): void {
    for (const line of response.headers.getSetCookie()) {
      const [pair = '', ...attributes] = line.split(/; */)
      const [name = '', value = ''] = pair.split(/=(.*)/s)
      const gone = attributes.some((attribute) => /^(?:max-age=0|expires=Thu, 01 Jan 1970.*)$/i.test(attribute))
      if (gone) this.#cookies.delete(name)
      else this.#cookies.set(name, value)
    }
  }

  get header(): Record<string, string> {
    const text = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    return text === '' ? {} : { Cookie: text }
  }

  has = (name: string): boolean => this.#cookies.has(name)
}

/** Begins a login. `authorization` is the URL to which it sends the browser. */
export async function beginLogin(query: Record<string, string> = { return_to: '/docs' }, call: Fetch = callLogin) {
  const response = await call(`${LOGIN}?${new URLSearchParams(query)}`)
  if (response.status !== 302) throw new Error(`login: ${response.status} ${await response.text()}`)
  const jar = new CookieJar()
  jar.take(response)
  return { response, jar, authorization: new URL(response.headers.get('Location')!) }
}

/** Completes the provider's pages with an account, and returns the parameters with which it sends the browser back. */
export async function logInAtProvider(authorization: URL, account: string): Promise<string> {
  const jar = new CookieJar()
  let url = authorization
  let init: RequestInit = {}
  for (let step = 0; step < 8; step += 1) {
    const response = await fetch(url, { ...init, redirect: 'manual', headers: jar.header })
    jar.take(response)
    const location = response.headers.get('Location')
    if (location === null) {
      if (response.status !== 200) throw new Error(`provider: ${response.status} ${await response.text()}`)
      init = { method: 'POST', body: new URLSearchParams({ account }) }
    } else {
      url = new URL(location, url)
      init = {}
      if (url.pathname === CALLBACK) return url.search
    }
  }
  throw new Error('the provider does not come to an end')
}

export const callBack = (search: string, jar: CookieJar, call: Fetch = callLogin): Promise<Response> =>
  call(CALLBACK + search, { headers: jar.header })

/** A complete login. The jar contains the session's cookie, if there is one. */
export async function logIn(
  account: string,
  query?: Record<string, string>,
): Promise<{ response: Response; jar: CookieJar; search: string }> {
  const { jar, authorization } = await beginLogin(query)
  const search = await logInAtProvider(authorization, account)
  const response = await callBack(search, jar)
  jar.take(response)
  if (query?.code_challenge === undefined) return { response, jar, search }
  // The page on which a user allows a command-line client to log in.
  if (response.status !== 200) throw new Error(`callback: ${response.status} ${await response.text()}`)
  const allowed = await postAsPage(ALLOW, jar)
  jar.take(allowed)
  return { response: allowed, jar, search }
}

/** Headers of a POST from a page of the service. */
export const SAME_ORIGIN = { Origin: env.ISSUER, 'Sec-Fetch-Site': 'same-origin' }

/** Posts to an endpoint of the session as a page of the service. */
export const postAsPage = (path: string, jar: CookieJar, body?: unknown): Promise<Response> => {
  const headers = { ...SAME_ORIGIN, ...jar.header }
  return callLogin(path, { method: 'POST', ...(body === undefined ? { headers } : jsonBody(body, headers)) })
}

export async function workspaceOf(email: string, role: Role = 'admin'): Promise<string> {
  const workspaceId = await createWorkspace()
  await addMember(workspaceId, role, email)
  return workspaceId
}

/** The parameters of a callback for which the lenient provider signs an ID token with these claims. */
export function lenientAnswer(authorization: URL, claims: Record<string, unknown> = {}, forged = false): string {
  const nonce = authorization.searchParams.get('nonce')
  const code = base64url.encode(JSON.stringify({ claims: { nonce, ...claims }, forged }))
  return `?${new URLSearchParams({ code, state: authorization.searchParams.get('state')! })}`
}

import type { z } from 'zod'
import type { loginTokenResponseSchema, loginWorkspacesSchema } from '../../../login/schemas'
import { refusalOf, ServiceError, unreachable } from './service-error'

/** What the service says of the person who is logged in: an access token, and what it is good for. */
export type Login = z.output<typeof loginTokenResponseSchema>

type Workspaces = z.output<typeof loginWorkspacesSchema>
export type Workspace = Workspaces['items'][number]

/** A token is replaced this long before it ends, in milliseconds: a large upload takes a while. */
const RENEWAL_MARGIN_MS = 5 * 60 * 1000

/** @returns the text of the answer. @throws ServiceError */
async function call(method: 'GET' | 'POST', path: string, body?: unknown): Promise<string> {
  let response: Response
  try {
    response = await fetch(`/api/v1/auth/session/${path}`, {
      method,
      ...(body === undefined
        ? {}
        : { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }),
    })
  } catch {
    throw unreachable()
  }
  const text = await response.text()
  if (!response.ok) throw refusalOf(response.status, text, response.headers.get('X-Request-Id'))
  return text
}

/**
 * Exchanges the browser's session for an access token.
 *
 * @param workspaceId left out by members of a single workspace
 * @throws ServiceError 401 where nobody is logged in, 403 for somebody who is no member, 404 where there is no login
 */
export const logIn = async (workspaceId: string | undefined): Promise<Login> =>
  JSON.parse(
    await call('POST', 'token', workspaceId === undefined ? undefined : { workspace_id: workspaceId }),
  )

/** The workspaces of the person who is logged in, for one who has several. */
export async function workspacesOfLogin(): Promise<readonly Workspace[]> {
  return (JSON.parse(await call('GET', 'workspaces')) as { data: Workspaces }).data.items
}

/** Ends the browser's session. */
export const logOut = async (): Promise<void> => {
  await call('POST', 'logout')
}

/** Where a login begins that leads back to the page that is shown. */
export const loginAddress = (): string =>
  `/api/v1/auth/oidc/login?return_to=${encodeURIComponent(location.pathname + location.search)}`

/**
 * The access token of a login, held in memory alone and renewed while the browser's session lasts.
 */
export class Access {
  readonly workspaceId: string
  #token: string
  #endsAt: number
  #renewal: Promise<string> | undefined
  readonly #onEnd: () => void

  /** @param onEnd called when the browser's session has ended */
  constructor(login: Login, onEnd: () => void) {
    this.workspaceId = login.workspace_id
    this.#token = login.access_token
    this.#endsAt = Date.now() + login.expires_in * 1000
    this.#onEnd = onEnd
  }

  /** @throws ServiceError as `logIn` */
  async token(): Promise<string> {
    return Date.now() < this.#endsAt - RENEWAL_MARGIN_MS ? this.#token : this.renew()
  }

  /** A new token; several requests that need one at once share it. */
  renew(): Promise<string> {
    this.#renewal ??= this.#renew().finally(() => {
      this.#renewal = undefined
    })
    return this.#renewal
  }

  async #renew(): Promise<string> {
    try {
      const login = await logIn(this.workspaceId)
      this.#token = login.access_token
      this.#endsAt = Date.now() + login.expires_in * 1000
      return this.#token
    } catch (error) {
      if (error instanceof ServiceError && error.status === 401) this.#onEnd()
      throw error
    }
  }
}

import type { z } from 'zod'
import { MAX_RETURN_TO_LENGTH } from '#limits'
import type { loginTokenResponseSchema, loginWorkspacesSchema } from '#login/schemas'
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

/** The page that is shown, or as much of its address as a login can lead back to; undefined for the first page. */
const returnTo = (): string | undefined =>
  [location.pathname + location.search, location.pathname].find(
    (address) => address.length <= MAX_RETURN_TO_LENGTH,
  )

/**
 * Where a login begins that leads back to the page that is shown.
 *
 * @param chooseAccount whether the provider asks who logs in, even where it knows somebody
 */
export function loginAddress({ chooseAccount = false }: { chooseAccount?: boolean } = {}): string {
  const parameters = new URLSearchParams()
  const address = returnTo()
  if (address !== undefined) parameters.set('return_to', address)
  if (chooseAccount) parameters.set('prompt', 'select_account')
  return `/api/v1/auth/oidc/login?${parameters}`
}

/** Is told what becomes of a login. */
export interface AccessWatcher {
  /** The browser's session has ended. */
  onEnd(): void
  /** The same person has logged in again. */
  onResumed(): void
  /** Somebody else is logged in now, or the same person with other rights. */
  onReplaced(): void
}

/** What must be the same for a token to take the place of another one. */
const isSameLogin = (one: Login, other: Login): boolean =>
  one.email === other.email &&
  one.workspace_id === other.workspace_id &&
  one.role === other.role &&
  one.scope === other.scope

/**
 * The access token of a login, held in memory alone and renewed while the browser's session lasts. The session is that
 * of all windows: another one may have logged in somebody else, whose token is never used for what this one is showing.
 */
export class Access {
  readonly #login: Login
  #token: string
  #endsAt: number
  #renewal: Promise<string> | undefined
  #hasEnded = false
  /** Set once the login has been replaced: it is never good again. */
  #replacement: ServiceError | undefined
  #watcher: AccessWatcher | undefined

  constructor(login: Login) {
    this.#login = login
    this.#token = login.access_token
    this.#endsAt = Date.now() + login.expires_in * 1000
  }

  /** @returns ends the watch */
  watch(watcher: AccessWatcher): () => void {
    this.#watcher = watcher
    return () => {
      this.#watcher = undefined
    }
  }

  /** @throws ServiceError as `renew` */
  async token(): Promise<string> {
    if (this.#replacement !== undefined) throw this.#replacement
    return Date.now() < this.#endsAt - RENEWAL_MARGIN_MS ? this.#token : this.renew()
  }

  /**
   * A new token of the same login; several requests that need one at once share it.
   *
   * @throws ServiceError as `logIn`, and 401 where somebody else is logged in, or the same person with other rights
   */
  renew(): Promise<string> {
    this.#renewal ??= this.#renew().finally(() => {
      this.#renewal = undefined
    })
    return this.#renewal
  }

  async #renew(): Promise<string> {
    if (this.#replacement !== undefined) throw this.#replacement
    const login = await logIn(this.#login.workspace_id).catch((error: unknown) => this.#refuse(error))
    if (!isSameLogin(login, this.#login)) {
      throw this.#replaceBy(new ServiceError('The login has changed. Nothing was sent.', 401))
    }
    this.#token = login.access_token
    this.#endsAt = Date.now() + login.expires_in * 1000
    if (this.#hasEnded) {
      this.#hasEnded = false
      this.#watcher?.onResumed()
    }
    return this.#token
  }

  /** @throws what it is given */
  #refuse(error: unknown): never {
    if (error instanceof ServiceError && error.status === 401) {
      this.#hasEnded = true
      this.#watcher?.onEnd()
    }
    // Whoever is logged in is no member of this workspace, or not any more.
    if (error instanceof ServiceError && error.status === 403) this.#replaceBy(error)
    throw error
  }

  #replaceBy(error: ServiceError): ServiceError {
    this.#replacement = error
    this.#watcher?.onReplaced()
    return error
  }
}

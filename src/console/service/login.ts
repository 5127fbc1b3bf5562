import type { Data } from '#client/api'
import { ServiceClient } from '#client/client'
import { hasStatus, ServiceError } from '#client/service-error'
import { RenewedToken, type TokenSource } from '#client/token-source'
import { MAX_RETURN_TO_LENGTH } from '#shared/limits'

/** A user's login: an access token and its permissions. */
export type Login = Data<'post', '/api/v1/auth/session/token'>

export type Workspace = Login['workspaces'][number]

/** Sends requests with only the browser's session cookie. */
const visitor = new ServiceClient()

/**
 * Exchanges the browser's session for an access token.
 *
 * @param workspaceId omitted by members of a single workspace
 * @throws ServiceError 401 if no one is logged in, 403 if the user is not a member, 404 if login is not configured
 */
export const logIn = (workspaceId: string | undefined): Promise<Login> =>
  visitor.post('/api/v1/auth/session/token', { body: { workspace_id: workspaceId } })

/** The workspaces of the logged-in user. */
export async function workspacesOfLogin(): Promise<readonly Workspace[]> {
  return (await visitor.get('/api/v1/auth/session/workspaces')).items
}

/** Ends the browser's session, in all of its windows. */
export const logOut = async (): Promise<void> => {
  await visitor.post('/api/v1/auth/session/logout')
}

/** The current page's URL, or the part that a login can return to; undefined for the first page. */
const returnTo = (): string | undefined =>
  [location.pathname + location.search, location.pathname].find((address) => address.length <= MAX_RETURN_TO_LENGTH)

/** The URL that starts a login and returns to this page. @param chooseAccount even if someone is logged in there */
export function loginAddress({ chooseAccount = false }: { chooseAccount?: boolean } = {}): string {
  const parameters = new URLSearchParams()
  const address = returnTo()
  if (address !== undefined) parameters.set('return_to', address)
  if (chooseAccount) parameters.set('prompt', 'select_account')
  return `/api/v1/auth/oidc/login?${parameters}`
}

/** Is notified of changes of a login. */
interface LoginWatcher {
  onEnd(): void
  onResumed(): void
  /** A different user is logged in now, or the same user with other permissions. */
  onReplaced(): void
}

/** Whether a new token has the same user, workspace, role and permissions. */
const isSameLogin = (one: Login, other: Login): boolean =>
  one.email === other.email &&
  one.workspace_id === other.workspace_id &&
  one.role === other.role &&
  one.scope === other.scope

/**
 * The access token of a login, renewed while the browser's session lasts. All windows share that session: another
 * window may have logged in a different user, whose token must not be used for this window's content.
 */
export class LoginToken implements TokenSource {
  readonly #login: Login
  readonly #token: RenewedToken
  #hasEnded = false
  /** Set when a different login has replaced this one. It then returns no more tokens. */
  #replacement: ServiceError | undefined
  #watcher: LoginWatcher | undefined

  constructor(login: Login) {
    this.#login = login
    this.#token = new RenewedToken(() => this.#obtain(), login)
  }

  /** @returns a function that unsubscribes */
  watch(watcher: LoginWatcher): () => void {
    this.#watcher = watcher
    return () => {
      this.#watcher = undefined
    }
  }

  /** @throws ServiceError as `resume` */
  async token(): Promise<string> {
    if (this.#replacement !== undefined) throw this.#replacement
    return this.#token.token()
  }

  /** @throws ServiceError as `resume` */
  renew(refusedToken: string): Promise<string> {
    return this.#token.renew(refusedToken)
  }

  /**
   * Gets a new token of the same login.
   *
   * @throws ServiceError as `logIn`, and 401 if a different user is logged in, or the same user with other permissions
   */
  async resume(): Promise<void> {
    await this.#token.replace()
  }

  async #obtain(): Promise<Login> {
    if (this.#replacement !== undefined) throw this.#replacement
    const login = await logIn(this.#login.workspace_id).catch((error: unknown) => this.#refuse(error))
    if (!isSameLogin(login, this.#login)) {
      throw this.#replaceBy(new ServiceError('The login has changed. Nothing was sent.', { status: 401 }))
    }
    if (this.#hasEnded) {
      this.#hasEnded = false
      this.#watcher?.onResumed()
    }
    return login
  }

  #refuse(error: unknown): never {
    if (hasStatus(error, 401)) {
      this.#hasEnded = true
      this.#watcher?.onEnd()
    }
    // The logged-in user is not, or no longer, a member of this workspace.
    if (hasStatus(error, 403)) this.#replaceBy(error)
    throw error
  }

  #replaceBy(error: ServiceError): ServiceError {
    this.#replacement = error
    this.#watcher?.onReplaced()
    return error
  }
}

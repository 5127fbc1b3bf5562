import type { Data } from '#client/api'
import { ServiceClient } from '#client/client'
import { hasStatus, ServiceError } from '#client/service-error'
import { RenewedToken, type TokenSource } from '#client/token-source'
import { MAX_RETURN_TO_LENGTH } from '#shared/limits'

/** The login of a person: an access token, and what it permits. */
export type Login = Data<'post', '/api/v1/auth/session/token'>

export type Workspace = Login['workspaces'][number]

/** For calls that need only the browser's session cookie. */
const visitor = new ServiceClient()

/**
 * Exchanges the browser's session for an access token.
 *
 * @param workspaceId left out by members of a single workspace
 * @throws ServiceError 401 when nobody is logged in, 403 for a person who is no member, 404 if there is no login
 */
export const logIn = (workspaceId: string | undefined): Promise<Login> =>
  visitor.post('/api/v1/auth/session/token', { body: { workspace_id: workspaceId } })

/** The workspaces of the person who is logged in. */
export async function workspacesOfLogin(): Promise<readonly Workspace[]> {
  return (await visitor.get('/api/v1/auth/session/workspaces')).items
}

/** Ends the browser's session, in all of its windows. */
export const logOut = async (): Promise<void> => {
  await visitor.post('/api/v1/auth/session/logout')
}

/** The page that is shown, or as much of its address as a login can lead back to; undefined for the first page. */
const returnTo = (): string | undefined =>
  [location.pathname + location.search, location.pathname].find((address) => address.length <= MAX_RETURN_TO_LENGTH)

/** Where a login begins that leads back to this page. @param chooseAccount even if the provider knows somebody */
export function loginAddress({ chooseAccount = false }: { chooseAccount?: boolean } = {}): string {
  const parameters = new URLSearchParams()
  const address = returnTo()
  if (address !== undefined) parameters.set('return_to', address)
  if (chooseAccount) parameters.set('prompt', 'select_account')
  return `/api/v1/auth/oidc/login?${parameters}`
}

/** Is told what happens to a login. */
interface LoginWatcher {
  onEnd(): void
  onResumed(): void
  /** Another person is logged in now, or the same person with other rights. */
  onReplaced(): void
}

/** Whether a new token belongs to the same person, workspace, role and rights. */
const isSameLogin = (one: Login, other: Login): boolean =>
  one.email === other.email &&
  one.workspace_id === other.workspace_id &&
  one.role === other.role &&
  one.scope === other.scope

/**
 * The access token of a login, renewed while the browser's session lasts. All windows share that session: another
 * window may have logged in another person, whose token must not be used for what this window shows.
 */
export class LoginToken implements TokenSource {
  readonly #login: Login
  readonly #token: RenewedToken
  #hasEnded = false
  /** Set once another login has taken its place. Then no token is given any more. */
  #replacement: ServiceError | undefined
  #watcher: LoginWatcher | undefined

  constructor(login: Login) {
    this.#login = login
    this.#token = new RenewedToken(() => this.#obtain(), login)
  }

  /** @returns ends the watch */
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
   * Asks for a new token of the same login.
   *
   * @throws ServiceError as `logIn`, and 401 when another person is logged in, or the same person with other rights
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
    // The person who is logged in is no member of this workspace, or not any more.
    if (hasStatus(error, 403)) this.#replaceBy(error)
    throw error
  }

  #replaceBy(error: ServiceError): ServiceError {
    this.#replacement = error
    this.#watcher?.onReplaced()
    return error
  }
}

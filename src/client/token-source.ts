/** Where a client gets its access tokens from. */
export interface TokenSource {
  /** A token that is valid for some time. */
  token(): Promise<string>
  /**
   * A new token, after the service has refused one: it may end early when a role changes or a key is revoked. Without
   * it the refusal is thrown.
   */
  renew?(refused: string): Promise<string>
}

/** The part of a token endpoint's answer that is used here. */
export interface GrantedToken {
  access_token: string
  /** Seconds. */
  expires_in: number
}

/** A token is used for this share of its life: a large upload takes a while. */
const USED_SHARE = 0.8

/**
 * A token that is held in memory and renewed before it ends. Calls that need a new token at the same time share one.
 */
export class RenewedToken implements TokenSource {
  readonly #obtain: () => Promise<GrantedToken>
  #token = ''
  /** Milliseconds since 1970. */
  #usableUntil = 0
  #renewal: Promise<string> | undefined

  /** @param first a token that is already known */
  constructor(obtain: () => Promise<GrantedToken>, first?: GrantedToken) {
    this.#obtain = obtain
    if (first !== undefined) this.#keep(first)
  }

  async token(): Promise<string> {
    return Date.now() < this.#usableUntil ? this.#token : this.replace()
  }

  async renew(refused: string): Promise<string> {
    // Another call may have renewed it in the meantime.
    return this.#token === refused ? this.replace() : this.token()
  }

  /** Asks for a new token, even if the present one is still valid. */
  replace(): Promise<string> {
    this.#renewal ??= this.#obtain()
      .then((grant) => this.#keep(grant))
      .finally(() => {
        this.#renewal = undefined
      })
    return this.#renewal
  }

  #keep({ access_token, expires_in }: GrantedToken): string {
    this.#token = access_token
    this.#usableUntil = Date.now() + expires_in * 1000 * USED_SHARE
    return access_token
  }
}

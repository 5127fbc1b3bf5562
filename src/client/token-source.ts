/** Where a client gets its access tokens from. */
export interface TokenSource {
  /** A token that is good for a while. */
  token(): Promise<string>
  /**
   * Another token, after the service has refused one: it may end before its time when a role changes or a key is revoked.
   *
   * @param refused the token that was refused
   */
  renew(refused: string): Promise<string>
}

/** What the token endpoints answer, as far as it matters here. */
export interface Grant {
  access_token: string
  /** Seconds. */
  expires_in: number
}

interface Held {
  token: string
  /** Milliseconds since 1970. */
  goodUntil: number
}

/** A token is replaced this long before it ends, in milliseconds: a large upload takes a while. */
const MARGIN_MS = 5 * 60 * 1000

/** Of a token with a short life, at most this share is given up for the margin. */
const MARGIN_SHARE = 0.2

const heldOf = ({ access_token, expires_in }: Grant): Held => {
  const lifetime = expires_in * 1000
  return {
    token: access_token,
    goodUntil: Date.now() + lifetime - Math.min(MARGIN_MS, lifetime * MARGIN_SHARE),
  }
}

/** A token that is held in memory and renewed before it ends. Calls that need a new one at once share it. */
export class RenewedToken implements TokenSource {
  readonly #obtain: () => Promise<Grant>
  #held: Held | undefined
  #renewal: Promise<string> | undefined

  /**
   * @param obtain asks for a token; what it throws is thrown by the call that needs one
   * @param first a token that is there already
   */
  constructor(obtain: () => Promise<Grant>, first?: Grant) {
    this.#obtain = obtain
    this.#held = first && heldOf(first)
  }

  async token(): Promise<string> {
    return this.#held !== undefined && Date.now() < this.#held.goodUntil ? this.#held.token : this.replace()
  }

  async renew(refused: string): Promise<string> {
    // Another call has renewed it in the meantime.
    if (this.#held !== undefined && this.#held.token !== refused) return this.#held.token
    return this.replace()
  }

  /** Asks for a new token, whatever the present one is good for. */
  replace(): Promise<string> {
    this.#renewal ??= this.#obtain()
      .then((grant) => {
        this.#held = heldOf(grant)
        return this.#held.token
      })
      .finally(() => {
        this.#renewal = undefined
      })
    return this.#renewal
  }
}

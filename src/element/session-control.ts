import type { AuthToken } from '#client/element'
import type { FoundRecord } from '#client/found-record'
import { type Failure, failureOf } from './failure'
import { controls, FormControl } from './form-control'
import { FOLLOW_MS } from './limits'
import type { TextName } from './texts'
import { replaceFunction, type Session, sessionOf } from './tokens'

/** Properties that the page may have set before this script was loaded. */
const PROPERTIES = ['type', 'name', 'required', 'disabled', 'authToken', 'value'] as const

/** A form field whose value is a catalog record. It reads the catalog with the token that the page provides. */
export abstract class SessionControl extends FormControl {
  #authToken: AuthToken | undefined
  /** The ID that the page set last. */
  protected given = ''

  static {
    setInterval(() => {
      for (const control of controls) control.follow()
    }, FOLLOW_MS)
    addEventListener('online', () => {
      for (const control of controls) control.tryAgain()
    })
  }

  /** Ends the choice. @param reason message that explains why the text is no choice */
  protected abstract drop(reason: TextName): void

  /** Shows what is chosen, or that nothing is, after the page set an ID. */
  protected abstract settle(): void

  abstract onFailure(failure: Failure): void

  /** The id of the chosen record that the box shows; empty if none is. */
  get value(): string {
    return this.choice.id
  }

  /** @param id of the record whose name the page has put into the input, or puts there before its script ends */
  set value(id: string | null | undefined) {
    this.given = String(id ?? '')
    // A page that clears its ID on `catalog-clear` must not clear the message that explains why the choice ended.
    if (!this.choice.forget() && !this.given) return
    this.choice.setId(this.given)
    this.settle()
  }

  /** The chosen record with its `source`. Null if there is none, or until it was looked up. */
  get record(): FoundRecord | null {
    return this.choice.record
  }

  /** A partner token, or a function that returns a token for each renewal. Replacing a function keeps the session. */
  get authToken(): AuthToken | null {
    return this.#authToken ?? this.getAttribute('auth-token')
  }

  set authToken(token: AuthToken | null) {
    replaceFunction(this.#authToken, token)
    this.#authToken = token ?? undefined
    this.takeToken()
  }

  override connectedCallback(): void {
    for (const name of PROPERTIES) {
      const { [name]: value } = this
      if (Object.hasOwn(this, name) && Reflect.deleteProperty(this, name)) Object.assign(this, { [name]: value })
    }
    super.connectedCallback()
  }

  get type(): string {
    return this.getAttribute('type') ?? ''
  }

  /** Frameworks set a property if there is one. */
  set type(type: string) {
    this.setAttribute('type', type)
  }

  get session(): Session {
    return sessionOf(this.authToken, this.getAttribute('token-url'), this.getAttribute('token-credentials'))
  }

  /** Continues with a different token. A partner token is exchanged immediately, because it expires soon. */
  protected takeToken(): void {
    if (!this.isConnected) return
    if (typeof this.authToken === 'string')
      this.session.tokens.token().catch((error) => {
        const failure = failureOf(error)
        // The first search retries, and reports any other failure.
        if (!failure.retryMs) this.onFailure(failure)
      })
    this.tryAgain()
  }

  /** Remembers which catalog is searched. In a different catalog, the same ID is a different record. */
  protected keepSource(source: string): void {
    const { session, type } = this
    session.sources.set(type, source)
    for (const control of controls)
      if (
        control instanceof SessionControl &&
        control.type === type &&
        control.session === session &&
        (control.record?.source ?? source) !== source
      )
        control.drop('moved')
  }

  protected dispatch(name: string, detail: unknown): void {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }))
  }
}

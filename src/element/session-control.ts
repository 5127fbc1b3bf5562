import type { AuthToken } from '#client/element'
import type { FoundRecord } from '#client/found-record'
import { type Failure, failureOf } from './failure'
import { controls, FormControl } from './form-control'
import { FOLLOW_MS } from './limits'
import type { TextName } from './texts'
import { replaceFunction, type Session, sessionOf } from './tokens'

/** Properties that the page may have set before this script was there. */
const PROPERTIES = ['type', 'name', 'required', 'disabled', 'authToken', 'value'] as const

/** A field whose value is a record of a catalog, which it may read with the token that the page gives it. */
export abstract class SessionControl extends FormControl {
  #authToken: AuthToken | undefined
  /** The id that the page has set last. */
  protected given = ''

  static {
    setInterval(() => {
      for (const control of controls) control.follow()
    }, FOLLOW_MS)
    addEventListener('online', () => {
      for (const control of controls) control.tryAgain()
    })
  }

  /** Takes the choice back. @param reason why the text is no choice */
  protected abstract drop(reason: TextName): void

  /** Says what is chosen, or that nothing is, after the page has set something. */
  protected abstract settle(): void

  abstract onFailure(failure: Failure): void

  /** The id of the chosen record that the box shows; empty if none is. */
  get value(): string {
    return this.choice.id
  }

  /** @param id of the record whose name the page has put into the input, or puts there before its script ends */
  set value(id: string | null | undefined) {
    this.given = String(id ?? '')
    // A page that hears of the end of a choice ends it too: the box goes on saying why it has ended.
    if (!this.choice.forget() && !this.given) return
    this.choice.setId(this.given)
    this.settle()
  }

  /** The chosen record, with the `source` that it is of; null if none is, or as long as it is not looked up. */
  get record(): FoundRecord | null {
    return this.choice.record
  }

  /** A partner token, or a function that gets a token for each renewal. A function after another keeps the session. */
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

  /** Frameworks set what is a property. */
  set type(type: string) {
    this.setAttribute('type', type)
  }

  get session(): Session {
    return sessionOf(this.authToken, this.getAttribute('token-url'), this.getAttribute('token-credentials'))
  }

  /** Goes on with another token. A partner token is exchanged at once, because it soon ends. */
  protected takeToken(): void {
    if (!this.isConnected) return
    if (typeof this.authToken === 'string')
      this.session.tokens.token().catch((error) => {
        const failure = failureOf(error)
        // Another one is told by the first search, which tries again.
        if (!failure.retryMs) this.onFailure(failure)
      })
    this.tryAgain()
  }

  /** Keeps which catalog answers. A choice from another one is another record there. */
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

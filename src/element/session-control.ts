import type { AuthToken } from '#client/element'
import type { FoundRecord } from '#client/found-record'
import { type Failure, failureOf } from './failure'
import { controls, FormControl } from './form-control'
import type { TextName } from './texts'
import { replaceFunction, type Session, sessionOf } from './tokens'

/** Properties that the page may have set before this script was there. */
const PROPERTIES = ['type', 'name', 'required', 'disabled', 'authToken', 'value'] as const

/** How often to look whether the page has changed the text, in milliseconds: no event tells it. */
const FOLLOW_MS = 250

/** A field whose value is a record of a catalog, which it may read with the token that the page gives it. */
export abstract class SessionControl extends FormControl {
  #authToken: AuthToken | undefined

  static {
    setInterval(() => {
      for (const control of SessionControl.#all) control.follow()
    }, FOLLOW_MS)
    addEventListener('online', () => {
      for (const control of SessionControl.#all) control.tryAgain()
    })
  }

  static get #all(): SessionControl[] {
    return [...controls].filter((control) => control instanceof SessionControl)
  }

  /** Takes the choice back. @param reason why the text is no choice */
  protected abstract drop(reason: TextName): void

  /** Says what is chosen, or that nothing is, after the page has set something. */
  protected abstract settle(): void

  /** Goes on after a failure. */
  protected abstract tryAgain(): void

  /** @param isNew false if nothing was sent because the box still has to wait */
  protected abstract onFailure(failure: Failure, isNew: boolean): void

  /** The id of the chosen record that the box shows; empty if none is. */
  get value(): string {
    return this.choice.id
  }

  /** @param id of the record whose name the page has put into the input, or puts there before its script ends */
  set value(id: string | null | undefined) {
    this.choice.setId(String(id ?? ''))
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

  protected get session(): Session {
    return sessionOf(this.authToken, this.getAttribute('token-url'), this.getAttribute('token-credentials'))
  }

  /** Goes on with another token. A partner token is exchanged at once, because it soon ends. */
  protected takeToken(): void {
    if (!this.isConnected) return
    if (typeof this.authToken === 'string')
      this.session.tokens.token().catch((error) => {
        const failure = failureOf(error)
        // Another one is told by the first search, which tries again.
        if (!failure.retryMs) this.onFailure(failure, true)
      })
    this.tryAgain()
  }

  /** Keeps which catalog answers. A choice from another one is another record there. */
  protected keepSource(source: string): void {
    const { session, type } = this
    session.sources.set(type, source)
    for (const control of SessionControl.#all)
      if (control.type === type && control.session === session && (control.record?.source ?? source) !== source)
        control.drop('moved')
  }

  protected dispatch(name: string, detail: unknown): void {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }))
  }
}

import type { Failure } from './failure'
import { FormValue } from './form-value'
import { keyAction } from './keys'
import { List } from './list'
import { Popup } from './popup'
import { type Answer, type FoundRecord, nameOf, textOf } from './rows'
import { Search } from './search'
import { styleTreeOf } from './style'
import { textsOf } from './texts'
import { type AuthToken, sessionOf } from './tokens'

/**
 * `<catalog-search>`: makes the input that it holds a search box for one type of record. The input, its label and the
 * form stay those of the page. See docs/partners.md.
 */
export class CatalogSearch extends HTMLElement {
  static readonly observedAttributes = ['name', 'type', 'value', 'auth-token', 'token-url']

  readonly #texts = textsOf(this)
  readonly #list = new List(this.#texts)
  readonly #popup = new Popup(this.#list)
  readonly #value = new FormValue(
    () => this.#texts('choose'),
    () => this.#followPage(),
  )
  readonly #search = new Search({
    query: () => ({ type: this.getAttribute('type'), offset: this.#list.count }),
    session: () => this.#session(),
    onAnswer: (answer, q) => this.#onAnswer(answer, q),
    onSlow: () => this.#list.say(this.#texts('slow')),
    onFailure: (failure, isNew) => this.#onFailure(failure, isNew),
  })
  /** Aborts what listens while the element is in the page. */
  #connected: AbortController | undefined
  /** Aborts what listens to the input. */
  #adopted: AbortController | undefined
  #authToken: AuthToken | undefined
  /** The text of the newest search. */
  #q: string | undefined
  #failure: Failure | undefined

  /** The id of the chosen record that the box shows; empty if none is. */
  get value(): string {
    return this.#value.id
  }

  /** @param id of the record whose name the page has put into the input, or puts there before its script ends */
  set value(id: string | null | undefined) {
    this.#value.setId(String(id ?? ''))
  }

  /** The chosen record; null if none is, or if it came with the page. */
  get record(): FoundRecord | null {
    return this.#value.record
  }

  /** A partner token, or a function that gets a token for each renewal. */
  get authToken(): AuthToken | null {
    return this.#authToken ?? this.getAttribute('auth-token')
  }

  set authToken(token: AuthToken | null) {
    this.#authToken = token ?? undefined
    this.#tryAgain()
  }

  connectedCallback(): void {
    // The page may have set properties before this script was there.
    for (const name of ['authToken', 'value'] as const) {
      const { [name]: value } = this
      if (Reflect.ownKeys(this).includes(name) && Reflect.deleteProperty(this, name))
        Object.assign(this, { [name]: value })
    }
    styleTreeOf(this)
    this.#connected = new AbortController()
    const { signal } = this.#connected
    const observer = new MutationObserver(() => this.#adopt())
    observer.observe(this, { childList: true, subtree: true })
    signal.addEventListener('abort', () => observer.disconnect())
    addEventListener('online', () => this.#tryAgain(), { signal })
    // The form is in the same tree, which may be a shadow tree. Before anything of the page sees the event.
    for (const name of ['click', 'submit', 'formdata', 'reset'])
      this.getRootNode().addEventListener(name, (event) => this.#onFormEvent(event), { capture: true, signal })
    this.#adopt()
  }

  disconnectedCallback(): void {
    this.#search.stop()
    this.#connected?.abort()
    this.#release()
  }

  attributeChangedCallback(name: string, old: string | null, now: string | null): void {
    if (name === 'name') this.#value.hidden.name = now ?? ''
    else if (name === 'value') this.value = now
    // A record of another type is no choice any more.
    else if (name === 'type' && old !== null && old !== now) this.clear()
    else this.#tryAgain()
  }

  override focus(options?: FocusOptions): void {
    this.#value.input?.focus(options)
  }

  /** Empties the box. */
  clear(): void {
    this.#value.empty()
    this.#forgetChoice()
    this.#rest()
  }

  #onAnswer(answer: Answer, q: string): void {
    // The page has changed the text itself.
    if (q !== this.#value.text) return
    this.#failure = undefined
    const isNext = this.#list.count > 0
    this.#list.say(this.#list.add(this.getAttribute('type') ?? '', q, answer))
    const isThere = this.#value.input?.matches(':focus') === true
    if (isThere && this.#list.count > 0) this.#popup.open(isNext ? this.#list.optionWith(answer.items[0]) : undefined)
    else this.#popup.close()
    this.#popup.refuseClicks('new')
    if (!isThere) this.#remind()
  }

  #onFailure(failure: Failure, isNew: boolean): void {
    this.#failure = failure
    this.#popup.close()
    this.#list.say(this.#texts(failure.kind))
    if (!isNew) return
    const { message, status, requestId } = failure
    this.#dispatch('catalog-error', { message, status, requestId })
  }

  #session() {
    return sessionOf(this.authToken, this.getAttribute('token-url'), this.getAttribute('token-credentials'))
  }

  #dispatch(name: string, detail: unknown): void {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }))
  }

  /** Takes the input of the page, also one that comes later or replaces another one. */
  #adopt(): void {
    const input = this.querySelector<HTMLInputElement>('input:not([type="hidden"])')
    if (input === null || input === this.#value.input) return
    this.#release()
    this.#adopted = new AbortController()
    const { signal } = this.#adopted
    const { hidden } = this.#value
    this.append(this.#list.status, this.#list.popup, hidden)
    this.#value.attach(input, this.#list.status.id, signal)
    if (this.hasAttribute('required')) input.required = true
    this.#popup.attach(input)
    this.#listen(input, signal)
  }

  #release(): void {
    this.#adopted?.abort()
    this.#popup.release()
    this.#value.release()
  }

  #listen(input: HTMLInputElement, signal: AbortSignal): void {
    input.addEventListener('input', () => this.#onInput(), { signal })
    input.addEventListener('keydown', (event) => this.#onKey(event), { signal })
    input.addEventListener('click', () => this.#reopen(), { signal })
    // Gets a token before the first search needs it. If that fails, the first search says so.
    input.addEventListener(
      'focus',
      () =>
        this.#session()
          .token()
          .catch(() => undefined),
      { signal },
    )
    const leave = () => {
      this.#popup.close()
      this.#followPage()
      this.#remind()
    }
    input.addEventListener('blur', leave, { signal })
    this.#list.box.addEventListener('click', ({ target }) => this.#commit(target), { signal })
  }

  #onKey(event: KeyboardEvent): void {
    const action = keyAction(event, this.#popup, this.#value.isUnchosen)
    if (action === 'choose') this.#commit(this.#popup.active)
    else if (action === 'remind') this.#remind()
    else if (action === 'reopen') this.#reopen()
  }

  #onInput(): void {
    // A choice has put its own text there.
    if (this.#value.id !== '') return
    this.#forgetChoice()
    if (this.#value.text === '') this.#rest()
    else {
      this.#list.say('')
      this.#popup.expire()
      this.#startSearch()
    }
  }

  #startSearch(delay?: number): void {
    this.#q = this.#value.text
    this.#list.clear()
    this.#search.start(this.#q, delay)
  }

  #onFormEvent(event: Event): void {
    const { input } = this.#value
    const isOwn = input !== null && event.target === input.form
    if (event.type === 'reset') {
      if (isOwn) setTimeout(() => event.defaultPrevented || this.#reset())
      return
    }
    if (isOwn && event instanceof FormDataEvent) this.#value.correct(event.formData)
    this.#followPage()
    if (!isOwn || !(event instanceof SubmitEvent) || !this.#value.refuses(event)) return
    event.preventDefault()
    event.stopImmediatePropagation()
    this.#remind()
    input.reportValidity()
  }

  /** A form that is reset gets the values that the page has given it. */
  #reset(): void {
    this.#forgetChoice()
    this.value = this.getAttribute('value')
    this.#rest()
  }

  /** Reacts to a text that the page has changed itself. A choice whose text is gone is dropped. */
  #followPage(): void {
    const { isStale, text } = this.#value
    if (isStale) this.#forgetChoice()
    if (isStale || (text === '' && this.#q !== undefined)) this.#rest()
    if (this.#value.input?.matches(':focus') === false) this.#value.validate()
    if (isStale) this.#remind()
  }

  /** Says that nothing is chosen, once nobody types any more. */
  #remind(): void {
    this.#value.validate()
    if (this.#failure === undefined && this.#value.isWrong) this.#list.say(this.#texts('choose'))
  }

  #tryAgain(): void {
    if (this.#failure !== undefined && this.#value.isUnchosen) this.#startSearch(0)
  }

  /** Shows the list again, or asks again if it answers another text. */
  #reopen(): void {
    if (!this.#value.isUnchosen || this.#popup.isOpen) return
    if (this.#failure !== undefined || this.#q !== this.#value.text) this.#startSearch(0)
    else if (this.#list.count > 0) this.#popup.open()
  }

  /** Puts the box into the state without a search. */
  #rest(): void {
    this.#search.stop()
    this.#q = undefined
    this.#list.clear()
    this.#failure = undefined
    this.#popup.close()
    this.#list.say('')
    this.#value.validate()
  }

  #commit(target: EventTarget | null | undefined): void {
    const option = target instanceof Element && target.closest<HTMLElement>('[role="option"]')
    const row = option && this.#list.rowOf(option)
    if (!row || this.#popup.isStale) return
    const [record, ...others] = row
    if (record === undefined) {
      this.#popup.expire()
      this.#search.start(this.#value.text, 0)
      return
    }
    if (others.length === 0) {
      if (!this.#popup.isNew) this.#choose(record)
      return
    }
    this.#list.say(this.#list.toggle(option, row))
    // A second click, meant for the row, must not reach the record that has come below the pointer.
    this.#popup.refuseClicks()
  }

  #choose(record: FoundRecord): void {
    this.#rest()
    this.#value.choose(record, textOf(record, `${this.getAttribute('type')}_id`), nameOf(record))
    this.#list.say(this.#texts('chosen', { record: this.#list.describe(record) }))
    this.#dispatch('catalog-select', record)
  }

  /** Takes the choice back, after typing, emptying or a reset. */
  #forgetChoice(): void {
    if (this.#value.forget()) this.#dispatch('catalog-clear', null)
  }
}

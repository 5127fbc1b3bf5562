import type { CatalogSearchElement } from '#client/element'
import type { FoundRecord } from '#client/found-record'
import { inputOf } from './choice'
import type { Failure } from './failure'
import { controls } from './form-control'
import { dress, WATCHED } from './input-attributes'
import { keyAction } from './keys'
import { List } from './list'
import { Popup } from './popup'
import { type Answer, isNameOf, nameOf, textOf } from './rows'
import { Search } from './search'
import { SessionControl } from './session-control'
import { Status } from './status'
import { styleTree } from './style'
import { type TextName, textFor } from './texts'

/** Whether input methods compose every word, also of Latin letters. */
const IS_ANDROID = /Android/.test(navigator.userAgent)

/**
 * `<catalog-search>`: makes the input that it holds a search box for one type of record. The input, its label and the
 * form stay those of the page. What is chosen stands in no node. See docs/partners.md.
 */
export class CatalogSearch extends SessionControl implements CatalogSearchElement {
  static readonly observedAttributes = ['name', 'type', 'value', 'required', 'disabled', 'auth-token', 'token-url']

  readonly #status: Status
  readonly #list = new List(this)
  readonly #popup = new Popup(this, this.#list.box)
  readonly #search = new Search({
    query: () => ({ type: this.type, offset: this.#list.count }),
    session: () => this.session,
    onAnswer: (answer, q) => this.#onAnswer(answer, q),
    onSlow: () => this.#status.say('slow'),
    onFailure: (failure, isNew) => this.onFailure(failure, isNew),
  })
  /** The text of the newest search. */
  #q: string | undefined
  #failure: Failure | undefined

  constructor() {
    super()
    // Nothing of it is among the children, where the page and its libraries have their own.
    const tree = this.attachShadow({ mode: 'open' })
    styleTree(tree)
    this.#status = new Status(this, tree)
    new MutationObserver(() => this.#adopt()).observe(this, {
      attributeFilter: WATCHED,
      childList: true,
      subtree: true,
    })
    for (const name of ['input', 'compositionend', 'keydown', 'focus', 'blur', 'click', 'invalid'])
      this.addEventListener(name, (event) => this.#onEvent(event), true)
  }

  override connectedCallback(): void {
    super.connectedCallback()
    this.#adopt()
    this.takeToken()
    this.settle()
  }

  disconnectedCallback(): void {
    controls.delete(this)
    this.#search.stop()
    this.#popup.close()
  }

  attributeChangedCallback(name: string, old: string | null, now: string | null): void {
    if (name === 'value') this.value = now
    // A record of another type is no choice any more.
    else if (name === 'type' && old !== null && old !== now) this.clear()
    else if (name.includes('token')) this.takeToken()
    else if (name === 'disabled') Object.assign(inputOf(this) ?? {}, { disabled: this.disabled })
    this.#adopt()
  }

  /** A form that is reset gets the values that the page has given it. */
  formResetCallback(): void {
    this.drop()
    this.value = this.getAttribute('value')
  }

  /** Empties the box. */
  clear(): void {
    Object.assign(inputOf(this) ?? {}, { value: '' })
    this.drop()
  }

  /** Reacts to a text that the page has changed itself. A choice whose text is gone is dropped. */
  protected follow(): void {
    const { isStale, text } = this.choice
    if (isStale || (text === '' && this.#q !== undefined)) this.drop()
    this.sync()
    if (isStale) this.#remind(true)
  }

  #idOf(record: FoundRecord): string {
    return textOf(record, `${this.type}_id`)
  }

  #onAnswer(answer: Answer, q: string): void {
    const { id, text } = this.choice
    this.#failure = undefined
    this.keepSource(answer.source)
    if (q === id) this.#onLookup(answer.items.find((record) => this.#idOf(record) === id))
    else if (q === text) this.#onMatches(answer, q)
    // The page has changed the text itself.
    else if (this.choice.isUnchosen) this.#startSearch(0)
  }

  #onMatches(answer: Answer, q: string): void {
    const isNext = this.#list.count > 0
    if (isNext && this.#list.source !== answer.source) {
      this.#startSearch(0)
      return
    }
    this.#status.write(this.#list.add(q, answer))
    if (this.choice.isTyping && this.#list.count > 0)
      this.#popup.open(isNext ? this.#list.optionWith(answer.items[0]) : undefined)
    else this.#popup.close()
    this.#remind()
  }

  /** @param record with the id that the page has set */
  #onLookup(record: FoundRecord | undefined): void {
    const { id, text } = this.choice
    if (record === undefined || !isNameOf(record, text)) this.drop('unknown')
    else {
      this.choice.confirm(id, record)
      this.#sayChosen(record)
    }
  }

  protected onFailure(failure: Failure, isNew: boolean): void {
    const { kind, message, status, requestId } = failure
    const { id } = this.choice
    // biome-ignore lint/suspicious/noConsole: the author of the page reads the browser's console.
    if (kind === 'setup' && this.#failure?.message !== message) console.error(`<catalog-search>: ${message}`)
    this.#failure = failure
    this.#popup.close()
    this.#status.write((id && `${textFor(this, 'unchecked', { id })} `) + textFor(this, kind))
    if (isNew) this.dispatch('catalog-error', { message, status, requestId })
  }

  #sayChosen(record: FoundRecord): void {
    this.session.records.set(`${this.type} ${this.#idOf(record)}`, record)
    this.#status.say('chosen', { record: this.#list.describe(record) })
    this.sync()
  }

  /** Takes the input of the page, also one that comes later or has lost what makes it a search box. */
  #adopt(): void {
    const input = inputOf(this)
    if (input === null || !this.isConnected) return
    this.#popup.removeCopies()
    // A label of the element is one of its input.
    const labels = [...this.internals.labels].map((label) => label.textContent?.trim()).join(' ')
    dress(input, this.#list.box.id, {
      'aria-required': this.required ? 'true' : '',
      'aria-label': input.labels?.length ? '' : labels,
    })
    // With it the form would send the text if there were no script.
    if (this.name !== '') input.removeAttribute('name')
    this.follow()
  }

  #onEvent(event: Event): void {
    const { type, target } = event
    if (target === this) {
      // Of a label of the element.
      if (type === 'click') this.focus()
      // The browser refuses the form.
      else if (this.#failure === undefined) this.#status.say('choose')
    } else if (target !== inputOf(this)) {
      if (type === 'click') this.#commit(target)
    } else if (type === 'input' || type === 'compositionend') this.#onInput(event)
    else if (event instanceof KeyboardEvent) this.#onKey(event)
    else if (type === 'click') this.#reopen()
    // Gets a token before the first search needs it. If that fails, the first search says so.
    else if (type === 'focus') this.session.tokens.token().catch(() => undefined)
    else {
      this.#popup.close()
      this.follow()
      this.#remind(true)
    }
  }

  #onKey(event: KeyboardEvent): void {
    const action = keyAction(event, this.#popup, this.choice.isUnchosen)
    if (action === 'choose') this.#commit(this.#popup.active, true)
    else if (action === 'remind') this.#remind(true)
    else if (action === 'reopen') this.#reopen()
  }

  #onInput(event: Event): void {
    if (this.choice.isUntouched) return
    this.#forgetChoice()
    this.sync()
    if (this.choice.text === '') this.drop()
    else {
      this.#status.write('')
      this.#popup.expire()
      // A step of an input method is no text yet. On Android every key is such a step.
      if (event instanceof InputEvent && event.isComposing && !IS_ANDROID) this.#search.stop()
      else this.#startSearch()
    }
  }

  #startSearch(delay?: number): void {
    this.#q = this.choice.text
    this.#list.clear()
    this.#search.start(this.#q, delay)
  }

  /** Says what is chosen, or that nothing is, after the page has set something. */
  protected settle(): void {
    if (this.record === null) this.#status.write('')
    this.sync()
    queueMicrotask(() => {
      if (!this.isConnected) return
      this.follow()
      const { id, record } = this.choice
      const known = record ?? this.session.records.get(`${this.type} ${id}`)
      if (id === '') this.#remind()
      else if (known?.source === this.session.sources.get(this.type) && known) this.#onLookup(known)
      else {
        this.#list.clear()
        this.#popup.close()
        this.#search.start(id, 0)
      }
    })
  }

  /** Says that nothing is chosen, once nobody types any more. */
  #remind(isLeft = !this.choice.isTyping): void {
    this.sync()
    if (this.#failure === undefined && isLeft && this.internals.validity.customError) this.#status.say('choose')
  }

  protected tryAgain(): void {
    if (this.#failure === undefined) return
    if (this.choice.isUnchosen) this.#startSearch(0)
    else this.settle()
  }

  /** Shows the list again, or asks again if it answers another text. */
  #reopen(): void {
    if (!this.choice.isUnchosen || this.#popup.isOpen) return
    if (this.#failure !== undefined || this.#q !== this.choice.text) this.#startSearch(0)
    else if (this.#list.count > 0) this.#popup.open()
  }

  /** Takes a choice and a search back. @param reason why the text is no choice */
  protected drop(reason?: TextName): void {
    const { id } = this.choice
    this.#forgetChoice()
    this.#search.stop()
    this.#q = undefined
    this.#list.clear()
    this.#failure = undefined
    this.#popup.close()
    this.#status.write(reason ? textFor(this, reason, { id }) : '')
    this.sync()
  }

  #commit(target: EventTarget | null | undefined, isKey = false): void {
    const option = target instanceof Element && target.closest<HTMLElement>('[role="option"]')
    const row = option && this.#list.rowOf(option)
    if (!row || this.#popup.isFrozen) return
    const [record, ...others] = row
    if (record === undefined) {
      this.#popup.expire()
      this.#search.start(this.choice.text, 0)
    } else if (others.length > 0) {
      this.#status.write(this.#list.toggle(option, row))
      // A second click, meant for the row, must not reach the record that has come below the pointer.
      this.#popup.freeze()
    }
    // What is not exact stands in a group.
    else if (isKey && option.closest('[role="group"]')) this.#status.say('not-exact')
    else this.#choose(record)
  }

  #choose(record: FoundRecord): void {
    this.drop()
    this.choice.choose(this.#idOf(record), record, nameOf(record))
    this.#sayChosen(record)
    this.dispatch('catalog-select', record)
    this.follow()
  }

  /** Takes the choice back, after typing, emptying or a reset. */
  #forgetChoice(): void {
    if (this.choice.forget()) this.dispatch('catalog-clear', null)
  }
}

import type { CatalogSearchElement } from '#client/element'
import type { FoundRecord } from '#client/found-record'
import { inputOf } from './choice'
import { type Failure, setupFailure } from './failure'
import { controls } from './form-control'
import { dress, WATCHED } from './input-attributes'
import { keyAction } from './keys'
import { RECORD_MS } from './limits'
import { List } from './list'
import { Popup } from './popup'
import { type Answer, isNameOf, lookalikesOf, nameOf, textOf } from './rows'
import { Search, type SearchBox } from './search'
import { SessionControl } from './session-control'
import { setupErrorOf } from './setup'
import { Status } from './status'
import { styleTree } from './style'
import { type TextName, textFor } from './texts'

/** On Android, input methods compose every word, even Latin ones. */
const IS_ANDROID = /Android/.test(navigator.userAgent)

/**
 * `<catalog-search>` turns the input inside it into a search box for one record type. The input, its label and the
 * form remain the page's own. The choice is not stored in any node. See docs/partners.md.
 */
export class CatalogSearch extends SessionControl implements CatalogSearchElement, SearchBox {
  static readonly observedAttributes = ['name', 'type', 'value', 'required', 'disabled', 'auth-token', 'token-url']

  readonly #status: Status
  readonly #list = new List(this)
  readonly #popup = new Popup(this, this.#list.box)
  readonly #search = new Search(this)
  /** The text of the newest search, or another string if the box has already explained why its text is no choice. */
  #q: string | undefined
  #failure: Failure | undefined

  constructor() {
    super()
    // The shadow tree keeps the element's own nodes away from the children, which the page and its libraries control.
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
    // The chosen record belongs to the old type.
    else if (name === 'type' && old !== null && old !== now) this.clear()
    else if (name.includes('token')) this.takeToken()
    else if (name === 'disabled') Object.assign(inputOf(this) ?? {}, { disabled: this.disabled })
    this.#adopt()
  }

  /** Restores the ID that the page set last. React, for example, sets the property and resets its forms. */
  formResetCallback(): void {
    const { id, typed } = this.choice
    const given = typed && this.given
    if (!given || given !== id) this.drop()
    this.value = given
  }

  /** Clears the box. */
  clear(): void {
    Object.assign(inputOf(this) ?? {}, { value: '' })
    this.drop()
  }

  /** Detects text that the page changed without an event, and drops a choice whose text is gone. */
  follow(isLeft = false): void {
    const { isStale, typed } = this.choice
    if (isStale || (typed === '' && this.#q !== undefined)) this.drop()
    this.#remind(isStale || isLeft)
  }

  #idOf(record: FoundRecord): string {
    return textOf(record, `${this.type}_id`)
  }

  /** The record with this ID that was chosen or looked up last, and the time. */
  #known(id: string): readonly [FoundRecord, number] | undefined {
    return this.session.seen.get(`${this.type} ${id}`)
  }

  #keep(record: FoundRecord): void {
    this.session.seen.set(`${this.type} ${this.#idOf(record)}`, [record, Date.now()])
  }

  parameters(): { type: string; offset: number } {
    const error = setupErrorOf(this)
    if (error) {
      // A wrong binding has set the typed text as the ID.
      this.#forgetChoice()
      throw setupFailure(error)
    }
    return { type: this.type, offset: this.#list.count }
  }

  onSlow(): void {
    this.#status.say('slow')
  }

  onAnswer(answer: Answer, q: string): void {
    const { id, typed } = this.choice
    this.#failure = undefined
    this.keepSource(answer.source)
    if (q === id) {
      const [old] = this.#known(id) ?? []
      const record = answer.items.find((each) => this.#idOf(each) === id)
      if (record) this.#keep(record)
      this.#onLookup(record, old)
    } else if (q === typed) this.#onMatches(answer, q)
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

  /**
   * @param record with the id that the page has set
   * @param old what it was when it was chosen or looked up before
   */
  #onLookup(record: FoundRecord | undefined, old = record): void {
    const { id, typed } = this.choice
    if (record === undefined || !isNameOf(record, typed)) this.drop('unknown')
    else if (old && !lookalikesOf(this.type, [old, record]).size) this.drop('changed')
    else {
      this.choice.confirm(id, record)
      this.#sayChosen(record)
    }
  }

  onFailure(failure: Failure): void {
    const { kind, message, status, requestId } = failure
    const { id } = this.choice
    // biome-ignore lint/suspicious/noConsole: the author of the page reads the browser's console.
    if (kind === 'setup' && this.#failure?.message !== message) console.error(`<catalog-search>: ${message}`)
    const isNew = this.#failure !== failure
    this.#failure = failure
    this.#popup.close()
    this.#status.write((id && `${textFor(this, 'unchecked', { id })} `) + textFor(this, kind))
    if (isNew) this.dispatch('catalog-error', { message, status, requestId })
  }

  #sayChosen(record: FoundRecord): void {
    this.#status.say('chosen', { record: this.#list.describe(record) })
    this.sync()
  }

  /** Sets up the page's input, including one that was added later or lost its attributes. */
  #adopt(): void {
    const input = inputOf(this)
    if (input === null || !this.isConnected) return
    this.#popup.removeCopies()
    // Labels of the element also label its input.
    const labels = [...this.internals.labels].map((label) => label.textContent?.trim()).join(' ')
    dress(input, this.#list.box.id, {
      'aria-required': this.required ? 'true' : '',
      'aria-label': input.labels?.length ? '' : labels,
    })
    // The input's own name is only for pages where this script did not load.
    if (this.name !== '') input.removeAttribute('name')
    this.follow()
  }

  #onEvent(event: Event): void {
    const { type, target } = event
    if (target === this) {
      // The user clicked a label of the element.
      if (type === 'click') this.focus()
      // An `invalid` event: the browser rejected the form.
      else if (this.#failure === undefined) this.#status.say('choose')
    } else if (target !== inputOf(this)) {
      if (type === 'click') this.#commit(target)
    } else if (type === 'input' || type === 'compositionend') this.#onInput(event)
    else if (event instanceof KeyboardEvent) this.#onKey(event)
    else if (type === 'click') this.#reopen()
    // Fetch a token before the first search needs it. If this fails, the search reports it.
    else if (type === 'focus') this.session.tokens.token().catch(() => undefined)
    else {
      this.#popup.close()
      this.follow(true)
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
    if (this.choice.typed === '') this.drop()
    else {
      this.#status.write('')
      this.#popup.expire()
      // Do not search for unfinished compositions, except on Android, where every keystroke is one.
      if (event instanceof InputEvent && event.isComposing && !IS_ANDROID) this.#search.stop()
      else this.#startSearch()
    }
  }

  #startSearch(delay?: number): void {
    this.#q = this.choice.typed
    this.#list.clear()
    this.#search.start(this.#q, delay)
  }

  /** Shows what is chosen, or that nothing is, after the page set an ID. */
  protected settle(): void {
    this.sync()
    queueMicrotask(() => {
      if (!this.isConnected) return
      this.follow()
      const { id, record } = this.choice
      const [known, time = 0] = this.#known(id) ?? []
      const isFresh = Date.now() - time < RECORD_MS && known?.source === this.session.sources.get(this.type)
      const found = record ?? (isFresh && known)
      if (found) this.#onLookup(found)
      else {
        this.#status.write('')
        if (id === '') this.#remind()
        else {
          this.#list.clear()
          this.#popup.close()
          this.#search.start(id, 0)
        }
      }
    })
  }

  /** After the user leaves the box: shows that nothing is chosen, and reports text that has no match. */
  #remind(isLeft = !this.choice.isTyping): void {
    this.sync()
    if (!isLeft) return
    if (this.#failure === undefined && this.internals.validity.customError) {
      this.#q ??= ''
      this.#status.say('choose')
    }
    const { q, ordinary } = this.#list
    if (q && q === this.choice.typed && !ordinary && !this.hasAttribute('no-reports'))
      this.#search.report(q).catch(() => undefined)
  }

  tryAgain(): void {
    if (this.#failure === undefined) return
    if (this.choice.isUnchosen) this.#startSearch(0)
    else this.settle()
  }

  /** Shows the list again, or searches again if the text has changed. */
  #reopen(): void {
    if (!this.choice.isUnchosen || this.#popup.isOpen) return
    if (this.#failure !== undefined || this.#q !== this.choice.typed) this.#startSearch(0)
    else if (this.#list.count > 0) this.#popup.open()
  }

  /** Ends the choice and the search. @param reason message that explains why the text is no choice */
  protected drop(reason?: TextName): void {
    const { id } = this.choice
    this.#forgetChoice()
    this.#search.stop()
    this.#q = reason
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
      this.#search.start(this.choice.typed, 0)
    } else if (others.length > 0) {
      this.#status.write(this.#list.toggle(option, row))
      // Ignore a second click on the row: a different record may now be under the pointer.
      this.#popup.freeze()
    }
    // Only matches that are not exact are in a group.
    else if (isKey && option.closest('[role="group"]')) this.#status.say('not-exact')
    else this.#choose(record)
  }

  #choose(record: FoundRecord): void {
    this.drop()
    this.#keep(record)
    this.choice.choose(this.#idOf(record), record, nameOf(record))
    this.#sayChosen(record)
    this.dispatch('catalog-select', record)
    this.follow()
  }

  /** Ends the choice after the user typed, or after the box was cleared or reset. */
  #forgetChoice(): void {
    if (this.choice.forget()) this.dispatch('catalog-clear', null)
  }
}

import type { FoundRecord } from './rows'

/** Most characters of a search. */
const MOST_CHARACTERS = 200

/** Attributes of the input, unless the page sets them: programs and keyboards must not change what is typed. */
const ATTRIBUTES = {
  autocomplete: 'off',
  autocapitalize: 'none',
  autocorrect: 'off',
  spellcheck: 'false',
  enterkeyhint: 'search',
  maxlength: String(MOST_CHARACTERS),
}

/** The text of the page's input, the choice that belongs to it, and what the form sends. */
export class FormValue {
  /** Holds the id of the choice. With a name, the form sends it. */
  readonly hidden = document.createElement('input')
  readonly #reason: () => string
  readonly #onPageChange: () => void
  #input: HTMLInputElement | null = null
  #record: FoundRecord | null = null
  /** The text that stands for the choice; undefined until the page has had time to set it. */
  #shown: string | undefined

  /**
   * @param reason why a form with a text that is no choice is not sent
   * @param onPageChange called when the page has changed attributes of the input
   */
  constructor(reason: () => string, onPageChange: () => void) {
    this.#reason = reason
    this.#onPageChange = onPageChange
    this.hidden.type = 'hidden'
    this.hidden.autocomplete = 'off'
  }

  get input(): HTMLInputElement | null {
    return this.#input
  }

  get text(): string {
    return this.#input?.value.trim() ?? ''
  }

  /** The id of the choice that the box shows; empty for none. */
  get id(): string {
    return this.isStale ? '' : this.hidden.value
  }

  get record(): FoundRecord | null {
    return this.isStale ? null : this.#record
  }

  /** Whether there is a choice, and the page shows another text now. */
  get isStale(): boolean {
    const { text } = this
    const isShown = text !== '' && text === (this.#shown ?? text)
    return this.hidden.value !== '' && this.#input !== null && !isShown
  }

  get isUnchosen(): boolean {
    return this.text !== '' && this.id === ''
  }

  /** Whether the form must not be sent: the text looks like a choice and is not one. */
  get isWrong(): boolean {
    return this.isUnchosen && this.hidden.name !== ''
  }

  /** @param statusId of the element that says what the box does @param signal ends what listens to the input */
  attach(input: HTMLInputElement, statusId: string, signal: AbortSignal): void {
    this.#input = input
    for (const [name, value] of Object.entries(ATTRIBUTES)) {
      if (!input.hasAttribute(name)) input.setAttribute(name, value)
    }
    const described = new Set(input.getAttribute('aria-describedby')?.match(/\S+/g)).add(statusId)
    input.setAttribute('aria-describedby', [...described].join(' '))
    const form = input.getAttribute('form')
    if (form !== null) this.hidden.setAttribute('form', form)
    const follow = () => {
      // A form sends nothing of an input that is disabled.
      this.hidden.disabled = input.disabled
      this.#onPageChange()
    }
    const observer = new MutationObserver(follow)
    // React sets the attribute `value` with the text.
    observer.observe(input, { attributeFilter: ['disabled', 'value'] })
    signal.addEventListener('abort', () => observer.disconnect())
    this.#keepShown()
    follow()
  }

  release(): void {
    this.#input = null
  }

  choose(record: FoundRecord, id: string, text: string): void {
    this.#record = record
    this.hidden.value = id
    const input = this.#input
    if (input === null) return
    // The setter of the platform: React compares the text with what was set by its own one, and would see no change.
    Reflect.set(HTMLInputElement.prototype, 'value', text, input)
    this.#shown = this.text
    input.setCustomValidity('')
    input.dispatchEvent(new Event('input', { bubbles: true, composed: true }))
  }

  /** @param id of a record that the page knows, and whose text it shows now or before its script ends */
  setId(id: string): void {
    if (id !== this.hidden.value) this.#record = null
    this.hidden.value = id
    this.#shown = undefined
    this.#keepShown()
    this.#input?.setCustomValidity('')
  }

  /** Takes the choice back. Returns whether there was one. */
  forget(): boolean {
    const { value } = this.hidden
    this.setId('')
    return value !== ''
  }

  empty(): void {
    if (this.#input !== null) this.#input.value = ''
  }

  /** Takes the choice out of what a form sends, unless the box shows it. */
  correct(data: FormData): void {
    if (!this.isStale) return
    const { name, value } = this.hidden
    const all = data.getAll(name) as string[]
    all[all.indexOf(value)] = ''
    data.delete(name)
    for (const each of all) data.append(name, each)
  }

  /**
   * Whether the form must not be sent. The browser has let it through if the page changed the text, or if somebody
   * still types in the box.
   */
  refuses({ target, submitter }: SubmitEvent): boolean {
    const isUnchecked = (target as HTMLFormElement).noValidate || submitter?.matches('[formnovalidate]')
    return !isUnchecked && this.#input?.willValidate === true && this.isWrong
  }

  /** Only while nobody types: a text that is not finished is not wrong. */
  validate(): void {
    this.#input?.setCustomValidity(this.isWrong ? this.#reason() : '')
  }

  #keepShown(): void {
    queueMicrotask(() => {
      if (this.#input !== null) this.#shown ??= this.text
    })
  }
}

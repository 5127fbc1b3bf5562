import type { FoundRecord } from './rows'

/** Most characters of a search. */
const MOST_CHARACTERS = 200

/** What an input gets if the page says nothing else: programs and keyboards must not change what is typed. */
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
  #input: HTMLInputElement | null = null
  #record: FoundRecord | null = null

  /** @param reason why a form with a text that is no choice is not sent */
  constructor(reason: () => string) {
    this.#reason = reason
    this.hidden.type = 'hidden'
    this.hidden.autocomplete = 'off'
  }

  get input(): HTMLInputElement | null {
    return this.#input
  }

  get record(): FoundRecord | null {
    return this.#record
  }

  get text(): string {
    return this.#input?.value.trim() ?? ''
  }

  get isUnchosen(): boolean {
    return this.text !== '' && this.hidden.value === ''
  }

  /** Whether the form must not be sent: the text looks like a choice and is none. */
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
    const observer = new MutationObserver(() => this.#followInput())
    observer.observe(input, { attributeFilter: ['disabled'] })
    signal.addEventListener('abort', () => observer.disconnect())
    this.#followInput()
    this.validate()
  }

  release(): void {
    this.#input = null
  }

  choose(record: FoundRecord, id: string, text: string): void {
    this.#record = record
    if (this.#input !== null) this.#input.value = text
    this.setId(id)
  }

  /** @param id of a record that the page knows; empty for none */
  setId(id: string): void {
    this.hidden.value = id
    this.validate()
  }

  /** Takes the choice back. Returns whether there was one. */
  forget(): boolean {
    const { value } = this.hidden
    this.#record = null
    this.setId('')
    return value !== ''
  }

  empty(): void {
    if (this.#input !== null) this.#input.value = ''
  }

  validate(): void {
    this.#input?.setCustomValidity(this.isWrong ? this.#reason() : '')
  }

  /** A form sends nothing of an input that is disabled. */
  #followInput(): void {
    this.hidden.disabled = this.#input?.disabled === true
  }
}

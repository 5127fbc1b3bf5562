import type { FoundRecord } from '#client/found-record'
import { isNameOf } from './rows'

/** The input of the page in an element. */
export const inputOf = (element: Element): HTMLInputElement | null =>
  element.querySelector<HTMLInputElement>('input:not([type="hidden"])')

/** The text of the page's input, and the choice that belongs to it. Nothing of it stands in the page. */
export class Choice {
  readonly #element: Element
  #id = ''
  #record: FoundRecord | null = null
  /** The text that stands for the choice; undefined until the page has had time to set it. */
  #shown: string | undefined

  constructor(element: Element) {
    this.#element = element
  }

  get typed(): string {
    return inputOf(this.#element)?.value.trim() ?? ''
  }

  get isTyping(): boolean {
    return inputOf(this.#element)?.matches(':focus') === true
  }

  /** The id of the choice that the box shows; empty for none. */
  get id(): string {
    return this.isStale ? '' : this.#id
  }

  /** The chosen record, if it is known already. */
  get record(): FoundRecord | null {
    return this.isStale ? null : this.#record
  }

  /** Whether there is a choice, and the page shows a text that does not name it. */
  get isStale(): boolean {
    const { typed } = this
    const isShown = typed !== '' && (this.#record ? isNameOf(this.#record, typed) : typed === (this.#shown ?? typed))
    return this.#id !== '' && !isShown
  }

  get isUnchosen(): boolean {
    return this.typed !== '' && this.id === ''
  }

  /** Whether its text is there as it was chosen: nobody has typed. */
  get isUntouched(): boolean {
    return this.#id !== '' && this.typed === this.#shown
  }

  /** Chooses a record and puts its name into the input. The page may write the name in another way at once. */
  choose(id: string, record: FoundRecord, name: string): void {
    const input = inputOf(this.#element)
    // The setter of the platform: React compares the text with what was set by its own one, and would see no change.
    if (input !== null) Reflect.set(HTMLInputElement.prototype, 'value', name, input)
    this.confirm(id, record)
    input?.dispatchEvent(new Event('input', { bubbles: true, composed: true }))
    // A page that ends a choice with each event has meant the one before.
    this.confirm(id, record)
  }

  /** The choice is this record, which its text names. */
  confirm(id: string, record: FoundRecord): void {
    this.#id = id
    this.#record = record
    this.#shown = this.typed
  }

  /** @param id of a record that the page knows, and whose text it shows now or before its script ends */
  setId(id: string): void {
    this.#record = null
    this.#id = id
    this.#shown = undefined
    queueMicrotask(() => {
      this.#shown ??= this.typed
    })
  }

  /** Takes the choice back. @returns whether there was one */
  forget(): boolean {
    const id = this.#id
    this.setId('')
    return id !== ''
  }
}

import type { FoundRecord } from '#client/found-record'
import { isNameOf } from './rows'

/** The page's input inside the element. */
export const inputOf = (element: Element): HTMLInputElement | null =>
  element.querySelector<HTMLInputElement>('input:not([type="hidden"])')

/** The text of the page's input and the choice that belongs to it. Nothing is stored in the page's nodes. */
export class Choice {
  readonly #element: Element
  #id = ''
  #record: FoundRecord | null = null
  /** The text that stands for the choice. Undefined until the page's script has had time to set it. */
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

  /** Whether there is a choice, but the box shows text that does not name it. */
  get isStale(): boolean {
    const { typed } = this
    const isShown = typed !== '' && (this.#record ? isNameOf(this.#record, typed) : typed === (this.#shown ?? typed))
    return this.#id !== '' && !isShown
  }

  get isUnchosen(): boolean {
    return this.typed !== '' && this.id === ''
  }

  /** Whether the box still shows the text of the choice, unchanged. */
  get isUntouched(): boolean {
    return this.#id !== '' && this.typed === this.#shown
  }

  /** Chooses a record and puts its name into the input. The page may immediately rewrite the name. */
  choose(id: string, record: FoundRecord, name: string): void {
    const input = inputOf(this.#element)
    // Use the native setter. React's own setter would remember the text, and React would see no change.
    if (input !== null) Reflect.set(HTMLInputElement.prototype, 'value', name, input)
    this.confirm(id, record)
    input?.dispatchEvent(new Event('input', { bubbles: true, composed: true }))
    // A React onChange that clears the ID runs during this event and means the previous choice; confirm again.
    this.confirm(id, record)
  }

  /** Sets the choice to a record that the text names. */
  confirm(id: string, record: FoundRecord): void {
    this.#id = id
    this.#record = record
    this.#shown = this.typed
  }

  /** @param id of a record whose text the page shows now, or sets before its script ends */
  setId(id: string): void {
    this.#record = null
    this.#id = id
    this.#shown = undefined
    queueMicrotask(() => {
      this.#shown ??= this.typed
    })
  }

  /** Ends the choice. @returns whether there was one */
  forget(): boolean {
    const id = this.#id
    this.setId('')
    return id !== ''
  }
}

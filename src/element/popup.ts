import Combobox from '@github/combobox-nav'
import type { List } from './list'

/** Milliseconds for which a list that has just changed takes no click: the pointer was on its way to another row. */
const FRESH_MS = 300

/** When the list is shown, and when something can be chosen from it. */
export class Popup {
  readonly #element: HTMLElement
  readonly #box: HTMLElement
  #input: HTMLInputElement | undefined
  #combobox: Combobox | undefined
  #fresh: ReturnType<typeof setTimeout> | undefined

  constructor({ popup, box }: List) {
    this.#element = popup
    this.#box = box
    // The input keeps the focus, and a phone its keyboard.
    popup.addEventListener('mousedown', (event) => event.preventDefault())
  }

  attach(input: HTMLInputElement): void {
    this.#input = input
    // Tab only leaves the box: it must never choose.
    this.#combobox = new Combobox(input, this.#box, { tabInsertsSuggestions: false })
  }

  release(): void {
    this.close()
    this.#combobox?.destroy()
  }

  get isOpen(): boolean {
    return !this.#element.hidden
  }

  /** Whether the list belongs to an older text. */
  get isStale(): boolean {
    return this.#element.inert
  }

  /** Whether the list has come a moment ago. */
  get isNew(): boolean {
    return this.#element.dataset.fresh === 'new'
  }

  /** Whether the arrows have reached a row. */
  get isOnRow(): boolean {
    return this.#input?.hasAttribute('aria-activedescendant') === true
  }

  /** @param option that is reached at once */
  open(option?: Element): void {
    this.#element.inert = false
    this.#element.hidden = false
    this.refuseClicks()
    this.#combobox?.stop()
    this.#combobox?.start()
    if (option === undefined) return
    const before = option.previousElementSibling
    if (before !== null) before.ariaSelected = 'true'
    this.#combobox?.navigate()
  }

  /** The list can still be seen, but not chosen from. */
  expire(): void {
    this.#element.inert = true
    this.#combobox?.stop()
  }

  close(): void {
    this.#element.hidden = true
    this.#combobox?.stop()
  }

  /** Lets no click through for a moment, and no choice by a key if the list is new. */
  refuseClicks(kind: 'new' | 'same' = 'same'): void {
    const { dataset } = this.#element
    dataset.fresh = kind
    clearTimeout(this.#fresh)
    this.#fresh = setTimeout(() => delete dataset.fresh, FRESH_MS)
  }
}

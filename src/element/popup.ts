import type { List } from './list'

/** Milliseconds for which a list that has just changed takes no click: the pointer was on its way to another row. */
const FRESH_MS = 300

const ATTRIBUTES = { role: 'combobox', 'aria-autocomplete': 'list', 'aria-haspopup': 'listbox' }

/** Shows and hides the list, moves in it, and decides when something can be chosen. */
export class Popup {
  readonly #element: HTMLElement
  readonly #box: HTMLElement
  #input: HTMLInputElement | undefined
  #active: Element | undefined
  #fresh: ReturnType<typeof setTimeout> | undefined

  constructor({ popup, box }: List) {
    this.#element = popup
    this.#box = box
    // The input keeps the focus, and a phone its keyboard.
    popup.addEventListener('mousedown', (event) => event.preventDefault())
  }

  attach(input: HTMLInputElement): void {
    this.#input = input
    for (const [name, value] of Object.entries(ATTRIBUTES)) input.setAttribute(name, value)
    input.setAttribute('aria-controls', this.#box.id)
    input.ariaExpanded = 'false'
  }

  release(): void {
    this.close()
    for (const name of [...Object.keys(ATTRIBUTES), 'aria-controls', 'aria-expanded'])
      this.#input?.removeAttribute(name)
  }

  get isOpen(): boolean {
    return !this.#element.hidden
  }

  /** Whether the list belongs to an older text. */
  get isStale(): boolean {
    return this.#element.inert
  }

  /** Whether the list appeared a moment ago. */
  get isNew(): boolean {
    return this.#element.dataset.fresh === 'new'
  }

  /** The row that the arrows have reached. */
  get active(): Element | undefined {
    return this.#active
  }

  /** Shows the list. @param option becomes the active row */
  open(option?: Element): void {
    this.#element.inert = false
    this.#show(true)
    this.refuseClicks()
    this.reach(option)
  }

  /** The list can still be seen, but not chosen from. */
  expire(): void {
    this.#element.inert = true
    if (this.#input !== undefined) this.#input.ariaExpanded = 'false'
    this.reach(undefined)
  }

  close(): void {
    this.#show(false)
    this.reach(undefined)
  }

  /** Goes to the next row or to the one before. The input is after the last row and before the first. */
  move(step: 1 | -1): void {
    if (this.isStale) return
    const options = [...this.#box.querySelectorAll('[role="option"]')]
    const at = this.#active === undefined ? -1 : options.indexOf(this.#active)
    this.reach(options[at < 0 && step < 0 ? options.length - 1 : at + step])
  }

  reach(option: Element | undefined): void {
    this.#active?.removeAttribute('id')
    this.#active?.removeAttribute('aria-selected')
    this.#active = option
    if (option === undefined) {
      this.#input?.removeAttribute('aria-activedescendant')
      return
    }
    option.id = `${this.#box.id}-active`
    option.ariaSelected = 'true'
    this.#input?.setAttribute('aria-activedescendant', option.id)
    option.scrollIntoView({ block: 'nearest' })
  }

  /** Takes no click for a moment, and no choice by a key either if the list is new. */
  refuseClicks(kind: 'new' | 'same' = 'same'): void {
    const { dataset } = this.#element
    dataset.fresh = kind
    clearTimeout(this.#fresh)
    this.#fresh = setTimeout(() => delete dataset.fresh, FRESH_MS)
  }

  #show(isOpen: boolean): void {
    const popup = this.#element
    popup.hidden = !isOpen
    if (this.#input !== undefined) this.#input.ariaExpanded = String(isOpen)
    // Above everything else of the page. One that is taken out of the page closes by itself.
    if (popup.popover !== null && popup.isConnected) popup.togglePopover(isOpen)
  }
}

import { inputOf } from './choice'
import { NEW_LIST_MS } from './limits'

/** Shows and hides the list, moves in it, and decides when something can be chosen. */
export class Popup {
  readonly #host: Element
  readonly #box: HTMLElement
  #active: Element | undefined
  #timer: ReturnType<typeof setTimeout> | undefined

  /**
   * @param host gets the list as a child only when it first opens, so that hydration finds no unexpected node
   * @param box the list
   */
  constructor(host: Element, box: HTMLElement) {
    this.#host = host
    this.#box = box
    // Keep the focus in the input, and the keyboard open on phones.
    box.addEventListener('mousedown', (event) => event.preventDefault())
  }

  /** Removes lists that were copied with the page's HTML. */
  removeCopies(): void {
    for (const copy of this.#host.querySelectorAll('[data-part="popup"]')) if (copy !== this.#box) copy.remove()
  }

  get isOpen(): boolean {
    return this.#box.matches(':popover-open')
  }

  /** Whether nothing can be chosen, because the list is out of date or has only just changed. */
  get isFrozen(): boolean {
    return this.#box.inert || 'fresh' in this.#box.dataset
  }

  /** The row that the arrows have reached. */
  get active(): Element | undefined {
    return this.#active
  }

  /** Shows the list. @param option becomes the active row */
  open(option?: Element): void {
    this.#box.inert = false
    if (!this.#box.isConnected) this.#host.append(this.#box)
    this.#show(true)
    this.freeze()
    this.reach(option)
  }

  /** Keeps the list visible, but nothing can be chosen from it. */
  expire(): void {
    this.#box.inert = true
    this.#input.ariaExpanded = 'false'
    this.reach(undefined)
  }

  close(): void {
    this.#show(false)
    this.reach(undefined)
  }

  /** Goes to the next row or to the one before. The input is after the last row and before the first. */
  move(step: 1 | -1): void {
    if (this.#box.inert) return
    const options = [...this.#box.querySelectorAll('[role="option"]')]
    const at = this.#active ? options.indexOf(this.#active) : -1
    this.reach(options[at < 0 && step < 0 ? options.length - 1 : at + step])
  }

  reach(option: Element | undefined): void {
    this.#active?.removeAttribute('id')
    this.#active?.removeAttribute('aria-selected')
    this.#active = option
    this.#input.removeAttribute('aria-activedescendant')
    if (option === undefined) return
    option.id = `${this.#box.id}-active`
    option.ariaSelected = 'true'
    this.#input.setAttribute('aria-activedescendant', option.id)
    option.scrollIntoView({ block: 'nearest' })
  }

  /** Ignores choices for a moment. */
  freeze(): void {
    const { dataset } = this.#box
    dataset.fresh = ''
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => delete dataset.fresh, NEW_LIST_MS)
  }

  /** A detached input if the page has removed its own. */
  get #input(): HTMLInputElement {
    return inputOf(this.#host) ?? document.createElement('input')
  }

  /** Shows the list above everything else. A popover that is removed from the page closes on its own. */
  #show(isOpen: boolean): void {
    this.#input.ariaExpanded = String(isOpen)
    if (this.#box.isConnected) this.#box.togglePopover(isOpen)
  }
}

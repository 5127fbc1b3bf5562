import { inputOf } from './choice'
import { NEW_LIST_MS } from './limits'

/** Shows and hides the list, moves in it, and decides when something can be chosen. */
export class Popup {
  readonly #host: Element
  readonly #box: HTMLElement
  #active: Element | undefined
  #timer: ReturnType<typeof setTimeout> | undefined

  /**
   * @param host has the list from its first opening on: a page that is made alive on arrival finds nothing new
   * @param box the list
   */
  constructor(host: Element, box: HTMLElement) {
    this.#host = host
    this.#box = box
    // The input keeps the focus, and a phone its keyboard.
    box.addEventListener('mousedown', (event) => event.preventDefault())
  }

  /** Removes a list that a copy of the page has brought. */
  removeCopies(): void {
    for (const copy of this.#host.querySelectorAll('[data-part="popup"]')) if (copy !== this.#box) copy.remove()
  }

  get isOpen(): boolean {
    return this.#box.matches(':popover-open')
  }

  /** Whether the list belongs to an older text, or has changed a moment ago: nothing can be chosen. */
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

  /** The list can still be seen, but not chosen from. */
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

  /** Takes no choice for a moment. */
  freeze(): void {
    const { dataset } = this.#box
    dataset.fresh = ''
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => delete dataset.fresh, NEW_LIST_MS)
  }

  /** One that is not there if the page has taken it away. */
  get #input(): HTMLInputElement {
    return inputOf(this.#host) ?? document.createElement('input')
  }

  /** Above everything else of the page. One that is taken out of the page closes by itself. */
  #show(isOpen: boolean): void {
    this.#input.ariaExpanded = String(isOpen)
    if (this.#box.isConnected) this.#box.togglePopover(isOpen)
  }
}

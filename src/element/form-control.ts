import { Choice, inputOf } from './choice'
import { styleTree } from './style'
import { textFor } from './texts'

/** What a form sends for a box: names and values, or nothing if the box is disabled. */
type Entries = readonly (readonly [name: string, value: FormDataEntryValue])[]

/** The controls of the page. */
export const controls = new Set<FormControl>()

/** The interface that browsers, scripts and frameworks expect of a form field (form-associated custom elements). */
export abstract class FormControl extends HTMLElement {
  static readonly formAssociated = true
  protected readonly internals = this.attachInternals()
  protected readonly choice = new Choice(this)
  /** What the browser sends for this control. */
  #submitted: Entries = []

  /** Detects what the page changed without an event. @param isLeft whether the user has left the field */
  abstract follow(isLeft?: boolean): void

  /** Tries again after a failure. */
  abstract tryAgain(): void

  get name(): string {
    return this.getAttribute('name') ?? ''
  }

  set name(name: string) {
    this.setAttribute('name', name)
  }

  get required(): boolean {
    return this.hasAttribute('required')
  }

  set required(isRequired: boolean) {
    this.toggleAttribute('required', isRequired)
  }

  get disabled(): boolean {
    return this.hasAttribute('disabled')
  }

  set disabled(isDisabled: boolean) {
    this.toggleAttribute('disabled', isDisabled)
  }

  get form(): HTMLFormElement | null {
    return this.internals.form
  }

  get willValidate(): boolean {
    return this.internals.willValidate
  }

  get validity(): ValidityState {
    this.sync()
    return this.internals.validity
  }

  checkValidity(): boolean {
    this.sync()
    return this.internals.checkValidity()
  }

  override focus(options?: FocusOptions): void {
    inputOf(this)?.focus(options)
  }

  connectedCallback(): void {
    const tree = this.getRootNode()
    // The form is in the same tree, which may be a shadow tree. Capture events before the page handles them.
    if (styleTree(tree))
      for (const name of ['click', 'submit', 'formdata'])
        tree.addEventListener(name, (event) => FormControl.#onFormEvent(event), true)
    controls.add(this)
  }

  formDisabledCallback(): void {
    this.sync()
  }

  /** Updates what the form sends and whether the browser may send it. */
  protected sync(): void {
    const input = inputOf(this)
    const { id, isUnchosen, record, typed } = this.choice
    const isOff = this.matches(':disabled') || input?.disabled === true
    const all: Entries = [
      [this.name, id],
      [this.getAttribute('source-name') ?? '', String(record?.source ?? '')],
    ]
    const entries = all.filter(([name]) => name && !isOff)
    // Browsers store each new value in the session history.
    if (JSON.stringify(entries) !== JSON.stringify(this.#submitted)) {
      const data = new FormData()
      for (const entry of entries) data.append(...entry)
      this.internals.setFormValue(data)
      this.#submitted = entries
    }
    const valueMissing = !isOff && this.required && typed === ''
    const customError = !isOff && isUnchosen && this.name !== ''
    this.internals.setValidity({ valueMissing, customError }, textFor(this, 'choose'), input ?? undefined)
    // Do not mark unfinished text as invalid while the user is typing.
    if (input !== null) input.ariaInvalid = customError && !this.choice.isTyping ? 'true' : null
  }

  static #onFormEvent(event: Event): void {
    const { target } = event
    if (event instanceof FormDataEvent && target instanceof HTMLFormElement)
      FormControl.#correct(
        [...target.elements].filter((each) => each instanceof FormControl),
        event.formData,
      )
    for (const control of controls) {
      const isSubmitted = event instanceof SubmitEvent && control.form === target
      control.follow(isSubmitted)
      // The browser validated the form before the page changed the text.
      if (isSubmitted && control.#refuses(event)) return
    }
  }

  /**
   * Updates what the form sends to what its boxes show now, because the page may have changed text without an event.
   * Boxes with the same name are told apart by their order.
   */
  static #correct(controls: readonly FormControl[], data: FormData): void {
    const all: Entries[number][] = [...data]
    let from = 0
    for (const control of controls) {
      const old = control.#submitted
      control.sync()
      const now = control.#submitted
      const [first] = old
      const at = first
        ? all.findIndex(([name, value], n) => n >= from && name === first[0] && value === first[1])
        : from
      if (at < 0) continue
      all.splice(at, old.length, ...now)
      from = at + now.length
    }
    for (const [name] of [...data]) data.delete(name)
    for (const entry of all) data.append(...entry)
  }

  #refuses(event: SubmitEvent): boolean {
    if (this.form?.noValidate || event.submitter?.matches('[formnovalidate]') || this.checkValidity()) return false
    event.preventDefault()
    event.stopImmediatePropagation()
    this.internals.reportValidity()
    return true
  }
}

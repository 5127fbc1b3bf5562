import { inputOf } from './choice'
import { type TextName, textFor } from './texts'

/** The message line of a box. */
export class Status {
  readonly #host: Element
  readonly #line = document.createElement('div')

  constructor(host: Element, tree: ShadowRoot) {
    this.#host = host
    this.#line.role = 'status'
    // Browser translation would change the names of drugs.
    this.#line.translate = false
    this.#line.setAttribute('part', 'status')
    tree.append(document.createElement('slot'), this.#line)
  }

  /** Screen readers announce each new message, and read it with the input. */
  write(text: string): void {
    if (this.#line.textContent === text) return
    this.#line.textContent = text
    Object.assign(inputOf(this.#host) ?? {}, { ariaDescription: text || null })
  }

  say(name: TextName, values?: Readonly<Record<string, string>>): void {
    this.write(textFor(this.#host, name, values))
  }
}

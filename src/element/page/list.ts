import {
  ALWAYS_SHOWN,
  type Answer,
  detailsOf,
  type FoundRecord,
  lookalikesOf,
  MOST_RECORDS,
  manufacturersOf,
  nameOf,
  type Row,
  rowsOf,
  textOf,
} from './rows'
import type { Texts } from './texts'

/** What an option of the list stands for. */
export type Choice = { record: FoundRecord } | { row: Row }

let lists = 0

/** An element with a part's name and its content. Texts are never read as HTML. */
export function part<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  name: string,
  ...content: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag)
  element.dataset.part = name
  element.append(...content)
  return element
}

/** Isolated, because the names of drugs may run in another direction than the page. */
const value = (name: string, text: string): HTMLElement => part('bdi', name, text)

/** Values in one line, with something between them that is read aloud as a pause. */
const line = (values: readonly HTMLElement[]): HTMLElement =>
  part('span', 'line', ...values.flatMap((one, index) => (index === 0 ? [one] : [', ', one])))

/** The list of matches below the box. */
export class List {
  readonly popup = part('div', 'popup')
  readonly box = part('div', 'list')
  readonly #more = part('div', 'more')
  readonly #texts: Texts
  readonly #choices = new WeakMap<Element, Choice>()
  #type = ''
  #lookalikes: ReadonlySet<FoundRecord> = new Set()

  constructor(texts: Texts) {
    this.#texts = texts
    this.popup.hidden = true
    this.box.id = `catalog-search-list-${++lists}`
    this.box.role = 'listbox'
    // A box that scrolls would take a stop of the Tab key.
    this.box.tabIndex = -1
    this.popup.append(this.box, this.#more)
  }

  choiceOf(option: Element): Choice | undefined {
    return this.#choices.get(option)
  }

  /** Shows an answer. Whether it is cut is said below it. */
  show(type: string, { items, approximate }: Answer, label: string): void {
    this.#type = type
    this.#lookalikes = lookalikesOf(type, items)
    const isCut = items.length >= MOST_RECORDS
    const similarFrom = items.length - approximate
    const rows = (records: readonly FoundRecord[]) =>
      rowsOf(type, records).map((row) => this.#optionOf(row, isCut))
    const content = rows(items.slice(0, similarFrom))
    if (approximate > 0) content.push(this.#similar(rows(items.slice(similarFrom))))
    this.box.ariaLabel = label
    this.box.replaceChildren(...content)
    this.box.scrollTop = 0
    this.#more.textContent = isCut ? this.#texts('more') : ''
    this.#more.hidden = !isCut
  }

  /** Shows or hides the records of a row. */
  toggle(option: HTMLElement, row: Row): void {
    const isOpen = option.toggleAttribute('data-open')
    this.#sayState(option, isOpen)
    let next = option.nextElementSibling
    while (next instanceof HTMLElement && next.dataset.part === 'member') {
      next.remove()
      next = option.nextElementSibling
    }
    if (isOpen) option.after(...row.map((record) => this.#record(record, 'member')))
  }

  /** A record in one line of text, for the status. */
  describe(record: FoundRecord): string {
    return this.#lines(record)
      .map(({ textContent }) => textContent)
      .join(', ')
  }

  #similar(options: readonly HTMLElement[]): HTMLElement {
    const heading = part('div', 'heading', this.#texts('similar'))
    heading.id = `${this.box.id}-similar`
    heading.role = 'presentation'
    const group = part('div', 'similar', heading, ...options)
    group.role = 'group'
    group.setAttribute('aria-labelledby', heading.id)
    return group
  }

  #optionOf(row: Row, isCut: boolean): HTMLElement {
    const [first] = row
    if (first === undefined) throw new Error('a row without a record')
    if (row.length === 1) return this.#record(first, 'record')
    const makers = manufacturersOf(row)
    const several = makers > 1
    const n = `${several ? makers : row.length}${isCut ? '+' : ''}`
    const count = part('span', 'count', this.#texts(several ? 'manufacturers' : 'records', { n }))
    const maker = several ? [] : [this.#always(first, 'manufacturer')]
    const option = this.#option('row', { row }, [
      ...this.#heads(first),
      part('span', 'line', line([...maker, count]), part('span', 'state')),
    ])
    this.#sayState(option, false)
    return option
  }

  #sayState(option: HTMLElement, isOpen: boolean): void {
    const state = option.querySelector('[data-part="state"]')
    if (state !== null) state.textContent = `, ${this.#texts(isOpen ? 'open' : 'closed')}`
  }

  #record(record: FoundRecord, name: 'record' | 'member'): HTMLElement {
    return this.#option(name, { record }, this.#lines(record))
  }

  #option(name: string, choice: Choice, content: readonly HTMLElement[]): HTMLElement {
    const option = part('div', name, ...content.flatMap((one) => [one, ' ']))
    option.role = 'option'
    this.#choices.set(option, choice)
    return option
  }

  #always(record: FoundRecord, field: (typeof ALWAYS_SHOWN)[number]): HTMLElement {
    return value(field.replace('_name', ''), textOf(record, field) || this.#texts(field))
  }

  /** What records of one row have in common: the names, and for medications strength and form. */
  #heads(record: FoundRecord): HTMLElement[] {
    const name = nameOf(record)
    const full = textOf(record, 'name')
    const [strength, form] = ALWAYS_SHOWN
    const head = line([
      value('name', name),
      ...(this.#type === 'medication' ? [this.#always(record, strength), this.#always(record, form)] : []),
    ])
    return full.toLowerCase() === name.toLowerCase() ? [head] : [head, line([value('full-name', full)])]
  }

  #lines(record: FoundRecord): HTMLElement[] {
    const details =
      this.#type === 'medication'
        ? [this.#always(record, 'manufacturer')]
        : detailsOf(this.#type)
            .filter((field) => textOf(record, field) !== '')
            .map((field) => value(field, textOf(record, field)))
    if (this.#lookalikes.has(record)) details.push(value('id', textOf(record, `${this.#type}_id`)))
    return details.length === 0 ? this.#heads(record) : [...this.#heads(record), line(details)]
  }
}

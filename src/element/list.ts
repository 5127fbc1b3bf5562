import type { FoundRecord } from '#client/found-record'
import { MOST_MATCHES } from './limits'
import {
  type ALWAYS_SHOWN,
  type Answer,
  addAnswer,
  detailsOf,
  foundBy,
  isOrdinary,
  lookalikesOf,
  manufacturersOf,
  nameOf,
  type Row,
  rowsOf,
  type Section,
  textOf,
} from './rows'
import { type TextName, textFor } from './texts'

let lists = 0

/** Creates an element with a part name and content. Text is never parsed as HTML. */
function part(tag: 'div' | 'span' | 'bdi', name: string, ...content: (Node | string)[]): HTMLElement {
  const element = document.createElement(tag)
  element.dataset.part = name
  element.append(...content)
  return element
}

/**
 * Creates an isolated value, because drug names may have a different writing direction than the page. Browser
 * translation does not change it.
 */
const value = (name: string, text: string): HTMLElement => Object.assign(part('bdi', name, text), { translate: false })

/** Creates a line of values separated by commas, which screen readers read as pauses. */
const line = (...values: readonly HTMLElement[]): HTMLElement =>
  part('span', 'line', ...values.flatMap((one, index) => (index ? [', ', one] : [one])))

/** The list of matches. */
export class List {
  readonly box = part('div', 'popup')
  readonly #host: Element & { type: string }
  readonly #rows = new Map<Element, readonly FoundRecord[]>()
  readonly #sections: Section[] = []
  /** The text that was searched. Empty until there is a response. */
  q = ''
  /** The words by which the records of a section were found. */
  #searched = ''
  #isCut = false
  #lookalikes: ReadonlySet<FoundRecord> = new Set()

  constructor(host: Element & { type: string }) {
    this.#host = host
    this.box.popover = 'manual'
    this.box.id = `catalog-search-list-${++lists}`
    this.box.role = 'listbox'
    // A scrolling box would otherwise be a tab stop.
    this.box.tabIndex = -1
  }

  /** The records that an option stands for; an empty row stands for the next page. */
  rowOf(option: Element): readonly FoundRecord[] | undefined {
    return this.#rows.get(option)
  }

  optionWith(record: FoundRecord | undefined): Element | undefined {
    return [...this.#rows].find(([, row]: [Element, readonly unknown[]]) => row.includes(record))?.[0]
  }

  get #items(): FoundRecord[] {
    return this.#sections.flatMap(({ records }) => records)
  }

  #text(name: TextName, values?: Readonly<Record<string, string>>): string {
    return textFor(this.#host, name, values)
  }

  /** How many records it has. */
  get count(): number {
    return this.#items.length
  }

  /** The catalog of its records; undefined if there are none. */
  get source(): unknown {
    return this.#items[0]?.source
  }

  /** Starts a new list with the next response. */
  clear(): void {
    this.q = ''
    this.#sections.length = 0
  }

  /** Adds the records of a response. @returns the status text for all records */
  add(q: string, answer: Answer): string {
    this.q = q
    addAnswer(this.#sections, answer)
    this.#rows.clear()
    this.#lookalikes = lookalikesOf(this.#host.type, this.#items)
    // More records match than are shown.
    this.#isCut = answer.has_more || this.count >= MOST_MATCHES
    const content = this.#sections.flatMap((section) => this.#optionsOf(section))
    const last = this.#sections.at(-1)
    // Approximate matches have no next page. Typing more is safer.
    if (answer.has_more && last && isOrdinary(last))
      content.push(this.#option('more', [], line(value('', this.#text('more')))))
    this.box.replaceChildren(...content)
    this.box.scrollTop = 0
    this.box.ariaLabel = this.#summary()
    return this.box.ariaLabel
  }

  /** How many of its records are ordinary matches. */
  get ordinary(): number {
    return this.#sections.filter(isOrdinary).flatMap(({ records }) => records).length
  }

  #summary(): string {
    const [first] = this.#sections
    const nothing = this.#text('nothing', { q: this.q })
    if (first === undefined) return nothing
    if (this.ordinary > 0) return this.#text('matches', { n: this.#counted(this.ordinary) })
    return `${nothing} ${this.#headingOf(first)} (${this.#counted(this.count)})`
  }

  /** A number, with `+` if more records may match than are shown. */
  #counted(n: number): string {
    return `${n}${this.#isCut ? '+' : ''}`
  }

  /** Expands or collapses a row. @returns the status text */
  toggle(option: HTMLElement, row: readonly FoundRecord[]): string {
    const isOpen = option.toggleAttribute('data-open')
    const text = this.#sayState(option, isOpen)
    let next = option.nextElementSibling
    while (next?.matches('[data-part="member"]')) {
      next.remove()
      next = option.nextElementSibling
    }
    if (isOpen) option.after(...row.map((record) => this.#record(record, 'member')))
    return text
  }

  /** A record in one line of text, for the status. */
  describe(record: FoundRecord): string {
    return this.#lines(record)
      .map(({ textContent }) => textContent)
      .join(', ')
  }

  /** The heading of a section. It must be obvious if no record has the strength that was searched. */
  #headingOf({ match, query, left_out }: Section): string {
    const other = query ?? ''
    if (match === 'beginning') return this.#text(match, { q: other.split(' ').at(-1) ?? '' })
    if (match === 'misspelt') return this.#text('similar', { q: other })
    if (/^\d/.test(left_out[0] ?? '')) return this.#text('nothing-with', { q: left_out.join(', '), other })
    return this.#text('left-out', { q: left_out.map((word) => `‘${word}’`).join(', ') })
  }

  /** The options of a section; those that are not exact in a group with a heading. */
  #optionsOf(section: Section): HTMLElement[] {
    // Rows that are expanded later use it, too.
    this.#searched = section.query ?? this.q
    const options = rowsOf(this.#host.type, section.records).map((row) => this.#optionOf(row))
    if (section.match === 'exact') return options
    const heading = part('div', 'heading', this.#headingOf(section))
    heading.role = 'presentation'
    const group = part('div', isOrdinary(section) ? 'beginning' : 'similar', heading, ...options)
    group.role = 'group'
    group.ariaLabel = heading.textContent
    return [group]
  }

  #optionOf(row: Row): HTMLElement {
    const [first] = row
    if (row.length === 1) return this.#record(first, 'record')
    const makers = manufacturersOf(row)
    const several = makers > 1
    const count = value(
      'count',
      this.#text(several ? 'manufacturers' : 'records', { n: this.#counted(several ? makers : row.length) }),
    )
    const all = line(...(several ? [] : [this.#always(first, 'manufacturer')]), count)
    all.append(part('span', 'state'))
    const option = this.#option('row', row, ...this.#heads(first), all)
    this.#sayState(option, false)
    return option
  }

  #sayState(option: HTMLElement, isOpen: boolean): string {
    const state = option.querySelector('[data-part="state"]')
    if (state !== null) state.textContent = `, ${this.#text(isOpen ? 'open' : 'closed')}`
    return state?.parentElement?.textContent ?? ''
  }

  #record(record: FoundRecord, name: 'record' | 'member'): HTMLElement {
    return this.#option(name, [record], ...this.#lines(record))
  }

  #option(name: string, row: readonly FoundRecord[], ...content: readonly HTMLElement[]): HTMLElement {
    const option = part('div', name, ...content.flatMap((one) => [one, ' ']))
    const by = row[0] && foundBy(this.#host.type, row[0], this.#searched)
    if (by) option.append(line(value('found-by', this.#text('found-by', { by }))))
    option.role = 'option'
    this.#rows.set(option, row)
    return option
  }

  #always(record: FoundRecord, field: (typeof ALWAYS_SHOWN)[number]): HTMLElement {
    const name = field === 'form_name' ? 'form' : field
    return value(name, textOf(record, field) || this.#text(name))
  }

  /** What records of one row have in common: the names, and for medications strength and form. */
  #heads(record: FoundRecord): HTMLElement[] {
    const name = nameOf(record)
    const full = textOf(record, 'name')
    const more = this.#host.type === 'medication' ? (['strength', 'form_name'] as const) : []
    const head = line(value('name', name), ...more.map((field) => this.#always(record, field)))
    return full.toLowerCase() === name.toLowerCase() ? [head] : [head, line(value('full-name', full))]
  }

  #lines(record: FoundRecord): HTMLElement[] {
    const type = this.#host.type
    const details =
      type === 'medication'
        ? [this.#always(record, 'manufacturer')]
        : detailsOf(type).flatMap((field) => (textOf(record, field) ? [value(field, textOf(record, field))] : []))
    if (this.#lookalikes.has(record)) details.push(value('id', textOf(record, `${type}_id`)))
    return details.length ? [...this.#heads(record), line(...details)] : this.#heads(record)
  }
}

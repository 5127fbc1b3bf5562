import {
  ALWAYS_SHOWN,
  type Answer,
  detailsOf,
  type FoundRecord,
  foundBy,
  lookalikesOf,
  MOST_MATCHES,
  manufacturersOf,
  nameOf,
  type Row,
  rowsOf,
  textOf,
} from './rows'
import type { Texts } from './texts'

let lists = 0

/** Makes an element with the name of a part and its content. Texts are never read as HTML. */
function part<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  name: string,
  ...content: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag)
  element.dataset.part = name
  element.append(...content)
  return element
}

/** Makes an isolated value: the names of drugs may have another direction of writing than the page. */
const value = (name: string, text: string): HTMLElement => part('bdi', name, text)

/** Makes a line of values, with commas between them, which screen readers read as pauses. */
const line = (values: readonly HTMLElement[]): HTMLElement =>
  part('span', 'line', ...values.flatMap((one, index) => (index === 0 ? [one] : [', ', one])))

/** What is below the box: a status line, and the list of matches. */
export class List {
  readonly status = part('div', 'status')
  readonly box = part('div', 'list')
  readonly popup = part('div', 'popup', this.box)
  readonly #texts: Texts
  readonly #rows = new Map<Element, readonly FoundRecord[]>()
  #type = ''
  #q = ''
  #items: readonly FoundRecord[] = []
  #lookalikes: ReadonlySet<FoundRecord> = new Set()

  constructor(texts: Texts) {
    this.#texts = texts
    this.popup.hidden = true
    // Without it the list is below the box, and a parent that scrolls cuts it off.
    if (CSS.supports('anchor-scope', 'all')) this.popup.popover = 'manual'
    this.box.id = `catalog-search-list-${++lists}`
    this.box.role = 'listbox'
    this.status.id = `${this.box.id}-status`
    this.status.role = 'status'
    // A box that scrolls would take a stop of the Tab key.
    this.box.tabIndex = -1
  }

  /** Screen readers read each new text aloud. */
  say(text: string): void {
    if (this.status.textContent !== text) this.status.textContent = text
  }

  /** The records that an option stands for; an empty row stands for the next page. */
  rowOf(option: Element): readonly FoundRecord[] | undefined {
    return this.#rows.get(option)
  }

  optionWith(record: FoundRecord | undefined): Element | undefined {
    return [...this.#rows].find(([, row]: [Element, readonly unknown[]]) => row.includes(record))?.[0]
  }

  /** How many records it has. */
  get count(): number {
    return this.#items.length
  }

  /** The next answer begins a new list. */
  clear(): void {
    this.#items = []
  }

  /** Adds the records of an answer. @returns the status text about all of them */
  add(type: string, q: string, { items, approximate, has_more }: Answer): string {
    this.#type = type
    this.#q = q
    this.#items = [...this.#items, ...items]
    this.#rows.clear()
    this.#lookalikes = lookalikesOf(type, this.#items)
    const { count } = this
    // More records match than are shown.
    const isCut = has_more || count >= MOST_MATCHES
    const rows = (records: readonly FoundRecord[]) => rowsOf(type, records).map((row) => this.#optionOf(row, isCut))
    const content = rows(this.#items.slice(0, count - approximate))
    if (approximate > 0) content.push(this.#similar(rows(this.#items.slice(count - approximate))))
    // Of similar names there is no next page: a longer text is safer.
    else if (has_more) content.push(this.#option('more', [], [part('span', 'line', this.#texts('more'))]))
    this.box.replaceChildren(...content)
    this.box.scrollTop = 0
    const kind = count === 0 ? 'nothing' : count === approximate ? 'only-similar' : 'matches'
    this.box.ariaLabel = this.#texts(kind, { n: `${count}${isCut ? '+' : ''}`, q })
    return this.box.ariaLabel
  }

  /** Shows or hides the records of a row. @returns the status text about that */
  toggle(option: HTMLElement, row: readonly FoundRecord[]): string {
    const isOpen = option.toggleAttribute('data-open')
    const text = this.#sayState(option, isOpen)
    let next = option.nextElementSibling
    while (next instanceof HTMLElement && next.dataset.part === 'member') {
      next.remove()
      this.#rows.delete(next)
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
    if (row.length === 1) return this.#record(first, 'record')
    const makers = manufacturersOf(row)
    const several = makers > 1
    const n = `${several ? makers : row.length}${isCut ? '+' : ''}`
    const count = part('span', 'count', this.#texts(several ? 'manufacturers' : 'records', { n }))
    const maker = several ? [] : [this.#always(first, 'manufacturer')]
    const option = this.#option('row', row, [
      ...this.#heads(first),
      part('span', 'line', line([...maker, count]), part('span', 'state')),
    ])
    this.#sayState(option, false)
    return option
  }

  #sayState(option: HTMLElement, isOpen: boolean): string {
    const state = option.querySelector('[data-part="state"]')
    if (state !== null) state.textContent = `, ${this.#texts(isOpen ? 'open' : 'closed')}`
    return state?.parentElement?.textContent ?? ''
  }

  #record(record: FoundRecord, name: 'record' | 'member'): HTMLElement {
    return this.#option(name, [record], this.#lines(record))
  }

  #option(name: string, row: readonly FoundRecord[], content: readonly HTMLElement[]): HTMLElement {
    const option = part('div', name, ...content.flatMap((one) => [one, ' ']))
    const by = row[0] && foundBy(this.#type, row[0], this.#q)
    if (by !== undefined) option.append(line([value('found-by', this.#texts('found-by', { by }))]))
    option.role = 'option'
    this.#rows.set(option, row)
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

import type { Attributes } from './xml'

/** Elements in a cell or paragraph whose text is not part of the cell's text. */
const OTHERS: ReadonlySet<string> = new Set(['annotation', 'frame', 'note', 'ruby-text', 'shapes', 'object'])

const BLANKS = /[ \t\r\n]+/g

/** Characters of a cell that spreadsheet programs store. A file may repeat a space more often. */
const CELL_CHARACTERS = 32_767

/** The text of a cell in an OpenDocument file: one line per paragraph (OpenDocument 1.3, part 3, 5.1.3, 6.1). */
export class Paragraphs {
  #lines: string[] = []
  #line: string | undefined
  /** Whether the paragraph has just begun or ends with a space, after which further whitespace is ignored. */
  #endsInBlank = true
  /** Number of open elements in an element that is skipped. */
  #passedOver = 0

  begin(name: string, attributes: Attributes): void {
    if (this.#passedOver > 0 || OTHERS.has(name)) this.#passedOver++
    else if (name === 'p') {
      this.#line = ''
      this.#endsInBlank = true
    } else if (name === 's') this.#add(' '.repeat(Math.min(Number(attributes['text:c'] ?? 1), CELL_CHARACTERS)))
    else if (name === 'tab') this.#add('\t')
    else if (name === 'line-break') this.#add('\n')
  }

  text(piece: string): void {
    if (this.#line === undefined || this.#passedOver > 0) return
    const text = piece.replace(BLANKS, ' ')
    const rest = this.#endsInBlank && text.startsWith(' ') ? text.slice(1) : text
    if (rest === '') return
    this.#line += rest
    this.#endsInBlank = rest.endsWith(' ')
  }

  end(name: string): void {
    if (this.#passedOver > 0) this.#passedOver--
    else if (name === 'p' && this.#line !== undefined) {
      this.#lines.push(this.#line)
      this.#line = undefined
    }
  }

  /** Returns and clears the text; undefined if there was no paragraph. */
  take(): string | undefined {
    const lines = this.#lines
    this.#lines = []
    return lines.length === 0 ? undefined : lines.join('\n')
  }

  #add(text: string): void {
    if (this.#line === undefined) return
    this.#line += text
    this.#endsInBlank = false
  }
}

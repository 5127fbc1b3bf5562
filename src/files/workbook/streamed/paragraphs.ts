import type { Attributes } from './xml'

/** Elements of a cell or of a paragraph that say something else than the cell. */
const OTHERS: ReadonlySet<string> = new Set(['annotation', 'frame', 'note', 'ruby-text', 'shapes', 'object'])

const BLANKS = /[ \t\r\n]+/g

/** The text of a cell of an OpenDocument file: its paragraphs, a line each (OpenDocument 1.3, part 3, 5.1.3, 6.1). */
export class Paragraphs {
  #lines: string[] = []
  #line: string | undefined
  /** Whether the paragraph has begun or ends with a blank: further blanks do not count. */
  #endsInBlank = true
  /** Elements that are open within one that is passed over. */
  #passedOver = 0

  begin(name: string, attributes: Attributes): void {
    if (this.#passedOver > 0 || OTHERS.has(name)) this.#passedOver++
    else if (name === 'p') {
      this.#line = ''
      this.#endsInBlank = true
    } else if (name === 's') this.#add(' '.repeat(Number(attributes['text:c'] ?? 1)))
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

  /** The text since the last time; undefined if there was no paragraph. */
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

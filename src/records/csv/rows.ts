import type { ApiError } from '#errors'
import { MAX_CELL_CHARACTERS, MAX_CSV_COLUMNS } from '#limits'
import type { Dialect } from './dialect'
import { unreadableFile } from './errors'

const QUOTE = 0x22
const SPACE = 0x20
const TAB = 0x09
const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d

/**
 * Splits a file into rows of cells, from the header row on (RFC 4180, section 2), with any of the separators
 * and with CRLF, LF or CR as line ends. White space after a closing quote is dropped. A quote inside an
 * unquoted cell is part of the text.
 *
 * Reads no further than the caller asks, and keeps one row in memory. A parser that first makes arrays of the whole
 * file needs several hundred megabytes for 10 MB of line ends or of stray quotes; an isolate has 128.
 *
 * @returns every row, blank ones too; the first is the header row
 * @throws ApiError 400 when a quoted cell is not closed, or not closed properly, with the row in which it opened; and
 *   when a row has more cells than a spreadsheet can have
 */
export function* splitRows(text: string, { separator, headerStart }: Dialect): Generator<string[]> {
  const cells = new CellScanner(text, separator, headerStart)
  for (let row = 0; !cells.atEnd; row++) yield cells.row(row)
}

/** The next position of a character. Searches for each position once, with `indexOf`. */
class NextOf {
  #found = -1

  constructor(
    readonly text: string,
    readonly character: string,
  ) {}

  /** @param at not smaller than in the last call */
  from(at: number): number {
    if (this.#found < at) {
      const found = this.text.indexOf(this.character, at)
      this.#found = found === -1 ? this.text.length : found
    }
    return this.#found
  }
}

class CellScanner {
  readonly #text: string
  readonly #separator: number
  readonly #nextSeparator: NextOf
  readonly #nextLineFeed: NextOf
  readonly #nextCarriageReturn: NextOf
  #at: number
  /** The next line end, quoted ones included; looked for once it has been passed. */
  #lineEnd = -1

  constructor(text: string, separator: string, start: number) {
    this.#text = text
    this.#separator = separator.charCodeAt(0)
    this.#nextSeparator = new NextOf(text, separator)
    this.#nextLineFeed = new NextOf(text, '\n')
    this.#nextCarriageReturn = new NextOf(text, '\r')
    this.#at = start
  }

  get atEnd(): boolean {
    return this.#at >= this.#text.length
  }

  /** Reads up to and including the next line end outside quotes. */
  row(row: number): string[] {
    const text = this.#text
    const cells: string[] = []
    for (;;) {
      cells.push(text.charCodeAt(this.#at) === QUOTE ? this.#quoted(row) : this.#unquoted())
      if (text.charCodeAt(this.#at) !== this.#separator) break
      if (cells.length === MAX_CSV_COLUMNS) throw tooManyCells(row)
      this.#at++
    }
    const lineEnd = text.charCodeAt(this.#at)
    this.#at++
    if (lineEnd === CARRIAGE_RETURN && text.charCodeAt(this.#at) === LINE_FEED) this.#at++
    return cells
  }

  #unquoted(): string {
    const start = this.#at
    if (this.#lineEnd < start) {
      this.#lineEnd = Math.min(this.#nextLineFeed.from(start), this.#nextCarriageReturn.from(start))
    }
    this.#at = Math.min(this.#nextSeparator.from(start), this.#lineEnd)
    return this.#text.slice(start, this.#at)
  }

  #quoted(row: number): string {
    const text = this.#text
    const start = this.#at + 1
    let close = text.indexOf('"', start)
    let doubled = false
    while (close !== -1 && text.charCodeAt(close + 1) === QUOTE) {
      doubled = true
      close = text.indexOf('"', close + 2)
    }
    if (close === -1) throw quoteError(row, 'never closes; write a quote at the end of that cell')
    this.#at = close + 1
    this.#skipSpaces()
    if (!this.#atCellEnd()) {
      throw quoteError(
        row,
        'is not closed properly: a separator or a line end must follow the closing quote, and a quote inside a quoted cell is written twice',
      )
    }
    const cell = text.slice(start, close)
    // A cell that is too long for every field stays unchanged: replacing its doubled quotes takes many times its
    // size.
    return doubled && cell.length <= MAX_CELL_CHARACTERS ? cell.replace(/""/g, '"') : cell
  }

  #skipSpaces(): void {
    for (; ; this.#at++) {
      const code = this.#text.charCodeAt(this.#at)
      if (code !== SPACE && (code !== TAB || this.#separator === TAB)) return
    }
  }

  #atCellEnd(): boolean {
    if (this.atEnd) return true
    const code = this.#text.charCodeAt(this.#at)
    return code === this.#separator || code === LINE_FEED || code === CARRIAGE_RETURN
  }
}

const place = (row: number): string => (row === 0 ? 'the header row' : `row ${row}`)

const quoteError = (row: number, what: string): ApiError =>
  unreadableFile('malformed', `a quote that opens in ${place(row)} ${what}`)

const tooManyCells = (row: number): ApiError =>
  unreadableFile('too_many', `${place(row)} has more than ${MAX_CSV_COLUMNS} cells`)

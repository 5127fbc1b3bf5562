import type { ApiError } from '#shared/errors/errors'
import { MAX_CELL_CHARACTERS, MAX_CSV_COLUMNS } from '#shared/limits'
import { CARRIAGE_RETURN, LINE_FEED, QUOTE, SPACE, TAB } from '#shared/text/characters'
import { closingQuote, type Dialect } from './dialect'
import { unreadableFile } from './errors'

interface CellFault {
  /** Position of the cell in its row, from 0. */
  position: number
  /** Text follows the closing quote, or the quoted text contains a line end. */
  kind: 'text after quote' | 'line end'
}

/** The cells of a row. `faults` is present only if there are any, which is rare. */
export type Cells = string[] & { faults?: CellFault[] }

/**
 * Splits a file into rows of cells, from the header row on, including blank rows (RFC 4180, section 2;
 * docs/contract.md#csv-cells). Keeps one row in memory: a parser that creates arrays of the whole file needs several
 * hundred megabytes for 10 MB of line ends.
 *
 * @throws ApiError 400 if a quoted cell is not closed, or a row has more cells than a spreadsheet can have
 */
export function* splitRows(text: string, { separator, headerStart }: Dialect): Generator<Cells> {
  const cells = new CellScanner(text, separator, headerStart)
  for (let row = 0; !cells.atEnd; row++) yield cells.row(row)
}

/** Finds the next position of a character. Finds each position only once, with `indexOf`. */
class NextOf {
  #position = -1

  constructor(
    readonly text: string,
    readonly character: string,
  ) {}

  /** @param at not smaller than in the last call */
  from(at: number): number {
    if (this.#position < at) {
      const position = this.text.indexOf(this.character, at)
      this.#position = position === -1 ? this.text.length : position
    }
    return this.#position
  }
}

class CellScanner {
  readonly #text: string
  readonly #separator: number
  readonly #nextSeparator: NextOf
  readonly #nextLineFeed: NextOf
  readonly #nextCarriageReturn: NextOf
  #at: number
  /** The next line end, quoted or not. Searched again once it is passed. */
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
  row(row: number): Cells {
    const text = this.#text
    const cells: Cells = []
    for (;;) {
      cells.push(this.#atQuote() ? this.#quoted(row, cells) : this.#unquoted())
      if (text.charCodeAt(this.#at) !== this.#separator) break
      if (cells.length === MAX_CSV_COLUMNS) throw tooManyCells(row)
      this.#at++
    }
    const lineEnd = text.charCodeAt(this.#at)
    this.#at++
    if (lineEnd === CARRIAGE_RETURN && text.charCodeAt(this.#at) === LINE_FEED) this.#at++
    return cells
  }

  /** Whether a quoted cell begins here. Skips blanks before its quote. */
  #atQuote(): boolean {
    const code = this.#text.charCodeAt(this.#at)
    if (code !== SPACE && code !== TAB) return code === QUOTE
    const start = this.#at
    this.#skipSpaces()
    if (this.#text.charCodeAt(this.#at) === QUOTE) return true
    this.#at = start
    return false
  }

  #nextLineEnd(from: number): number {
    if (this.#lineEnd < from) {
      this.#lineEnd = Math.min(this.#nextLineFeed.from(from), this.#nextCarriageReturn.from(from))
    }
    return this.#lineEnd
  }

  #unquoted(): string {
    const start = this.#at
    const lineEnd = this.#nextLineEnd(start)
    this.#at = Math.min(this.#nextSeparator.from(start), lineEnd)
    return this.#text.slice(start, this.#at)
  }

  #quoted(row: number, before: Cells): string {
    const text = this.#text
    const start = this.#at + 1
    const close = closingQuote(text, start)
    if (close === -1) throw neverCloses(row, before.length + 1)
    const holdsLineEnd = this.#nextLineEnd(start) < close
    this.#at = close + 1
    this.#skipSpaces()
    if (!this.#atCellEnd()) {
      addFault(before, 'text after quote')
      this.#unquoted()
      return text.slice(start - 1, this.#at)
    }
    if (holdsLineEnd) addFault(before, 'line end')
    const cell = text.slice(start, close)
    // A cell that is too long for any field stays unchanged, because replacing its quotes uses many times its size.
    return cell.length <= MAX_CELL_CHARACTERS && cell.includes('"') ? cell.replace(/""/g, '"') : cell
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

/** @param cells the cells before the one with the fault */
function addFault(cells: Cells, kind: CellFault['kind']): void {
  cells.faults ??= []
  cells.faults.push({ position: cells.length, kind })
}

export const rowName = (row: number): string => (row === 0 ? 'the header row' : `row ${row}`)

const neverCloses = (row: number, column: number): ApiError =>
  unreadableFile(
    'malformed',
    `a quote that opens in ${rowName(row)} never closes; write a quote at the end of that cell`,
    null,
    { row, column },
  )

const tooManyCells = (row: number): ApiError =>
  unreadableFile('too_many', `${rowName(row)} has more than ${MAX_CSV_COLUMNS} cells`, null, {
    row,
    limit: MAX_CSV_COLUMNS,
  })

import Papa from 'papaparse'
import { CARRIAGE_RETURN, LINE_FEED, QUOTE, SPACE } from '#shared/text/characters'
import { unreadableFile } from './errors'
import type { HeaderNames } from './header'

/** Characters that may separate columns. `|` and `+` separate the items of a list. */
export const SEPARATORS = [',', ';', '\t'] as const
export type Separator = (typeof SEPARATORS)[number]

export interface Dialect {
  separator: Separator
  /** Start of the header row in UTF-16 code units, after blank lines and the `sep=` line. */
  headerStart: number
}

const SEPARATOR_CODES = SEPARATORS.map((separator) => separator.charCodeAt(0))

/** Length of the header row's sample that decides the separator, in characters. */
const HEADER_SAMPLE = 64 * 1024

/** A line that names the separator, as spreadsheet programs write and read it. The quotes are optional. */
export const SEPARATOR_LINE = /^"?sep=([^"]*)"?$/i

/**
 * Finds the header row and the separator, by the columns of the type (docs/contract.md#csv-separator).
 *
 * @throws ApiError 400 if there is no header row, or if a `sep=` line names anything but comma, semicolon or tab
 */
export function detectDialect(text: string, names: HeaderNames): Dialect {
  let start = skipBlankLines(text, 0)
  let end = endOfLine(text, start)
  const declared = declaredSeparator(text.slice(start, end))
  if (declared !== null) {
    start = skipBlankLines(text, end)
    end = endOfLine(text, start)
  }
  if (start === text.length)
    throw unreadableFile('wrong_file', 'it has no header row; its first line must name the columns')
  const sample = text.slice(start, Math.min(end, start + HEADER_SAMPLE))
  return { separator: declared ?? likeliestSeparator(sample, names), headerStart: start }
}

/** Start of the first line with more than white space, separators and quotes; otherwise the end of the text. */
function skipBlankLines(text: string, from: number): number {
  NOT_BLANK.lastIndex = from
  const first = NOT_BLANK.exec(text)?.index
  if (first === undefined) return text.length
  for (let at = first - 1; at >= from; at--) if (text[at] === '\n' || text[at] === '\r') return at + 1
  return from
}

const NOT_BLANK = /[^\s,;"]/g

/** End of the line that starts at `from`. Skips line ends in quoted cells, whatever the separator is. */
function endOfLine(text: string, from: number): number {
  let atCellStart = true
  for (let i = from; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === LINE_FEED || code === CARRIAGE_RETURN) return i
    if (code === QUOTE && atCellStart) {
      const close = closingQuote(text, i + 1)
      if (close === -1) break
      i = close
      atCellStart = false
    } else if (SEPARATOR_CODES.includes(code)) atCellStart = true
    else if (code !== SPACE) atCellStart = false
  }
  return text.length
}

function declaredSeparator(line: string): Separator | null {
  const [, named] = SEPARATOR_LINE.exec(line) ?? []
  if (named === undefined) return null
  const name = named.trim() || named
  const separator = SEPARATORS.find((candidate) => candidate === name)
  if (separator === undefined) {
    throw unreadableFile('not_allowed', 'its sep= line must name a comma, a semicolon or a tab', name)
  }
  return separator
}

/** The separator with the most known columns in the header row; a comma on a tie. */
function likeliestSeparator(header: string, names: HeaderNames): Separator {
  let likeliest: Separator = ','
  let most = 0
  for (const delimiter of SEPARATORS) {
    const [cells = []] = Papa.parse<string[]>(header, {
      delimiter,
      newline: '\n',
      quoteChar: '"',
      preview: 1,
    }).data
    const count = cells.filter((name) => names.isKnown(name)).length
    if (count > most) [likeliest, most] = [delimiter, count]
  }
  return likeliest
}

/** Characters to compare one by one before `indexOf`, which is slow if quotes are near each other. */
const NEAR = 16

function nextQuote(text: string, from: number): number {
  for (let at = from; at < from + NEAR; at++) if (text.charCodeAt(at) === QUOTE) return at
  return text.indexOf('"', from + NEAR)
}

/** The closing quote of a quoted cell whose text starts at `from`, skipping doubled quotes; -1 if there is none. */
export function closingQuote(text: string, from: number): number {
  let close = text.indexOf('"', from)
  while (close !== -1 && text.charCodeAt(close + 1) === QUOTE) close = nextQuote(text, close + 2)
  return close
}

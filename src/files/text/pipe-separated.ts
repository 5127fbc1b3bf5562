import Papa from 'papaparse'
import { LINE_END } from '#shared/records/csv/write'

const PIPE = '|'

/** Number of lines that determine the separator. */
const LINES_LOOKED_AT = 10

/** Number of characters to search for these lines. */
const BEGINNING_CHARACTERS = 64 * 1024

const countIn = (line: string): number => line.split(PIPE).length - 1

/**
 * Whether the columns of a text are separated by `|`: its first lines have the same number of columns, and the first
 * line contains none of the usual separators. In other files, `|` separates the items of a list.
 */
export function isPipeSeparated(text: string): boolean {
  const lines = text
    .slice(0, BEGINNING_CHARACTERS)
    .split(/\r\n|\r|\n/, LINES_LOOKED_AT + 1)
    .slice(0, LINES_LOOKED_AT)
    .filter((line) => line.trim() !== '')
  const [firstLine = ''] = lines
  return (
    countIn(firstLine) > 0 && !/[,;\t]/.test(firstLine) && lines.every((line) => countIn(line) === countIn(firstLine))
  )
}

/** Rewrites the text with commas as separators. */
export const withCommas = (text: string): string =>
  Papa.unparse(Papa.parse<string[]>(text, { delimiter: PIPE }).data, { newline: LINE_END })

import { UnusualFile } from './xml-text'

const ROWS = /<sheetData\s*(\/?)>/
const ROWS_END = '</sheetData>'
const ROW = '<row'

/** What stands above the rows of a sheet is shorter. */
const LONGEST_HEAD = 1_000_000

/** What stands above the rows of a sheet: its columns, among other things. */
export async function headOf(pieces: AsyncIterable<string>): Promise<string> {
  let head = ''
  for await (const piece of pieces) {
    head += piece
    const rows = ROWS.exec(head)
    if (rows !== null) return head.slice(0, rows.index)
    if (head.length > LONGEST_HEAD) break
  }
  throw new UnusualFile('a sheet without rows')
}

/**
 * Goes through the text of a sheet, of which it holds some rows at a time.
 *
 * @param take gets whole rows, as XML
 * @returns what stands below the rows
 */
export async function passRows(pieces: AsyncIterable<string>, take: (rows: string) => void): Promise<string> {
  let text = ''
  let part: 'head' | 'rows' | 'tail' = 'head'
  for await (const piece of pieces) {
    text += piece
    if (part === 'head') {
      const rows = ROWS.exec(text)
      if (rows === null) continue
      text = text.slice(rows.index + rows[0].length)
      part = rows[1] === '/' ? 'tail' : 'rows'
    }
    if (part === 'rows') {
      const end = text.indexOf(ROWS_END)
      // The last row may go on in the next piece.
      const whole = end === -1 ? Math.max(0, text.lastIndexOf(ROW)) : end
      take(text.slice(0, whole))
      text = text.slice(end === -1 ? whole : end + ROWS_END.length)
      if (end !== -1) part = 'tail'
    }
  }
  if (part !== 'tail') throw new UnusualFile('rows without an end')
  return text
}

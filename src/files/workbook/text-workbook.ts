import { type CellObject, utils, type WorkSheet, write } from '@e965/xlsx'

/** A sheet to write. The first row is the header. */
export interface TextSheet {
  /** Up to 31 characters, without `[]:*?/\\`. */
  name: string
  rows: Iterable<readonly string[]>
  /** Empty rows below the others, formatted as text, so that typed numbers keep their leading zeros. */
  blankRows?: number
}

/** ECMA-376, part 1: limits of spreadsheet programs. */
const MOST_CHARACTERS = 32_767
export const SHEET_ROWS = 1_048_576

/** Column widths, in characters. */
const WIDEST = 50
const NARROWEST = 10

const ROWS_FOR_WIDTH = 200

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/** The number format for text (ECMA-376, part 1, 18.8.30, id 49). */
export const TEXT_FORMAT = '@'

/** In a cell, `_x0041_` means `A` (ECMA-376, part 1, 22.9.2.19, ST_Xstring), so texts of this form are escaped. */
const escapeText = (text: string): string => text.replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')

const textCell = (text: string): CellObject => ({ t: 's', v: escapeText(text), z: TEXT_FORMAT })

/** @throws Error with the row and the column, if a text is too long for a cell */
function checkLength(cells: readonly string[], header: readonly string[]): void {
  const place = cells.findIndex((text) => text.length > MOST_CHARACTERS)
  if (place === -1) return
  throw new Error(
    `“${header[place] ?? place + 1}” of “${cells[0]}” is longer than a cell of a workbook can be. ` +
      'Download the CSV file, which has no such limit.',
  )
}

function widthsOf(rows: readonly (readonly string[])[], columns: number): { wch: number }[] {
  const widths = Array.from({ length: columns }, () => NARROWEST)
  for (const cells of rows.slice(0, ROWS_FOR_WIDTH)) {
    for (const [place, text] of cells.entries()) {
      widths[place] = Math.min(WIDEST, Math.max(widths[place] ?? NARROWEST, text.length + 2))
    }
  }
  return widths.map((wch) => ({ wch }))
}

function sheetOf({ rows, blankRows = 0 }: TextSheet): WorkSheet {
  const data: CellObject[][] = []
  const firstRows: (readonly string[])[] = []
  let columns = 0
  for (const cells of rows) {
    if (firstRows.length < ROWS_FOR_WIDTH) firstRows.push(cells)
    checkLength(cells, firstRows[0]!)
    if (data.length === SHEET_ROWS) throw new Error('A workbook cannot have this many rows.')
    const row: CellObject[] = []
    for (const [place, text] of cells.entries()) if (text !== '') row[place] = textCell(text)
    columns = Math.max(columns, cells.length)
    data.push(row)
  }
  for (let n = 0; n < blankRows; n++) {
    data.push(Array.from({ length: columns }, (): CellObject => ({ t: 'z', z: TEXT_FORMAT })))
  }
  const end = { r: Math.max(0, data.length - 1), c: Math.max(0, columns - 1) }
  return {
    '!data': data,
    '!ref': utils.encode_range({ s: { r: 0, c: 0 }, e: end }),
    '!cols': widthsOf(firstRows, columns),
  }
}

/**
 * Creates an .xlsx file with text cells only, so that spreadsheet programs keep leading zeros and run no formulas.
 *
 * @throws Error with the reason, if a workbook cannot contain the data
 */
export function textWorkbook(sheets: readonly TextSheet[]): Blob {
  const workbook = utils.book_new()
  for (const sheet of sheets) utils.book_append_sheet(workbook, sheetOf(sheet), sheet.name)
  const options = { type: 'array', bookType: 'xlsx', compression: true, sheetStubs: true } as const
  return new Blob([write(workbook, options)], { type: XLSX })
}

import { findHeaderRow, firstRows } from '#files/text/header-row'
import { ApiError } from '#shared/errors/errors'
import { detectDialect } from '#shared/records/csv/dialect'
import { HeaderNames } from '#shared/records/csv/header'
import type { Cells } from '#shared/records/csv/rows'
import type { RecordType } from '#shared/records/record-type'
import type { WorkbookSheet } from './workbook-sheet'

/** A sheet of a workbook, and how well it fits a catalog. */
export interface SheetFit {
  name: string
  /** Fields of the catalog that its header row names. */
  fields: number
  /** Its header row and those below, as they are shown. */
  firstRows: readonly (readonly string[])[]
  /** The newest date in it, in ISO 8601; undefined if it has none. */
  newestDate: string | undefined
}

/** Rows that tell one sheet from another. */
const SHOWN_ROWS = 4

const ISO_DATE = /(?<!\d)(?:19|20)\d{2}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?!\d)/g

/** The newest of the dates that cells show, and of those that they store. */
function newestDateIn({ csv, odd }: WorkbookSheet): string | undefined {
  const storedDates = odd.flatMap(({ cells }) => cells.flatMap((cell) => cell.stored.match(ISO_DATE) ?? []))
  return [...(csv.match(ISO_DATE) ?? []), ...storedDates].reduce<string | undefined>(
    (newest, date) => (newest === undefined || date > newest ? date : newest),
    undefined,
  )
}

function headerOf(csv: string, names: HeaderNames): { fields: number; rows: readonly Cells[] } {
  try {
    const dialect = detectDialect(csv, names)
    const { fields, titleRows } = findHeaderRow(csv, dialect, names)
    return { fields, rows: firstRows(csv, dialect, titleRows + SHOWN_ROWS).slice(titleRows) }
  } catch (error) {
    // What is wrong with the sheet is said when it is chosen.
    if (error instanceof ApiError) return { fields: 0, rows: [] }
    throw error
  }
}

/** The sheets of a workbook, in its order. */
export function sheetFits(sheets: readonly WorkbookSheet[], type: RecordType): SheetFit[] {
  const names = new HeaderNames(type)
  return sheets.map((sheet) => {
    const { fields, rows } = headerOf(sheet.csv, names)
    return { name: sheet.name, fields, firstRows: rows, newestDate: newestDateIn(sheet) }
  })
}

/** The sheets that fit best: several if they fit equally well. */
export function bestOf(sheets: readonly SheetFit[]): SheetFit[] {
  const most = Math.max(...sheets.map(({ fields }) => fields))
  return sheets.filter(({ fields }) => fields === most)
}

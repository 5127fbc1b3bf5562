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
  /** Number of the catalog's fields that its header row names. */
  fieldCount: number
  /** Its header row and the rows below it, as they are shown. */
  firstRows: readonly (readonly string[])[]
  /** The newest date in it, in ISO 8601; undefined if it has none. */
  newestDate: string | undefined
}

/** The sheets of a workbook, and the sheet that is read. */
export interface Sheets {
  all: readonly SheetFit[]
  chosen: string
}

/** Number of rows to show of each sheet, so that a user can tell them apart. */
const PREVIEW_ROWS = 4

const ISO_DATE = /(?<!\d)(?:19|20)\d{2}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?!\d)/g

/** The newest of all shown and stored dates. */
function newestDateIn({ csv, oddColumns }: WorkbookSheet): string | undefined {
  const storedDates = oddColumns.flatMap(({ cells }) => cells.flatMap((cell) => cell.stored.match(ISO_DATE) ?? []))
  return [...(csv.match(ISO_DATE) ?? []), ...storedDates].reduce<string | undefined>(
    (newest, date) => (newest === undefined || date > newest ? date : newest),
    undefined,
  )
}

/** The header row of a sheet, the rows below it, and the number of fields that the header row names. */
function previewOf(csv: string, names: HeaderNames): { fieldCount: number; rows: readonly Cells[] } {
  try {
    const dialect = detectDialect(csv, names)
    const { fieldCount, titleRows } = findHeaderRow(csv, dialect, names)
    return { fieldCount, rows: firstRows(csv, dialect, titleRows + PREVIEW_ROWS).slice(titleRows) }
  } catch (error) {
    // Errors of a sheet are reported when it is chosen.
    if (error instanceof ApiError) return { fieldCount: 0, rows: [] }
    throw error
  }
}

/** How well each sheet of a workbook fits a catalog, in workbook order. */
export function rateSheets(sheets: readonly WorkbookSheet[], type: RecordType): SheetFit[] {
  const names = new HeaderNames(type)
  return sheets.map((sheet) => {
    const { fieldCount, rows } = previewOf(sheet.csv, names)
    return { name: sheet.name, fieldCount, firstRows: rows, newestDate: newestDateIn(sheet) }
  })
}

/** The sheets that fit best: several if they fit equally well, and all if none names a field. */
export function bestOf(sheets: readonly SheetFit[]): SheetFit[] {
  const most = Math.max(...sheets.map(({ fieldCount }) => fieldCount))
  return sheets.filter(({ fieldCount }) => fieldCount === most)
}

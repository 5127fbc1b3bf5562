import { findHeaderRow } from '#files/text/header-row'
import { ApiError } from '#shared/errors/errors'
import { detectDialect } from '#shared/records/csv/dialect'
import { HeaderNames } from '#shared/records/csv/header'
import type { RecordType } from '#shared/records/record-type'
import type { WorkbookSheet } from './workbook-sheet'

/** A sheet of a workbook, and how well it fits a catalog. */
export interface SheetFit {
  name: string
  /** Fields of the catalog that its header row names. */
  fields: number
}

function headerFields(csv: string, names: HeaderNames): number {
  try {
    return findHeaderRow(csv, detectDialect(csv, names), names).fields
  } catch (error) {
    // What is wrong with the sheet is said when it is chosen.
    if (error instanceof ApiError) return 0
    throw error
  }
}

/** The sheets of a workbook, in its order. */
export function sheetFits(sheets: readonly WorkbookSheet[], type: RecordType): SheetFit[] {
  const names = new HeaderNames(type)
  return sheets.map(({ name, csv }) => ({ name, fields: headerFields(csv, names) }))
}

/** The sheet that fits best, the first of several that fit equally well. */
export const bestOf = (sheets: readonly SheetFit[]): SheetFit | undefined =>
  sheets.reduce<SheetFit | undefined>(
    (best, sheet) => (best === undefined || sheet.fields > best.fields ? sheet : best),
    undefined,
  )

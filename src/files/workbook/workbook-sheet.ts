import type { WorkBook, WorkSheet } from '@e965/xlsx'
import type { StoredDoubt } from '#files/cells/stored-doubts'

/** A cell that stores something else than it shows. */
export interface OddCell {
  /** From 0, the first row of the sheet. */
  row: number
  shown: string
  stored: string
  doubt: StoredDoubt
  /** For a cell that is part of a merged one: the row that has its value. */
  from?: number
}

/** The odd cells of one column. */
export interface OddColumn {
  /** From 0. */
  position: number
  cells: OddCell[]
}

/** A visible sheet of a workbook, as it was read. */
export interface WorkbookSheet {
  name: string
  /** Its cells as they are shown, those of hidden rows and columns among them. */
  csv: string
  /** Rows that are hidden, by a filter or by hand: their places, from 0. */
  hiddenRows: readonly number[]
  /** Positions of the hidden columns. */
  hiddenColumns: readonly number[]
  oddColumns: readonly OddColumn[]
}

/** A sheet that the spreadsheet program shows, as the library has it. */
interface VisibleSheet {
  name: string
  sheet: WorkSheet
  /** Positions. */
  hiddenColumns: number[]
}

export function visibleSheets(workbook: WorkBook): VisibleSheet[] {
  const states = workbook.Workbook?.Sheets ?? []
  return workbook.SheetNames.flatMap((name, place) => {
    const sheet = workbook.Sheets[name]
    if (sheet === undefined || (states[place]?.Hidden ?? 0) !== 0) return []
    const columns = [...(sheet['!cols'] ?? []).entries()]
    return [
      {
        name,
        sheet,
        hiddenColumns: columns.flatMap(([position, column]) => (column?.hidden ? [position] : [])),
      },
    ]
  })
}

/** Whether the first day of a workbook is in 1904, as on early Macintosh computers. */
export const beginsIn1904 = ({ Workbook }: Pick<WorkBook, 'Workbook'>): boolean => Workbook?.WBProps?.date1904 === true

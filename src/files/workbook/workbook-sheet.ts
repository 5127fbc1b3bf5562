import type { WorkBook, WorkSheet } from '@e965/xlsx'
import type { StoredDoubt } from '#files/cells/stored-doubts'

/** A cell whose stored value differs from its shown value. */
export interface OddCell {
  /** From 0, the first row of the sheet. */
  row: number
  shown: string
  stored: string
  doubt: StoredDoubt
  /** For a cell that is part of a merged cell: the row with the value. */
  from?: number
}

/** Such cells of one column. */
export interface OddColumn {
  /** From 0. */
  position: number
  cells: OddCell[]
}

/** A visible sheet of a workbook, as it was read. */
export interface WorkbookSheet {
  name: string
  /** Its cells as they are shown, including hidden rows and columns. */
  csv: string
  /** Positions of rows hidden by a filter or by hand, from 0. */
  hiddenRows: readonly number[]
  /** Positions of the hidden columns. */
  hiddenColumns: readonly number[]
  oddColumns: readonly OddColumn[]
}

/** A visible sheet of the library. */
interface VisibleSheet {
  name: string
  sheet: WorkSheet
  /** Column positions. */
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

/** Whether the workbook's dates start in 1904, as on early Macintosh computers. */
export const beginsIn1904 = ({ Workbook }: Pick<WorkBook, 'Workbook'>): boolean => Workbook?.WBProps?.date1904 === true

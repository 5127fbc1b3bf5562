import type { ErrorSummary } from '#files/check/row-errors'
import type { FileSummary } from './file-summary'
import type { Sheets } from './workbook/sheet-fit'

/** The summary of a file after it was read. */
export interface FileReading {
  file: FileSummary
  /** IDs to look up to find the matching catalog; none if the file or the user has decided it. */
  ids: readonly string[]
}

/** An opened file. A workbook has sheets even if the best one cannot be used; `fault` is then the reason. */
export type Opening = { sheets: Sheets | undefined } & (FileReading | { fault: string })

/** The number of the user's changes to the rows. */
export interface Changes {
  /** Number of changes that can be undone. */
  count: number
  /** Number of excluded rows. */
  leftOut: number
}

/** The errors of the current rows, and the number of changes. */
export interface Findings extends ErrorSummary {
  changes: Changes
}

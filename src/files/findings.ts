import type { ErrorSummary } from '#files/check/row-errors'
import type { FileSummary } from './file-summary'
import type { Sheets } from './workbook/sheet-fit'

/** What there is to show of a file after it was read. */
export interface FileReading {
  file: FileSummary
  /** Ids that may tell which catalog is meant; none if the file itself tells, or the person has. */
  ids: readonly string[]
}

/** An opened file. A workbook has sheets even if the one that fits best cannot be used: then `fault` says why. */
export type Opening = { sheets: Sheets | undefined } & (FileReading | { fault: string })

/** How many changes the person has made to the rows. */
export interface Changes {
  /** Number of changes that can be taken back. */
  count: number
  /** Rows that are left out. */
  leftOut: number
}

/** What is wrong with the rows as they are now, and how many were changed. */
export interface Findings extends ErrorSummary {
  changes: Changes
}

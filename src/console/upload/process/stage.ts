import type { ErrorSummary } from '#files/check/row-errors'
import type { RenamedId, SimilarId } from '#files/check/similar-ids'
import type { FileSummary } from '#files/file-summary'
import type { Changes } from '#files/findings'
import type { OutputFile } from '#files/fix/errors-file'
import type { Part } from '#files/parts'
import type { Sheets } from '#files/workbook/sheet-fit'
import type { Diff, WriteResult } from '../../service/answers'

export type Mode = WriteResult['mode']

/** The result of a dry run. */
export type Check = WriteResult & Diff

/** How much of a file has been sent. */
export interface Progress {
  /** The part that is being sent or processed, from 0. */
  part: number
  parts: number
  /** Share of that part that has been sent, 0 to 1. */
  sent: number
}

/** Which parts of a file are written. */
export interface Remainder {
  written: readonly Part[]
  unwritten: readonly Part[]
}

/** A confirmed write. */
export interface Writing {
  check: Check
  confirmShrink: boolean
  changes: Changes
}

export type Stage =
  | { is: 'empty' }
  | { is: 'reading'; name: string }
  | { is: 'unreadable'; name: string; error: Error }
  /** Waits for the user's input. Nothing has been sent. */
  | { is: 'asking'; file: FileSummary }
  /** The page prepares the file for sending, and may check its rows first. */
  | { is: 'preparing'; file: FileSummary }
  /** Some rows are invalid, or were before they were changed. Every change increments `version`. */
  | {
      is: 'faulty'
      file: FileSummary
      errors: ErrorSummary
      changes: Changes
      version: number
      failure?: Error
    }
  /** The file is too large to replace the catalog in one step. */
  | { is: 'tooLarge'; file: FileSummary }
  /** The file is sent to the service, which checks it. The page checks its rows at the same time. */
  | { is: 'checking'; file: FileSummary; progress: Progress }
  /** The check failed for a reason other than errors in rows. */
  | { is: 'notChecked'; file: FileSummary; error: Error }
  /** `isChangedByOthers`: someone else has changed the catalog since an earlier check. */
  | {
      is: 'checked'
      file: FileSummary
      check: Check
      isChangedByOthers: boolean
      similar: readonly SimilarId[]
      /** The first existing IDs that would get an unexpected name. */
      renamed: readonly RenamedId[]
      /** IDs of inactive records that would be reactivated although the file does not say so. */
      impliedReactivations: readonly string[]
      missing: readonly string[]
      isHeld: boolean
      changes: Changes
      remainder: Remainder
    }
  | { is: 'writing'; file: FileSummary; check: Check; progress: Progress }
  /**
   * The service has rejected a part, which is not written, or has not responded: the part may or may not be written.
   */
  | { is: 'interrupted'; file: FileSummary; error: Error; remainder: Remainder; retry: Writing }
  | {
      is: 'written'
      result: WriteResult
      /** Whether it is a single write, which can be undone. */
      isOneWrite: boolean
      leftOut: number
      failing?: OutputFile
    }

/** Whether the file is being written. */
export const isBeingWritten = ({ is }: Stage): boolean => is === 'writing'

export interface UploadState {
  stage: Stage
  /** Whether the file is a part of the catalog, or the whole catalog. */
  mode: Mode
  /** Whether fields without a column keep their values. */
  keepsMissing: boolean
  /** The sheets of a workbook, and the one to read. */
  sheets?: Sheets | undefined
}

import type { ErrorSummary } from '#files/check/row-errors'
import type { RenamedId, SimilarId } from '#files/check/similar-ids'
import type { FileSummary } from '#files/file-summary'
import type { Changes } from '#files/findings'
import type { OutputFile } from '#files/fix/errors-file'
import type { Part } from '#files/parts'
import type { Sheets } from '#files/workbook/sheet-fit'
import type { Diff, WriteResult } from '../../service/answers'

export type Mode = WriteResult['mode']

/** What a dry run answers. */
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

/** A write that was confirmed. */
export interface Writing {
  check: Check
  confirmShrink: boolean
  changes: Changes
}

export type Stage =
  | { is: 'empty' }
  | { is: 'reading'; name: string }
  | { is: 'unreadable'; name: string; error: Error }
  /** Waits for the person to answer what is unclear; nothing has been sent. */
  | { is: 'asking'; file: FileSummary }
  /** The page makes the file ready to be sent, and may check its rows before it is sent. */
  | { is: 'preparing'; file: FileSummary }
  /** Some of its rows are not valid, or were not before they were changed. `version` grows with every change. */
  | {
      is: 'faulty'
      file: FileSummary
      errors: ErrorSummary
      changes: Changes
      version: number
      failure?: Error
    }
  /** It is too large to replace the catalog in one step. */
  | { is: 'tooLarge'; file: FileSummary }
  /** The file is sent to the service, which checks it; the page checks its rows at the same time. */
  | { is: 'checking'; file: FileSummary; progress: Progress }
  /** The check failed for another reason than errors in rows. */
  | { is: 'notChecked'; file: FileSummary; error: Error }
  /** `isChangedByOthers`: somebody else has changed the catalog since an earlier check. */
  | {
      is: 'checked'
      file: FileSummary
      check: Check
      isChangedByOthers: boolean
      similar: readonly SimilarId[]
      /** The first ids of the catalog that get a completely different name. */
      renamed: readonly RenamedId[]
      /** Ids of inactive records that would be active again, although the file does not say so. */
      impliedReactivations: readonly string[]
      missing: readonly string[]
      isHeld: boolean
      changes: Changes
      remainder: Remainder
    }
  | { is: 'writing'; file: FileSummary; check: Check; progress: Progress }
  /** The service has refused a part, which is not written, or has not answered: then nobody knows whether it is. */
  | { is: 'interrupted'; file: FileSummary; error: Error; remainder: Remainder; retry: Writing }
  | {
      is: 'written'
      result: WriteResult
      /** Whether it is one write, which can be taken back. */
      isOneWrite: boolean
      leftOut: number
      failing?: OutputFile
    }

/** Whether the file is being written. */
export const isBeingWritten = ({ is }: Stage): boolean => is === 'writing'

export interface UploadState {
  stage: Stage
  /** Whether the file is a part of the catalog or the whole of it. */
  mode: Mode
  /** Whether fields that the file has no column for keep their values. */
  keepsMissing: boolean
  /** The sheets of a workbook, and which of them is meant. */
  sheets?: Sheets | undefined
}

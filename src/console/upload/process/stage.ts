import type { ErrorSummary } from '#files/check/row-errors'
import type { SimilarId } from '#files/check/similar-ids'
import type { FileSummary } from '#files/file-summary'
import type { Changes, Sheets } from '#files/file-work'
import type { OutputFile } from '#files/fix/errors-file'
import type { Part } from '#files/parts'
import type { Diff, WriteResult } from '../../service/answers'

export type Mode = WriteResult['mode']

/** What a dry run answers. */
export type Check = WriteResult & Diff

/** How far a file of several parts is. */
export interface Progress {
  /** The part that is on its way, from 0. */
  part: number
  parts: number
  /** Share of that part that has been sent, 0 to 1. */
  sent: number
}

export interface Remainder {
  done: readonly Part[]
  open: readonly Part[]
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
  /** Its rows are checked in the page, or it is made ready for that. */
  | { is: 'validating'; file: FileSummary }
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
  | { is: 'checking'; file: FileSummary; progress: Progress }
  /** The service could not look at the file. */
  | { is: 'refused'; file: FileSummary; error: Error }
  /** `moved`: the catalog was changed by somebody else since an earlier check. */
  | {
      is: 'checked'
      file: FileSummary
      check: Check
      moved: boolean
      /** New ids that resemble others: the first of them. */
      similar: readonly SimilarId[]
      /** Records that are not in use and would be, although the file does not say so: their ids. */
      impliedReactivations: readonly string[]
      /** Fields that the file has no column for. */
      missing: readonly string[]
      /** Whether the file is written without being sent again. */
      waits: boolean
      changes: Changes
      remainder: Remainder
    }
  | { is: 'writing'; file: FileSummary; check: Check; progress: Progress }
  /** The part that failed is not written if the service has refused it; without an answer that is not known. */
  | { is: 'interrupted'; file: FileSummary; error: Error; remainder: Remainder; again: Writing }
  | {
      is: 'written'
      result: WriteResult
      /** Whether it is one write, which can be taken back. */
      isOneWrite: boolean
      leftOut: number
      failing?: OutputFile
    }

/** Whether the file is on its way into the catalog. */
export const isUnderWay = ({ is }: Stage): boolean => is === 'writing'

export interface UploadState {
  stage: Stage
  /** Whether the file is a part of the catalog or the whole of it. */
  mode: Mode
  /** Whether fields that the file has no column for keep their values. */
  keepsMissing: boolean
  /** Those of a workbook, and which of them is meant. */
  sheets?: Sheets | undefined
}

import { MAX_BODY_BYTES } from '#limits'
import { isWorkbook } from '#records/csv/file-kind'
import type { RecordType } from '#records/record-type'
import { numberText } from '../wording'
import { type CellChoices, type CellQuestion, cellQuestions, withChoices } from './cell-choices'
import { type CsvFile, readCsvFile } from './read-file'
import type { Mapping } from './columns'
import { needsRewriting, rewritten } from './rewrite'
import { readWorkbook, type WorkbookSheet } from './workbook'

/** The form around a file takes part of what a request may hold, in bytes. */
const FORM_BYTES = 2048

/** A file that somebody chose, opened: the bytes of a CSV file, or the sheets of a workbook. */
export type OpenedFile = { name: string; bytes: Uint8Array<ArrayBuffer> } | OpenedWorkbook

interface OpenedWorkbook {
  name: string
  sheets: readonly WorkbookSheet[]
}

/** A file that is ready to be sent. */
export interface ChosenFile {
  name: string
  /** What is sent: a file as it is or, of a workbook, the sheet as CSV. */
  content: Blob
  csv: CsvFile
  /** The sheet of a workbook that is meant. */
  sheet?: WorkbookSheet
  /** Columns of the sheet for which a person chooses what is written. */
  questions: readonly CellQuestion[]
  choices: CellChoices
  /** The type that its columns fit better, until the person says that the chosen one is meant. */
  better?: RecordType
}

/** The columns that the person has not decided about yet. */
export const openQuestions = ({ questions, choices }: ChosenFile): CellQuestion[] =>
  questions.filter(({ position }) => !choices.has(position))

/** Whether a file can be sent: the person has answered every question about it. */
export const isDecided = (file: ChosenFile): boolean =>
  openQuestions(file).length === 0 && file.better === undefined

/** @throws Error whose message says why the file cannot be used */
export async function openFile(file: File, signal: AbortSignal): Promise<OpenedFile> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  if (!isWorkbook(bytes)) return { name: file.name, bytes }
  return { name: file.name, sheets: await readWorkbook(bytes, signal) }
}

/**
 * Reads an opened file.
 *
 * @param sheetName of a workbook: which of its sheets is meant
 * @param mapping where the person wants columns to go
 * @param choices of a workbook: what is written of cells that hold something else than they show
 * @throws Error whose message says why it cannot be used
 */
export function readOpenedFile(
  opened: OpenedFile,
  type: RecordType,
  sheetName?: string,
  choices: CellChoices = new Map(),
  mapping: Mapping = {},
): ChosenFile {
  const sheet = 'sheets' in opened ? opened.sheets.find(({ name }) => name === sheetName) : undefined
  // The bytes that were read, not the file, which may change on the disk before it is written to the catalog.
  const shown = 'bytes' in opened ? opened.bytes : new TextEncoder().encode(sheet!.csv)
  requireSize(shown.byteLength)
  const csv = readCsvFile(shown, type, mapping)
  const common = { name: opened.name, choices, ...(sheet === undefined ? {} : { sheet }) }
  const questions = cellQuestions(sheet?.odd ?? [], csv)
  const chosen = sheet === undefined ? undefined : withChoices(sheet.csv, questions, choices)
  if (chosen === undefined || chosen === sheet?.csv)
    return { ...common, content: contentOf(csv, shown), csv, questions }
  const bytes = new TextEncoder().encode(chosen)
  const changed = readCsvFile(bytes, type, mapping)
  return { ...common, content: contentOf(changed, bytes), csv: changed, questions }
}

/** What is sent: the file as it is, unless its header row or its columns are changed. */
function contentOf(csv: CsvFile, bytes: Uint8Array<ArrayBuffer>): Blob {
  const sent = needsRewriting(csv) ? new TextEncoder().encode(rewritten(csv)) : bytes
  requireSize(sent.byteLength)
  return new Blob([sent], { type: 'text/csv' })
}

function requireSize(bytes: number): void {
  if (bytes <= MAX_BODY_BYTES - FORM_BYTES) return
  const megabytes = (size: number) => numberText(Math.ceil((size / 1024 / 1024) * 10) / 10)
  throw new Error(
    `The file has ${megabytes(bytes)} MB of text; the service takes ${megabytes(MAX_BODY_BYTES)} MB at a time. Leave out columns that the catalog does not have, or split the file and upload the parts one after the other.`,
  )
}

import { MAX_BODY_BYTES } from '#limits'
import { isWorkbook } from '#records/csv/file-kind'
import type { RecordType } from '#records/record-type'
import { numberText } from '../wording'
import { type CsvFile, readCsvFile } from './read-file'
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
}

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
 * @throws Error whose message says why it cannot be used
 */
export function readOpenedFile(opened: OpenedFile, type: RecordType, sheetName?: string): ChosenFile {
  const sheet = 'sheets' in opened ? opened.sheets.find(({ name }) => name === sheetName) : undefined
  // The bytes that were read, not the file, which may change on the disk before it is written to the catalog.
  const bytes = 'bytes' in opened ? opened.bytes : new TextEncoder().encode(sheet!.csv)
  requireSize(bytes.byteLength)
  return {
    name: opened.name,
    content: new Blob([bytes], { type: 'text/csv' }),
    csv: readCsvFile(bytes, type),
    ...(sheet === undefined ? {} : { sheet }),
  }
}

function requireSize(bytes: number): void {
  if (bytes <= MAX_BODY_BYTES - FORM_BYTES) return
  const megabytes = (size: number) => numberText(Math.ceil((size / 1024 / 1024) * 10) / 10)
  throw new Error(
    `The file has ${megabytes(bytes)} MB of text; the service takes ${megabytes(MAX_BODY_BYTES)} MB at a time. Leave out columns that the catalog does not have, or split the file and upload the parts one after the other.`,
  )
}

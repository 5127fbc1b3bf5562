import { isWorkbook } from '../../../catalog/csv/decode'
import type { RecordType } from '../../../catalog/record-type'
import { MAX_BODY_BYTES } from '../../../limits'
import { numberText } from '../wording'
import { type CsvFile, readCsvFile } from './read-file'
import { readWorkbook, type WorkbookSheet } from './workbook'

/** The form around a file takes part of what a request may hold, in bytes. */
const FORM_BYTES = 2048

/** A file that somebody chose, ready to be sent. */
export interface ChosenFile {
  name: string
  /** What is sent: the file as it is or, of a workbook, the sheet as CSV. */
  content: Blob
  csv: CsvFile
  /** Of a workbook: its sheets, and which of them is meant. */
  workbook?: { sheets: readonly WorkbookSheet[]; sheet: string }
}

/**
 * Reads a file that somebody chose.
 *
 * @throws Error whose message says why it cannot be used
 */
export async function readChosenFile(file: File, type: RecordType, signal: AbortSignal): Promise<ChosenFile> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  if (isWorkbook(bytes)) {
    const sheets = await readWorkbook(bytes, signal)
    return chooseSheet(file.name, sheets, sheets[0]!.name, type)
  }
  requireSize(file.size)
  // The bytes that were read, not the file, which may change on the disk before it is written to the catalog.
  return { name: file.name, content: new Blob([bytes], { type: 'text/csv' }), csv: readCsvFile(bytes, type) }
}

/** Another sheet of the same workbook. @throws Error whose message says why it cannot be used */
export function chooseSheet(
  fileName: string,
  sheets: readonly WorkbookSheet[],
  sheet: string,
  type: RecordType,
): ChosenFile {
  const bytes = new TextEncoder().encode(sheets.find(({ name }) => name === sheet)!.csv)
  requireSize(bytes.byteLength)
  return {
    name: fileName,
    content: new Blob([bytes], { type: 'text/csv' }),
    csv: readCsvFile(bytes, type),
    workbook: { sheets, sheet },
  }
}

function requireSize(bytes: number): void {
  if (bytes <= MAX_BODY_BYTES - FORM_BYTES) return
  const megabytes = (size: number) => numberText(Math.ceil((size / 1024 / 1024) * 10) / 10)
  throw new Error(
    `The file has ${megabytes(bytes)} MB of text; the service takes ${megabytes(MAX_BODY_BYTES)} MB at a time. Leave out columns that the catalog does not have, or split the file and upload the parts one after the other.`,
  )
}

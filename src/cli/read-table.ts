import type { FileSummary, Reading } from '#files/file-summary'
import type { Table } from '#files/fix/table'
import { type OpenedFile, openFile, type ReadFile, readOpenedFile } from '#files/open-file'
import { type Part, partsOf } from '#files/parts'
import { asError } from '#shared/errors/errors'
import { isMarkup, isWorkbook } from '#shared/records/csv/file-kind'
import type { RecordType } from '#shared/records/record-type'
import type { AnswerFile } from './ask'
import { CliError, EXIT } from './exits'
import { openQuestion, sheetQuestion } from './questions'

interface OpenEnd {
  why: string
  end: string
}

/** A file without open questions, ready to be sent. */
export interface TableFile {
  name: string
  rows: number
  parts: readonly Part[]
  table: Table
  /** For a workbook: the name of its sheet. */
  sheet: string | undefined
  /** Why the file may be truncated, and its last characters; undefined if its end is complete. */
  openEnd: OpenEnd | undefined
  /** The summary of the file, with the answers. */
  summary: FileSummary
}

const invalid = (error: unknown): CliError => new CliError(EXIT.invalid, asError(error).message)

/** @throws CliError 3 if the file cannot be used */
function read(opened: OpenedFile, type: RecordType, reading: Reading): ReadFile {
  try {
    return readOpenedFile(opened, type, reading)
  } catch (error) {
    throw invalid(error)
  }
}

/** The last characters of a text whose last line has no line break. */
const OPEN_LINE = /([^\r\n]{1,40})$/

/** Bytes at the end of a web page or an XML workbook that must contain the end of its table. */
const MARKUP_END_BYTES = 4096

const CLOSED_TABLE = /<\/(?:table|html|(?:\w+:)?workbook|office:document)\s*>/i

/** The end of a file that may be truncated. A truncated compressed workbook could not be opened. */
function openEndOf(bytes: Uint8Array, { csv }: Table): OpenEnd | undefined {
  if (isMarkup(bytes)) {
    // In UTF-16, every other byte is zero.
    const tail = new TextDecoder().decode(bytes.slice(-MARKUP_END_BYTES)).replaceAll('\0', '')
    return CLOSED_TABLE.test(tail) ? undefined : { why: 'its table is not closed', end: tail.slice(-40) }
  }
  const end = isWorkbook(bytes) ? undefined : OPEN_LINE.exec(csv.text)?.[1]
  return end === undefined ? undefined : { why: 'its last line does not end with a line break', end }
}

/**
 * Reads a file, and asks the questions about it.
 *
 * @throws CliError 3 if it cannot be used, or if a question is not answered
 */
export async function readTable(file: File, type: RecordType, answerFile: AnswerFile): Promise<TableFile> {
  const opened = await openFile(file).catch((error: unknown) => {
    throw invalid(error)
  })
  const names = 'sheets' in opened ? opened.sheets.map(({ name }) => name) : []
  const known = answerFile.answers.stored.file?.sheet
  const sheet = names.length === 1 ? names[0] : names.find((name) => name === known)
  if (sheet === undefined && names.length > 1) await answerFile.answer(sheetQuestion(names))
  for (;;) {
    const readFile = read(opened, type, { sheet, ...answerFile.answers.reading })
    const question = openQuestion(readFile, type, answerFile.canAsk)
    if (question !== undefined) {
      await answerFile.answer(question)
      continue
    }
    const { file: summary, table, bytes } = readFile
    const { records: rows, sheet: name } = summary
    const openEnd = openEndOf(new Uint8Array(await file.arrayBuffer()), table)
    return { name: file.name, rows, parts: partsOf(table, bytes), table, sheet: name, openEnd, summary }
  }
}

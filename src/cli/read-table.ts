import type { FileSummary, Reading } from '#files/file-summary'
import type { Table } from '#files/fix/table'
import { type OpenedFile, openFile, type ReadFile, readOpenedFile } from '#files/open-file'
import { type Part, partsOf } from '#files/parts'
import { asError } from '#shared/errors/errors'
import type { RecordType } from '#shared/records/record-type'
import type { AnswerFile } from './ask'
import { CliError, EXIT } from './exits'
import { openQuestion, sheetQuestion } from './questions'

/** A file without open questions, as it is sent. */
export interface TableFile {
  name: string
  rows: number
  parts: readonly Part[]
  table: Table
  /** Of a workbook: the name of its sheet. */
  sheet: string | undefined
  /** The end of a text that does not end with a line break; undefined if it does, and for workbooks. */
  openEnd: string | undefined
  /** What there is to show of it, with the answers. */
  summary: FileSummary
}

const invalid = (error: unknown): CliError => new CliError(EXIT.invalid, asError(error).message)

/** @throws CliError 3 for a file that cannot be used */
function read(opened: OpenedFile, type: RecordType, reading: Reading): ReadFile {
  try {
    return readOpenedFile(opened, type, reading)
  } catch (error) {
    throw invalid(error)
  }
}

/** The last characters of a text whose last line has no end. */
const OPEN_END = /([^\r\n]{1,40})$/

/**
 * Reads a file, and has the questions answered that it leaves open.
 *
 * @throws CliError 3 when it cannot be used, or when nobody answers a question about it
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
    const openEnd = name === undefined ? OPEN_END.exec(table.csv.text)?.[1] : undefined
    return { name: file.name, rows, parts: partsOf(table, bytes), table, sheet: name, openEnd, summary }
  }
}

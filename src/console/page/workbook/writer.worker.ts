import { splitRows } from '#records/csv/rows'
import { type TextSheet, textWorkbook } from './text-workbook'
import type { WriterAnswer, WriterRequest } from './write-workbook'

/** The rows of a CSV file as the service sends it. */
const rowsOf = (csv: ArrayBuffer): Generator<string[]> =>
  splitRows(new TextDecoder().decode(csv), { separator: ',', headerStart: 0 })

const sheetsOf = (request: WriterRequest): readonly TextSheet[] =>
  'csv' in request ? [{ name: request.sheet, rows: rowsOf(request.csv) }] : request.sheets

function answerTo(request: WriterRequest): WriterAnswer {
  try {
    return { content: textWorkbook(sheetsOf(request)) }
  } catch (error) {
    return { fault: error instanceof Error ? error.message : String(error) }
  }
}

self.onmessage = ({ data }: MessageEvent<WriterRequest>) => {
  const answer = answerTo(data)
  self.postMessage(answer, { transfer: 'content' in answer ? [answer.content] : [] })
}

import type { OddColumn } from './sheet-cells'

/** One sheet of a workbook. */
export interface WorkbookSheet {
  name: string
  /** Its cells as they are shown, those of hidden rows among them. */
  csv: string
  /** Rows that are hidden, by a filter or by hand. */
  hiddenRows: number
  /** Columns with cells that hold something else than they show. */
  odd: readonly OddColumn[]
}

/** What `workbook.worker.ts` is asked: to read a workbook, or to write one. */
export type WorkbookRequest = { bytes: Uint8Array } | { rows: string[][]; sheet: string }

export type WorkbookAnswer = { sheets: WorkbookSheet[] } | { content: ArrayBuffer } | { fault: string }

/** Workbooks are read and written in a worker: a large one takes seconds, and the library is loaded only then. */
async function ask(request: WorkbookRequest, signal?: AbortSignal): Promise<WorkbookAnswer> {
  const worker = new Worker(new URL('./workbook.worker.ts', import.meta.url), { type: 'module' })
  try {
    return await new Promise<WorkbookAnswer>((resolve, reject) => {
      worker.onmessage = ({ data }: MessageEvent<WorkbookAnswer>) => resolve(data)
      worker.onerror = (event) =>
        reject(new Error(event.message || 'the program for workbooks did not start'))
      signal?.addEventListener('abort', () => reject(signal.reason))
      worker.postMessage(request)
    })
  } finally {
    worker.terminate()
  }
}

/**
 * Reads a spreadsheet workbook (.xlsx, .xls, .ods).
 *
 * @returns the visible sheets that have data, at least one, each cell as the spreadsheet program shows it
 * @throws Error whose message says why it cannot be read
 */
export async function readWorkbook(bytes: Uint8Array, signal: AbortSignal): Promise<WorkbookSheet[]> {
  const answer = await ask({ bytes }, signal)
  if (!('sheets' in answer)) throw new Error(`The workbook cannot be read: ${faultOf(answer)}.`)
  if (answer.sheets.length === 0) throw new Error('The workbook has no sheet with data.')
  return answer.sheets
}

/** An .xlsx file of one sheet. @throws Error whose message says why it cannot be written */
export async function writeWorkbook(rows: string[][], sheet: string): Promise<Blob> {
  const answer = await ask({ rows, sheet })
  if (!('content' in answer)) throw new Error(`The workbook cannot be written: ${faultOf(answer)}.`)
  return new Blob([answer.content], {
    type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  })
}

const faultOf = (answer: WorkbookAnswer): string =>
  'fault' in answer ? answer.fault : 'an unforeseen answer'

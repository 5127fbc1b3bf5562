import type { TextSheet } from './text-workbook'

/** What `writer.worker.ts` is asked for: a workbook of some sheets, or of one sheet with the rows of a CSV file. */
export type WriterRequest = { sheets: readonly TextSheet[] } | { csv: ArrayBuffer; sheet: string }

export type WriterAnswer = { content: ArrayBuffer } | { fault: string }

/** The media type of an .xlsx file. */
export const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/**
 * An .xlsx file of text cells. It is written in a worker: a large one takes seconds, and the library is loaded only then.
 *
 * @throws Error whose message says why it cannot be written
 */
export async function writeWorkbook(request: WriterRequest): Promise<Blob> {
  const worker = new Worker(new URL('./writer.worker.ts', import.meta.url), { type: 'module' })
  try {
    const answer = await new Promise<WriterAnswer>((resolve, reject) => {
      worker.onmessage = ({ data }: MessageEvent<WriterAnswer>) => resolve(data)
      worker.onerror = (event) =>
        reject(new Error(event.message || 'the program for workbooks did not start'))
      worker.postMessage(request, 'csv' in request ? [request.csv] : [])
    })
    if ('fault' in answer) throw new Error(answer.fault)
    return new Blob([answer.content], { type: XLSX })
  } finally {
    worker.terminate()
  }
}

import { FileWork } from '#files/file-work'
import { Table } from '#files/fix/table'
import { type CsvReading, readCsvFile } from '#files/text/csv-file'
import type { RecordTypeName } from '#shared/records/record-type'
import { medication } from '#shared/records/types/medication'

const encoder = new TextEncoder()

export const readText = (text: string, reading: CsvReading = {}) =>
  readCsvFile(encoder.encode(text), medication, reading)

/** A file of medications as a table. */
export const tableOf = (content: string | Uint8Array<ArrayBuffer>): Table =>
  new Table(readCsvFile(typeof content === 'string' ? encoder.encode(content) : content, medication))

/** A file that has been read. */
export async function opened(text: string, type: RecordTypeName = 'medication'): Promise<FileWork> {
  const work = new FileWork()
  await work.open(new File([text], 'a.csv'), type, {})
  return work
}

/** The text of what is sent, part by part. */
export const sentBy = (work: FileWork): Promise<string[]> =>
  Promise.all(work.parts().map(({ content }) => content.text()))

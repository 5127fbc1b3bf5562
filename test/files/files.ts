import { FileWork } from '#files/file-work'
import { type CellEdit, Table } from '#files/fix/table'
import type { Part } from '#files/parts'
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

const unpackedText = ({ content }: Part): Promise<string> =>
  new Response(content.stream().pipeThrough(new DecompressionStream('gzip'))).text()

/** The text of what is sent, part by part. @param edits are made before */
export const sentBy = async (work: FileWork, edits: readonly CellEdit[] = []): Promise<string[]> =>
  Promise.all((await work.parts(edits)).map(unpackedText))

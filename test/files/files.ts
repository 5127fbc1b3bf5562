import type { Reading } from '#files/file-summary'
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

/** An opened file of medications, and a function to read it again. @throws if it cannot be opened */
export async function openFile(content: BlobPart, name: string, said: Reading = {}) {
  const work = new FileWork()
  const opening = await work.open(new File([content], name), 'medication', said)
  if ('fault' in opening) throw new Error(opening.fault)
  const { file, sheets } = opening
  const again = (reading: Reading) => work.read('medication', { sheet: sheets?.chosen, ...said, ...reading }).file
  return { work, file, sheets, again }
}

/** A file that has been read. */
export async function opened(
  text: string,
  type: RecordTypeName = 'medication',
  reading: Reading = {},
): Promise<FileWork> {
  const work = new FileWork()
  await work.open(new File([text], 'a.csv'), type, reading)
  return work
}

const unpackedText = ({ content }: Part): Promise<string> =>
  new Response(content.stream().pipeThrough(new DecompressionStream('gzip'))).text()

/** The text that is sent, part by part. @param edits made before */
export const sentBy = async (work: FileWork, edits: readonly CellEdit[] = []): Promise<string[]> =>
  Promise.all((await work.parts(edits)).map(unpackedText))

/** The rows that are sent, without blank rows and without blank cells at the end, which a sheet does not contain. */
export const rowsSentBy = async (work: FileWork): Promise<string[]> =>
  (await sentBy(work))
    .join('')
    .split('\r\n')
    .filter((line) => line !== '')
    .map((line) => line.replace(/,+$/, ''))

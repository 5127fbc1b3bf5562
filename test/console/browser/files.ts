import { readFileSync } from 'node:fs'
import path from 'node:path'
import Papa from 'papaparse'

const root = path.join(import.meta.dirname, '../../..')

/** A file for the input of a page. */
export interface InputFile {
  name: string
  mimeType: string
  buffer: Buffer
}

/** A CSV file, row by row; the header row is the first. */
export function readRows(bytes: Buffer): string[][] {
  const text = bytes.toString('utf8').replace(/^\uFEFF/, '')
  return Papa.parse<string[]>(text, { skipEmptyLines: true }).data
}

export const csvFile = (
  name: string,
  rows: string[][],
  encoding: BufferEncoding = 'utf8',
  delimiter = ',',
): InputFile => ({ name, mimeType: 'text/csv', buffer: Buffer.from(Papa.unparse(rows, { delimiter }), encoding) })

/** The sample of a formulary. */
export const medications = (): string[][] => readRows(readFileSync(path.join(root, 'samples/medications.csv')))

/** A form with a file, as integrations send it. */
export function fileForm(name: string, rows: string[][]): FormData {
  const file = csvFile(name, rows)
  const form = new FormData()
  form.set('file', new Blob([new Uint8Array(file.buffer)], { type: file.mimeType }), file.name)
  return form
}

import type { ChosenFile } from '#console/page/upload/chosen-file'
import { readCsvFile } from '#console/page/upload/read-file'
import { medication } from '#records/types/medication'

const encoder = new TextEncoder()

export const readText = (text: string) => readCsvFile(encoder.encode(text), medication)

/** A file of medications as it is after it was chosen. */
export const chosen = (name: string, content: string | Uint8Array<ArrayBuffer>): ChosenFile => {
  const bytes = typeof content === 'string' ? encoder.encode(content) : content
  return {
    name,
    content: new Blob([bytes]),
    csv: readCsvFile(bytes, medication),
    questions: [],
    choices: new Map(),
  }
}

import { type ApiError, listedErrors } from '#shared/errors/errors'
import { isJsonFile, startsWith } from '#shared/records/csv/file-kind'

/** Kinds of files without a readable table, by their first bytes, and what to do. */
const KINDS: readonly { signature: string; message: string }[] = [
  {
    signature: '%PDF',
    message: 'This is a PDF document. Copy its table into a spreadsheet, save that, and choose it.',
  },
  {
    signature: '\x89PNG',
    message: 'This is a picture. Type its table into a spreadsheet, save that, and choose it.',
  },
  {
    signature: '\xff\xd8\xff',
    message: 'This is a picture. Type its table into a spreadsheet, save that, and choose it.',
  },
  {
    signature: '\x1f\x8b',
    message: 'This is a packed file (gzip). Unpack it, and choose the file that is in it.',
  },
  {
    signature: '7z\xbc\xaf',
    message: 'This is a packed file (7z). Unpack it, and choose the file that is in it.',
  },
  {
    signature: 'Rar!',
    message: 'This is a packed file (RAR). Unpack it, and choose the file that is in it.',
  },
  {
    signature: '{\\rtf',
    message: 'This is a text document (RTF). Copy its table into a spreadsheet, save that, and choose it.',
  },
  {
    signature: 'MIME-Version:',
    message:
      'This is a web archive. Open it in the spreadsheet program, save it as a workbook (.xlsx), and choose that.',
  },
]

const bytesOf = (signature: string): number[] => [...signature].map((character) => character.charCodeAt(0))

const JSON_FILE =
  'This is a JSON file, which programs send. Here a table is needed: a CSV file or a workbook with one ' +
  'row for each record.'

/** What a file is and what to do, if it is not a table; undefined if it may be one. */
export function unknownKindOf(bytes: Uint8Array): string | undefined {
  const kind = KINDS.find(({ signature }) => startsWith(bytes, bytesOf(signature)))
  if (kind !== undefined) return kind.message
  return isJsonFile(bytes) ? JSON_FILE : undefined
}

const EMPTY = 'It is empty. It needs a row with the names of the columns, and a row for each record.'

/**
 * Converts an error of the service to a message about the file.
 *
 * @param withNumbers converts the row numbers in a message to those of the spreadsheet
 */
export function refusalOf(refusal: ApiError, withNumbers: (message: string) => string): Error {
  const { message } = refusal
  const [first] = listedErrors(refusal)
  if (first?.code === 'wrong_file' && /^it (?:is empty|has no header row)/.test(first.msg)) return new Error(EMPTY)
  const words = withNumbers(message.replace(/^The CSV file cannot be read: /, ''))
  return new Error(words.charAt(0).toUpperCase() + words.slice(1))
}

import { CFB } from '@e965/xlsx'
import { asError } from '#shared/errors/errors'
import { isZip } from '#shared/records/csv/file-kind'
import { pathsIn } from './zip'

const PROTECTED =
  'The workbook is protected with a password. Open it in the spreadsheet program, save it without a ' +
  'password, and choose that file.'

const document = (program: string): string =>
  `This is a document of ${program}, not a workbook. Copy its table into a spreadsheet, save that, and choose it.`

/** Parts of files that have the form of a workbook but are something else. */
const PARTS: readonly { part: RegExp; message: string }[] = [
  { part: /^EncryptedPackage$/, message: PROTECTED },
  { part: /^(?:word\/document\.xml|WordDocument)$/, message: document('a word processor') },
  { part: /^(?:ppt\/presentation\.xml|PowerPoint Document)$/, message: document('a presentation program') },
]

/** Parts that identify the kind of a ZIP archive, not its content. */
const OF_A_DOCUMENT = /^(?:\[Content_Types\]\.xml|mimetype|content\.xml|META-INF\/.*|Index\/.*)$/

const FILES_SHOWN = 3

/** The paths of the file's parts; none if even those cannot be read. */
function pathsOf(bytes: Uint8Array): string[] {
  try {
    const paths = isZip(bytes) ? pathsIn(bytes) : oleParts(bytes)
    return paths.filter((path) => !path.endsWith('/'))
  } catch {
    return []
  }
}

/** The parts of a file in the older compound format ([MS-CFB]). */
function oleParts(bytes: Uint8Array): string[] {
  const paths: string[] = CFB.read(bytes, { type: 'array' }).FullPaths
  return paths.map((path) => path.replace(/^Root Entry\//, ''))
}

function archiveText(parts: readonly string[]): string | undefined {
  if (parts.length === 0 || parts.some((path) => OF_A_DOCUMENT.test(path))) return undefined
  const names = parts
    .slice(0, FILES_SHOWN)
    .map((name) => `“${name}”`)
    .join(', ')
  const more = parts.length > FILES_SHOWN ? ` and ${parts.length - FILES_SHOWN} more` : ''
  return `This is an archive with ${names}${more}, not a workbook. Unpack it, and choose the file with the table.`
}

/** Explains to the user why a workbook cannot be read. @param error from the library */
export function workbookFault(bytes: Uint8Array, error: unknown): Error {
  const { message = '' } = asError(error)
  const parts = pathsOf(bytes)
  const kind = PARTS.find(({ part }) => parts.some((path) => part.test(path)))
  if (kind !== undefined) return new Error(kind.message, { cause: error })
  if (/password|encrypt/i.test(message)) return new Error(PROTECTED, { cause: error })
  if (/could not find <table>/.test(message)) {
    return new Error(
      'This is a web page without a table. If it came from a download, the page may have asked for a ' +
        'login: download the file once more.',
      { cause: error },
    )
  }
  if (/too many merged cells/.test(message)) {
    return new Error('The table has too many merged cells. Unmerge them in your spreadsheet program.', {
      cause: error,
    })
  }
  if (/too many cells/.test(message)) {
    return new Error(
      'The table has too many rows and columns. Delete the rows and columns after the data in the ' +
        'spreadsheet program.',
      { cause: error },
    )
  }
  const archive = isZip(bytes) ? archiveText(parts) : undefined
  return new Error(
    archive ??
      'The workbook is damaged or not complete. Open it in the spreadsheet program, save it as .xlsx, and ' +
        'choose that file.',
    { cause: error },
  )
}

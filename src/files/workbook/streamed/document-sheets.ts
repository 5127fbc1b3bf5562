import { isMarkup, isZip, markupText } from '#shared/records/csv/file-kind'
import { workbookFault } from '../workbook-fault'
import type { WorkbookSheet } from '../workbook-sheet'
import { pathsIn, UnusualFile, unpack } from '../zip'
import { DocumentReader } from './document-reader'
import { SheetCollector } from './sheet-collector'
import { xmlTaker } from './xml'

const CONTENT = 'content.xml'
const MANIFEST = 'META-INF/manifest.xml'

/**
 * The root element of a single-file document. What precedes it is matched in a lookahead, which is not tried in another
 * way: one comment could also end where a later one does, so the time would double with each comment.
 */
const FLAT = /^(?:(?=(<\?xml[^>]*>\s*|<!--.*?-->\s*|<!DOCTYPE[^>]*>\s*))\1)*<office:document[\s>]/s

/** Number of characters of a flat document to read at a time. */
const CHARACTERS_AT_ONCE = 64 * 1024

/** Reads the sheets of a document. @param feed passes its text to the reader */
function sheetsBy(feed: (reader: DocumentReader) => void): WorkbookSheet[] {
  const sheets: WorkbookSheet[] = []
  const reader = new DocumentReader((name) => {
    const collector = new SheetCollector(name, false)
    return {
      add: (row, column, cell) => collector.add(row, column, cell),
      end: (layout) => sheets.push(...collector.sheets(layout)),
    }
  })
  feed(reader)
  return sheets
}

function packedSheets(bytes: Uint8Array): WorkbookSheet[] {
  let manifest = ''
  const sheets = sheetsBy((reader) =>
    unpack(bytes, (path) => {
      if (path === CONTENT) return xmlTaker(reader)
      return path === MANIFEST ? (piece) => (manifest += piece) : undefined
    }),
  )
  if (manifest.includes('encryption-data')) throw new Error('encrypted')
  return sheets
}

const flatSheets = (text: string): WorkbookSheet[] =>
  sheetsBy((reader) => {
    const take = xmlTaker(reader)
    for (let at = 0; at < text.length; at += CHARACTERS_AT_ONCE)
      take(text.slice(at, at + CHARACTERS_AT_ONCE), at + CHARACTERS_AT_ONCE >= text.length)
  })

function isPackedDocument(bytes: Uint8Array): boolean {
  if (!isZip(bytes)) return false
  try {
    return pathsIn(bytes).includes(CONTENT)
  } catch (error) {
    if (error instanceof UnusualFile) return false
    throw error
  }
}

/**
 * The visible sheets with data of an OpenDocument spreadsheet (.ods, .fods), read row by row, in a fraction of the
 * library's time and memory.
 *
 * @returns undefined for any other file
 * @throws Error with the reason, if it cannot be read
 */
export function documentSheets(bytes: Uint8Array): WorkbookSheet[] | undefined {
  const isPacked = isPackedDocument(bytes)
  const flatText = !isPacked && isMarkup(bytes) ? markupText(bytes) : ''
  if (!isPacked && !FLAT.test(flatText)) return undefined
  try {
    return isPacked ? packedSheets(bytes) : flatSheets(flatText)
  } catch (error) {
    throw workbookFault(bytes, error)
  }
}

import { read, type WorkBook } from '@e965/xlsx'
import { utf8Encoder } from '#shared/text/utf8'
import { LIBRARY_OPTIONS } from '../library-workbook'
import { beginsIn1904, visibleSheets } from '../workbook-sheet'
import { pack, type TakeText, UnusualFile, unpack } from '../zip'
import { sharedTextsTaker } from './shared-texts'

/** The context for the cells of all sheets. */
export interface CellContext {
  sharedTexts: readonly string[]
  /** Number formats, by style index. */
  formats: readonly string[]
  date1904: boolean
}

/** A workbook whose rows have not yet been read. */
interface OpenedWorkbook {
  context: CellContext
  /** Names of visible sheets, by the path of their part, in workbook order. */
  sheets: ReadonlyMap<string, string>
}

/** The usual paths of a workbook's parts. */
const SHEET = /^xl\/worksheets\/[^/]+\.xml$/
const SHARED_TEXTS = 'xl/sharedStrings.xml'

/** The parts that the library reads: names of sheets, formats and the like, but not the dependencies of formulas. */
const OTHERS = new RegExp(
  [
    /^\[Content_Types\]\.xml$/,
    /^xl\/(?:(?!sharedStrings|calcChain)[^/]+|(?:theme|persons)\/[^/]+)\.xml$/,
    /^xl\/_rels\/[^/]+\.rels$/,
  ]
    .map(({ source }) => source)
    .join('|'),
)

const STYLES = 'xl/styles.xml'
/** A cell format, or a base format. */
const XF = /<(?:\w+:)?xf[\s/>]/g

/**
 * A substitute for a sheet: contains the path of its part and, below it, two numbers in each style, so that the library
 * reports its format. The library only knows some formats after using them once.
 */
function standIn(path: string, styles: number): string {
  const row = (style: number) => `<row><c s="${style}"><v>1</v></c><c s="${style}"><v>1</v></c></row>`
  const rows = Array.from({ length: styles }, (_, style) => row(style))
  return `<worksheet><sheetData><row><c t="str"><v>${path}</v></c></row>${rows.join('')}</sheetData></worksheet>`
}

/** Reads the workbook with the library, with substitutes for its sheets. */
function readWithoutRows(sheetPaths: readonly string[], others: ReadonlyMap<string, string>): WorkBook {
  const styles = others.get(STYLES)?.match(XF)?.length ?? 1
  // The first sheet is enough to find all formats.
  const sheets = sheetPaths.map((path, place) => [path, standIn(path, place === 0 ? styles : 0)] as const)
  const parts = [...others, ...sheets].map(([path, text]) => [path, utf8Encoder.encode(text)] as const)
  try {
    return read(pack(Object.fromEntries(parts)), { ...LIBRARY_OPTIONS, type: 'array' })
  } catch (error) {
    throw new UnusualFile('not a workbook', { cause: error })
  }
}

/**
 * Opens a workbook (.xlsx), so that its rows can be read one by one. The library reads everything except sheets and
 * shared strings, for which it takes seconds, and many times their size in memory.
 *
 * @throws Error for any other file, and for a file with an unusual structure
 */
export function openStreamed(bytes: Uint8Array): OpenedWorkbook {
  const sheetPaths: string[] = []
  const sharedTexts: string[] = []
  const others = new Map<string, string>()
  unpack(bytes, (path): TakeText | undefined => {
    if (SHEET.test(path)) sheetPaths.push(path)
    if (path === SHARED_TEXTS) return sharedTextsTaker(sharedTexts)
    if (!OTHERS.test(path)) return undefined
    return (piece) => others.set(path, (others.get(path) ?? '') + piece)
  })
  if (sheetPaths.length === 0) throw new UnusualFile('no sheets')
  const workbook = readWithoutRows(sheetPaths, others)
  // The library skips a sheet that it does not find.
  if (workbook.SheetNames.some((name) => workbook.Sheets[name] === undefined))
    throw new UnusualFile('a sheet of another kind')
  const formats = Object.values(workbook.Sheets)
    .flatMap((sheet) => sheet['!data']?.slice(1) ?? [])
    .map(([, cell]) => String(cell?.z))
  const sheets = new Map<string, string>()
  for (const { name, sheet } of visibleSheets(workbook)) {
    const path = String(sheet['!data']?.[0]?.[0]?.v)
    if (!sheetPaths.includes(path) || sheets.has(path)) throw new UnusualFile('a sheet in another place')
    sheets.set(path, name)
  }
  return { context: { sharedTexts, formats, date1904: beginsIn1904(workbook) }, sheets }
}

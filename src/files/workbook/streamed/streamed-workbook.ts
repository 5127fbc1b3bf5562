import { read, type WorkBook } from '@e965/xlsx'
import { utf8Encoder } from '#shared/text/utf8'
import { LIBRARY_OPTIONS } from '../library-workbook'
import { beginsIn1904, visibleSheets } from '../workbook-sheet'
import { pack, type TakeText, UnusualFile, unpack } from '../zip'
import { sharedTextsTaker } from './shared-texts'

/** What the cells of all sheets need. */
export interface CellContext {
  sharedTexts: readonly string[]
  /** Number formats by the numbers of styles. */
  formats: readonly string[]
  date1904: boolean
}

/** A workbook whose rows have not been read. */
interface OpenedWorkbook {
  context: CellContext
  /** Visible sheets: their names, by the paths of their parts, in their order. */
  sheets: ReadonlyMap<string, string>
}

/** Where nearly all programs put the parts of a workbook. */
const SHEET = /^xl\/worksheets\/[^/]+\.xml$/
const SHARED_TEXTS = 'xl/sharedStrings.xml'

/** The parts that the library reads: names of sheets, formats and the like, but not how formulas depend on others. */
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
/** A format of cells, or one that such formats go back to. */
const XF = /<(?:\w+:)?xf[\s/>]/g

/**
 * What stands in for a sheet: the path of its part, and below it two numbers in each style, so that the library tells
 * its format. It knows some formats only when it has used them once.
 */
function standIn(path: string, styles: number): string {
  const row = (style: number) => `<row><c s="${style}"><v>1</v></c><c s="${style}"><v>1</v></c></row>`
  const rows = Array.from({ length: styles }, (_, style) => row(style))
  return `<worksheet><sheetData><row><c t="str"><v>${path}</v></c></row>${rows.join('')}</sheetData></worksheet>`
}

/** Has the library read the workbook with sheets that stand in for its own. */
function readWithoutRows(sheetPaths: readonly string[], others: ReadonlyMap<string, string>): WorkBook {
  const styles = others.get(STYLES)?.match(XF)?.length ?? 1
  // The first sheet tells the formats for all of them.
  const sheets = sheetPaths.map((path, place) => [path, standIn(path, place === 0 ? styles : 0)] as const)
  const parts = [...others, ...sheets].map(([path, text]) => [path, utf8Encoder.encode(text)] as const)
  try {
    return read(pack(Object.fromEntries(parts)), { ...LIBRARY_OPTIONS, type: 'array' })
  } catch (error) {
    throw new UnusualFile('not a workbook', { cause: error })
  }
}

/**
 * Opens a workbook (.xlsx) so that its rows can be read one after another. The library reads all of it but the sheets
 * and the texts of cells: for those it takes seconds, and many times their size.
 *
 * @throws Error for any other file, and for one that is written in an unusual way
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
  // The library passes over a sheet that it does not find.
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

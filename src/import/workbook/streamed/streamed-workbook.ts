import { CFB, read, type WorkBook } from '@e965/xlsx'
import { utf8Encoder } from '#text/utf8'
import { LIBRARY_OPTIONS } from '../library-workbook'
import { beginsIn1904, visibleSheets } from '../workbook-sheet'
import { sharedTexts } from './shared-strings'
import { headOf } from './sheet-text'
import { UnusualFile } from './xml-text'
import { partText, type ZipPart, zipParts } from './zip-parts'

/** A visible sheet whose rows have not been read. */
export interface StreamedSheet {
  name: string
  hiddenColumns: readonly number[]
  part: ZipPart
}

/** What the cells of all sheets need. */
export interface CellContext {
  sharedTexts: readonly string[]
  /** Number formats by the numbers of styles. */
  formats: readonly string[]
  date1904: boolean
}

/** Where nearly all programs put the parts of a workbook. */
const SHEET = /^xl\/worksheets\/[^/]+\.xml$/
const SHARED_TEXTS = 'xl/sharedStrings.xml'
const STYLES = 'xl/styles.xml'

/** Parts that the library reads besides: what the others are, names of sheets, formats. Not among them is how formulas hang together. */
const OTHERS =
  /^(?:\[Content_Types\]\.xml|xl\/(?:(?!sharedStrings|calcChain)[^/]+|(?:theme|persons)\/[^/]+)\.xml|xl\/_rels\/[^/]+\.rels)$/

/** A format of cells, or one that such formats go back to. */
const XF = /<xf[\s/>]/g

async function wholeText(part: ZipPart): Promise<string> {
  let text = ''
  for await (const piece of partText(part)) text += piece
  return text
}

/**
 * The rows that stand in for those of a sheet: the path of its part, and below it two numbers in each style, so that the
 * library tells its format. It knows some formats only when it has used them once.
 */
function standInRows(path: string, styles: number): string {
  const row = (style: number) => `<row><c s="${style}"><v>1</v></c><c s="${style}"><v>1</v></c></row>`
  const rows = Array.from({ length: styles }, (_, style) => row(style))
  return `<sheetData><row><c t="str"><v>${path}</v></c></row>${rows.join('')}</sheetData></worksheet>`
}

/** The workbook as the library reads it, with other rows. */
async function withoutRows(parts: ReadonlyMap<string, ZipPart>): Promise<WorkBook> {
  const archive = CFB.utils.cfb_new()
  const add = (path: string, text: string) => CFB.utils.cfb_add(archive, `/${path}`, utf8Encoder.encode(text))
  const styles = parts.get(STYLES)
  // The first sheet tells the formats for all of them.
  let count = styles === undefined ? 1 : ((await wholeText(styles)).match(XF)?.length ?? 1)
  for (const [path, part] of parts) {
    if (OTHERS.test(path)) add(path, await wholeText(part))
    else if (SHEET.test(path)) {
      add(path, (await headOf(partText(part))) + standInRows(path, count))
      count = 0
    }
  }
  const bytes: ArrayLike<number> = CFB.write(archive, { fileType: 'zip', type: 'array' })
  return read(Uint8Array.from(bytes), { ...LIBRARY_OPTIONS, type: 'array' })
}

/**
 * Opens a workbook (.xlsx) so that its rows can be read one after another. The library reads all of it but the rows and
 * the texts of cells: for those it takes seconds, and many times their size.
 *
 * @throws Error for any other file, and for one that is written in an unusual way
 */
export async function openStreamed(
  bytes: Uint8Array,
): Promise<{ sheets: StreamedSheet[]; context: CellContext }> {
  const parts = zipParts(bytes)
  const workbook = await withoutRows(parts)
  // The library passes over a sheet that it does not find.
  if (workbook.SheetNames.some((name) => workbook.Sheets[name] === undefined))
    throw new UnusualFile('a sheet of another kind')
  const rows = Object.values(workbook.Sheets).flatMap((sheet) => sheet['!data']?.slice(1) ?? [])
  const formats = rows.map(([, cell]) => String(cell?.z))
  const sheets = visibleSheets(workbook).map(({ name, sheet, hiddenColumns }): StreamedSheet => {
    const part = parts.get(String(sheet['!data']?.[0]?.[0]?.v))
    if (part === undefined) throw new UnusualFile('a sheet in another place')
    return { name, hiddenColumns, part }
  })
  const shared = parts.get(SHARED_TEXTS)
  const texts = shared === undefined ? [] : await sharedTexts(partText(shared))
  return { sheets, context: { sharedTexts: texts, formats, date1904: beginsIn1904(workbook) } }
}

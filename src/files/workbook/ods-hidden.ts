import { CFB, type ColInfo, type RowInfo, type WorkBook } from '@e965/xlsx'

/**
 * Elements of an OpenDocument spreadsheet that say what is hidden (OpenDocument 1.3, part 3, 9.1.2, 9.1.3, 9.1.6 and
 * 17.15).
 */
const ELEMENTS = /<(style:style|style:table-properties|table:table|table:table-column|table:table-row)(\s[^>]*)?>/g

const attribute = (attributes: string, name: string): string | undefined =>
  new RegExp(`\\s${name}="([^"]*)"`).exec(attributes)?.[1]

interface HiddenParts {
  hidden: boolean
  /** Numbers of hidden rows and columns, from 0. */
  rows: number[]
  columns: number[]
}

/** How far the cells of a sheet reach. */
interface Extent {
  rows: number
  columns: number
}

/** Counts rows or columns, and notes those that are hidden. One element may stand for many of them. */
class HiddenPlaces {
  #next = 0

  /** @param end behind the last cell a million may follow */
  pass(value: (name: string) => string | undefined, repeated: string, end: number, hidden: number[]): void {
    const after = this.#next + Number(value(repeated) ?? 1)
    const isHidden = (value('table:visibility') ?? 'visible') !== 'visible'
    for (let place = this.#next; isHidden && place < Math.min(after, end); place++) hidden.push(place)
    this.#next = after
  }
}

/** The hidden parts of each sheet, in the order of the file. @param extents of the sheets */
function hiddenParts(content: string, extents: readonly Extent[]): HiddenParts[] {
  const sheets: HiddenParts[] = []
  const hiddenStyles = new Set<string>()
  let style = ''
  let rows = new HiddenPlaces()
  let columns = new HiddenPlaces()
  for (const [, element, attributes = ''] of content.matchAll(ELEMENTS)) {
    const value = (name: string) => attribute(attributes, name)
    const sheet = sheets.at(-1)
    const extent = extents[sheets.length - 1] ?? { rows: 0, columns: 0 }
    if (element === 'style:style') style = value('style:name') ?? ''
    else if (element === 'style:table-properties') {
      if (value('table:display') === 'false') hiddenStyles.add(style)
    } else if (element === 'table:table') {
      sheets.push({ hidden: hiddenStyles.has(value('table:style-name') ?? ''), rows: [], columns: [] })
      rows = new HiddenPlaces()
      columns = new HiddenPlaces()
    } else if (element === 'table:table-row')
      rows.pass(value, 'table:number-rows-repeated', extent.rows, sheet?.rows ?? [])
    else columns.pass(value, 'table:number-columns-repeated', extent.columns, sheet?.columns ?? [])
  }
  return sheets
}

/** The text that says what is hidden: a part of an .ods file, or the whole of an .fods file. */
function contentOf(bytes: Uint8Array, bookType: string | undefined): string | undefined {
  if (bookType === 'fods') return new TextDecoder().decode(bytes)
  const content = CFB.find(CFB.read(bytes, { type: 'array' }), 'content.xml')?.content
  return content === undefined ? undefined : new TextDecoder().decode(Uint8Array.from(content))
}

/** A list with the same information at some places. */
function at<Info>(places: readonly number[], info: Info): Info[] {
  const list: Info[] = []
  for (const place of places) list[place] = info
  return list
}

/** Marks the hidden sheets, rows and columns of an OpenDocument file, as the library does for other workbooks. */
export function markHidden(workbook: WorkBook, bytes: Uint8Array): void {
  if (workbook.bookType !== 'ods' && workbook.bookType !== 'fods') return
  const content = contentOf(bytes, workbook.bookType)
  if (content === undefined) return
  const sheets = workbook.SheetNames.map((name) => workbook.Sheets[name])
  const extents = sheets.map((sheet): Extent => {
    // A blank row may have no list of cells.
    const widths = Array.from(sheet?.['!data'] ?? [], (cells) => cells?.length ?? 0)
    return { rows: widths.length, columns: widths.reduce((most, width) => Math.max(most, width), 0) }
  })
  const parts = hiddenParts(content, extents)
  workbook.Workbook = {
    ...workbook.Workbook,
    Sheets: workbook.SheetNames.map((name, place) => ({ name, Hidden: parts[place]?.hidden ? 1 : 0 })),
  }
  for (const [place, sheet] of sheets.entries()) {
    if (sheet === undefined) continue
    sheet['!rows'] = at<RowInfo>(parts[place]?.rows ?? [], { hidden: true })
    sheet['!cols'] = at<ColInfo>(parts[place]?.columns ?? [], { hidden: true })
  }
}

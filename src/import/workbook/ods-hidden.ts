import { CFB, type RowInfo, type WorkBook } from '@e965/xlsx'

/** Elements of an OpenDocument spreadsheet that say what is hidden (OpenDocument 1.3, part 3, 9.1.2, 9.1.3 and 17.15). */
const ELEMENTS = /<(style:style|style:table-properties|table:table|table:table-row)(\s[^>]*)?>/g

const attribute = (attributes: string, name: string): string | undefined =>
  new RegExp(`\\s${name}="([^"]*)"`).exec(attributes)?.[1]

interface HiddenParts {
  hidden: boolean
  /** Numbers of hidden rows, from 0. */
  rows: number[]
}

/** The hidden parts of each sheet, in the order of the file. @param lengths rows with cells, by sheet */
function hiddenParts(content: string, lengths: readonly number[]): HiddenParts[] {
  const sheets: HiddenParts[] = []
  const hiddenStyles = new Set<string>()
  let style = ''
  let row = 0
  for (const [, element, attributes = ''] of content.matchAll(ELEMENTS)) {
    const value = (name: string) => attribute(attributes, name)
    if (element === 'style:style') style = value('style:name') ?? ''
    else if (element === 'style:table-properties') {
      if (value('table:display') === 'false') hiddenStyles.add(style)
    } else if (element === 'table:table') {
      sheets.push({ hidden: hiddenStyles.has(value('table:style-name') ?? ''), rows: [] })
      row = 0
    } else {
      const end = row + Number(value('table:number-rows-repeated') ?? 1)
      const isHidden = (value('table:visibility') ?? 'visible') !== 'visible'
      // Behind the last cell a million rows may follow.
      const last = Math.min(end, lengths[sheets.length - 1] ?? 0)
      for (; isHidden && row < last; row++) sheets.at(-1)?.rows.push(row)
      row = end
    }
  }
  return sheets
}

/** Marks the hidden sheets and rows of an .ods file, as the library does for other workbooks. */
export function markHidden(workbook: WorkBook, bytes: Uint8Array): void {
  if (workbook.bookType !== 'ods') return
  const content = CFB.find(CFB.read(bytes, { type: 'array' }), 'content.xml')?.content
  if (content === undefined) return
  const sheets = workbook.SheetNames.map((name) => workbook.Sheets[name])
  const lengths = sheets.map((sheet) => sheet?.['!data']?.length ?? 0)
  const parts = hiddenParts(new TextDecoder().decode(Uint8Array.from(content)), lengths)
  workbook.Workbook = {
    ...workbook.Workbook,
    Sheets: workbook.SheetNames.map((name, place) => ({ name, Hidden: parts[place]?.hidden ? 1 : 0 })),
  }
  for (const [place, sheet] of sheets.entries()) {
    const rows: RowInfo[] = []
    for (const row of parts[place]?.rows ?? []) rows[row] = { hidden: true }
    if (sheet !== undefined) sheet['!rows'] = rows
  }
}

import { attributesIn, meantText, onlyText, runsText, UnusualFile } from './xml-text'

/** A cell of a sheet, as it is written. */
export interface WrittenCell {
  /** `s` a shared text, `str` and `inlineStr` texts of its own, `b` a boolean, `e` an error, `n` a number. */
  kind: string
  /** Number of its format. */
  style: number
  /** The text of its value; undefined if it has none. */
  value: string | undefined
  hasFormula: boolean
}

interface CellKind {
  kind: string
  style: number
}

/** Gets a cell, and the numbers of its row and its column, from 0. */
type TakeCell = (row: number, column: number, cell: WrittenCell) => void

const PLACE = /\sr="([A-Z]{1,3})(\d{1,7})"/
const WRITTEN_VALUE = /<v(?:\s[^<>]*)?>([^<]*)<\/v>/
const WRITTEN_FORMULA = /<f(?:\s([^<>]*?))?(?:\/>|>([^<]*)<\/f>)/
const INLINE_TEXT = /<is(?:\s[^<>]*)?>(.*)<\/is>/s

/** The number of a column, from 0. @param letters `A`, `Z`, `AA` */
function columnNumber(letters: string): number {
  let number = 0
  for (let i = 0; i < letters.length; i++) number = number * 26 + letters.charCodeAt(i) - 64
  return number - 1
}

/** A formula that other cells share stands in the first of them only. */
function hasFormulaIn(content: string): boolean {
  const [whole, attributes = '', text = ''] = WRITTEN_FORMULA.exec(content) ?? []
  return whole !== undefined && (text !== '' || attributes.includes('t="shared"'))
}

/** Whether a tag has this name. @param after place behind the name */
const endsName = (xml: string, after: number): boolean => {
  const character = xml.charAt(after)
  return character === ' ' || character === '>' || character === '/'
}

/** Finds the cells in the rows of a sheet (ECMA-376, part 1, 18.3.1.73 and 18.3.1.4), in the order of their places. */
export class RowScanner {
  readonly #take: TakeCell
  /** What the attributes behind the place of a cell mean: a sheet has few of them. */
  readonly #kinds = new Map<string, CellKind>()
  #row = -1
  #column = -1
  #hiddenRows = 0

  constructor(take: TakeCell) {
    this.#take = take
  }

  get hiddenRows(): number {
    return this.#hiddenRows
  }

  /** @param xml whole rows @throws UnusualFile for anything else than rows and cells in their order */
  scan(xml: string): void {
    for (let at = xml.indexOf('<'); at !== -1; at = xml.indexOf('<', at)) {
      if (xml.startsWith('</row>', at)) {
        at += 6
        continue
      }
      const end = xml.indexOf('>', at) + 1
      if (end === 0) throw new UnusualFile('a tag without an end')
      const isEmpty = xml.charAt(end - 2) === '/'
      const attributesEnd = isEmpty ? end - 2 : end - 1
      if (xml.startsWith('<c', at) && endsName(xml, at + 2)) {
        const close = isEmpty ? end : xml.indexOf('</c>', end)
        if (close === -1) throw new UnusualFile('a cell without an end')
        this.#cell(xml.slice(at + 2, attributesEnd), xml.slice(end, close))
        at = isEmpty ? end : close + 4
      } else if (xml.startsWith('<row', at) && endsName(xml, at + 4)) {
        this.#beginRow(xml.slice(at + 4, attributesEnd))
        at = end
      } else throw new UnusualFile('neither a row nor a cell')
    }
  }

  #beginRow(written: string): void {
    const attributes = attributesIn(written)
    const number = attributes.get('r')
    const row = number === undefined ? this.#row + 1 : Number(number) - 1
    if (!Number.isInteger(row) || row <= this.#row) throw new UnusualFile('rows in another order')
    this.#row = row
    this.#column = -1
    if (['1', 'true'].includes(attributes.get('hidden') ?? '')) this.#hiddenRows++
  }

  #cell(attributes: string, content: string): void {
    const place = PLACE.exec(attributes)
    const column = place === null ? this.#column + 1 : columnNumber(place[1] ?? '')
    if (column <= this.#column || (place !== null && Number(place[2]) !== this.#row + 1))
      throw new UnusualFile('cells in another order')
    this.#column = column
    const others =
      place === null
        ? attributes
        : attributes.slice(0, place.index) + attributes.slice(place.index + place[0].length)
    const { kind, style } = this.#kindOf(others)
    this.#take(this.#row, column, { kind, style, ...RowScanner.#contentOf(content, kind) })
  }

  #kindOf(attributes: string): CellKind {
    const known = this.#kinds.get(attributes)
    if (known !== undefined) return known
    const found = attributesIn(attributes)
    if (found.has('r')) throw new UnusualFile('the place of a cell, in another form')
    const kind = { kind: found.get('t') ?? 'n', style: Number(found.get('s') ?? 0) }
    this.#kinds.set(attributes, kind)
    return kind
  }

  static #contentOf(content: string, kind: string): Pick<WrittenCell, 'value' | 'hasFormula'> {
    if (content === '') return { value: undefined, hasFormula: false }
    const only = onlyText(content, 'v')
    if (only !== undefined) return { value: only === '' ? undefined : only, hasFormula: false }
    if (content.includes('<!')) throw new UnusualFile('a comment or a section of other text')
    const hasFormula = hasFormulaIn(content)
    if (kind === 'inlineStr') return { value: runsText(INLINE_TEXT.exec(content)?.[1] ?? ''), hasFormula }
    const written = WRITTEN_VALUE.exec(content)?.[1]
    return { value: written === undefined || written === '' ? undefined : meantText(written), hasFormula }
  }
}

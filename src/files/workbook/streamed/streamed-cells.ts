import { type CellObject, SSF } from '@e965/xlsx'
import { exactDigits } from '#files/cells/long-numbers'
import { TEXT_FORMAT } from '../text-workbook'
import { UnusualFile } from '../zip'
import type { WrittenCell } from './sheet-reader'
import type { CellContext } from './streamed-workbook'

const GENERAL = 'General'

/** The text that a spreadsheet program shows; undefined if the format is not understood. */
function shownIn(format: string, value: string | number | boolean, date1904: boolean): string | undefined {
  if (typeof value === 'string' && (format === GENERAL || format === TEXT_FORMAT)) return value
  try {
    return SSF.format(format, value, { date1904 })
  } catch {
    // The library then shows the value itself.
    return undefined
  }
}

/** Placeholder for any formula, because formulas are not computed. */
const SOME_FORMULA = '…'

/** @returns a function that converts a cell of the file to a cell of the library */
export function cellMaker({ sharedTexts, formats, date1904 }: CellContext) {
  const cellWith = (t: CellObject['t'], v: string | number | boolean, style: number): CellObject => {
    const z = formats[style] ?? GENERAL
    const w = shownIn(z, v, date1904)
    return w === undefined ? { t, v, z } : { t, v, z, w }
  }
  const cellOf = ({ kind, style, value }: WrittenCell): CellObject => {
    if (kind === 'str' || kind === 'inlineStr') return cellWith('s', value ?? '', style)
    if (value === undefined) return { t: 'z' }
    if (kind === 's') {
      const text = sharedTexts[Number(value)]
      if (text === undefined) throw new UnusualFile('a shared text that is not there')
      return cellWith('s', text, style)
    }
    if (kind === 'b') return cellWith('b', value === '1' || value === 'true', style)
    if (kind === 'e') return { t: 'e', v: value, w: value }
    if (kind !== 'n') throw new UnusualFile(`a cell of the kind ${kind}`)
    const digits = exactDigits(value)
    if (digits !== undefined) return { t: 's', v: digits, w: digits }
    return cellWith('n', Number.parseFloat(value), style)
  }
  return (written: WrittenCell): CellObject => {
    const cell = cellOf(written)
    if (written.hasFormula) cell.f = SOME_FORMULA
    return cell
  }
}

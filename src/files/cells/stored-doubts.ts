import { isShortenedNumber } from '#shared/records/spreadsheet-damage'
import { plainNumber, withoutGrouping } from './long-numbers'

/** A cell of a workbook, as far as it matters here. Named as in the library that reads workbooks. */
interface WorkbookCell {
  /** Its kind: `n` a number (dates too), `s` a text, `b` a boolean, `e` an error, `z` nothing. */
  t: string
  v?: unknown
  /** The text that the spreadsheet program shows. */
  w?: string
}

/**
 * Why a cell shows something else than it holds. `formula`: what its formula comes to is not in the file. `merged`:
 * it is part of a cell over several rows, and what that holds stands in the first of them. `lostDigits`: the last
 * digits of a long number are zeros, because a program has not kept them. `hidden`: its format (`;;;`) shows nothing.
 */
export type StoredDoubt = 'rounded' | 'percent' | 'date' | 'shortened' | 'formula' | 'merged' | 'lostDigits' | 'hidden'

/** What a cell holds that shows something with another meaning. */
interface DoubtfulValue {
  stored: string
  doubt: StoredDoubt
}

const NUMBERS_IN_TEXT = /-?\d+(?:\.\d+)?/g

/** Whether a text shows the whole number, perhaps with a unit: `1,250.5 mg` for 1250.5. */
function showsInFull(shown: string, value: number): boolean {
  const numbers = withoutGrouping(shown).match(NUMBERS_IN_TEXT) ?? []
  return numbers.length === 1 && Number(numbers[0]) === Number(plainNumber(value))
}

/**
 * Finds out whether a cell holds something with another meaning than it shows, so that a person must be asked. A format
 * that only adds a unit, groups digits or puts zeros in front changes no meaning.
 *
 * @param date of a cell that has the format of a date: the date in ISO 8601
 * @returns undefined for a cell that shows what it holds
 */
export function storedDoubt({ t, v, w }: WorkbookCell, date: string | undefined): DoubtfulValue | undefined {
  if (w === '' && t === 's' && typeof v === 'string' && v.trim() !== '') return { stored: v, doubt: 'hidden' }
  if (t !== 'n' || typeof v !== 'number' || w === undefined) return undefined
  if (date !== undefined) return { stored: date, doubt: 'date' }
  // As nearly all numbers are shown.
  if (w === String(v)) return undefined
  const stored = plainNumber(v)
  if (w === '') return { stored, doubt: 'hidden' }
  if (w.includes('%')) return { stored, doubt: 'percent' }
  if (isShortenedNumber(w.trim())) return { stored, doubt: 'shortened' }
  return showsInFull(w, v) ? undefined : { stored, doubt: 'rounded' }
}

import { isShortenedNumber } from '#shared/records/spreadsheet-damage'
import { plainNumber, withoutGrouping } from './long-numbers'

/** The relevant part of a workbook cell, with the property names of the workbook library. */
interface WorkbookCell {
  /** Its type: `n` a number (dates too), `s` a text, `b` a boolean, `e` an error, `z` empty. */
  t: string
  v?: unknown
  /** The text that the spreadsheet program shows. */
  w?: string
}

/**
 * Why a cell's stored value differs from its shown value. `formula`: the file does not contain the formula's result.
 * `merged`: it is part of a cell over several rows, and the first row has the value. `lostDigits`: the last digits of a
 * long number are zeros, because a program has dropped them. `hidden`: its format (`;;;`) shows nothing.
 */
export type StoredDoubt = 'rounded' | 'percent' | 'date' | 'shortened' | 'formula' | 'merged' | 'lostDigits' | 'hidden'

/** The stored value of a cell that shows something with a different meaning. */
interface DoubtfulValue {
  stored: string
  doubt: StoredDoubt
}

const NUMBERS_IN_TEXT = /-?\d+(?:\.\d+)?/g

/** Whether a text shows the whole number, possibly with a unit: `1,250.5 mg` for 1250.5. */
function showsInFull(shown: string, value: number): boolean {
  const numbers = withoutGrouping(shown).match(NUMBERS_IN_TEXT) ?? []
  return numbers.length === 1 && Number(numbers[0]) === Number(plainNumber(value))
}

/**
 * Finds out whether a cell's stored value means something else than its shown value, so that the user must choose. A
 * format that only adds a unit, groups digits or adds leading zeros does not change the meaning.
 *
 * @param date for a cell with a date format: the date in ISO 8601
 * @returns undefined if the cell shows its stored value
 */
export function storedDoubt({ t, v, w }: WorkbookCell, date: string | undefined): DoubtfulValue | undefined {
  if (w === '' && t === 's' && typeof v === 'string' && v.trim() !== '') return { stored: v, doubt: 'hidden' }
  if (t !== 'n' || typeof v !== 'number' || w === undefined) return undefined
  if (date !== undefined) return { stored: date, doubt: 'date' }
  // The common case.
  if (w === String(v)) return undefined
  const stored = plainNumber(v)
  if (w === '') return { stored, doubt: 'hidden' }
  if (w.includes('%')) return { stored, doubt: 'percent' }
  if (isShortenedNumber(w.trim())) return { stored, doubt: 'shortened' }
  return showsInFull(w, v) ? undefined : { stored, doubt: 'rounded' }
}

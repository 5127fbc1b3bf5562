import type { CellObject } from '@e965/xlsx'
import { exactDigits } from '#files/cells/long-numbers'
import type { Attributes } from './xml'

const MS_PER_DAY = 86_400_000
/** Day 0 of the library's dates. */
const DAY_0 = Date.UTC(1899, 11, 30)

/** A date, with or without a time, in ISO 8601. */
const DATE = /^(\d{4}-\d\d-\d\d)(?:T(\d\d):(\d\d):(\d\d(?:\.\d+)?))?/
/** A time of day or a duration, in ISO 8601. */
const TIME = /^PT(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:[.,]\d+)?)S)?$/

/** Any format that marks a cell as a date. The shown text is in the file. */
const DATE_FORMAT = 'yyyy-mm-dd hh:mm:ss'
const TIME_FORMAT = 'h:mm:ss'

const shareOfDay = (hours = '0', minutes = '0', seconds = '0'): number =>
  (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds.replace(',', '.'))) / 86_400

/** A date as the library's number; undefined for any other value. */
function dateNumber(written: string): number | undefined {
  const [, day, ...time] = DATE.exec(written) ?? []
  return day === undefined ? undefined : (Date.parse(day) - DAY_0) / MS_PER_DAY + shareOfDay(...time)
}

function timeNumber(written: string): number | undefined {
  const found = TIME.exec(written)
  return found === null ? undefined : shareOfDay(...found.slice(1))
}

/** A number and its format; undefined for other kinds of cells. */
function numberOf(attributes: Attributes): { v: number; z?: string } | undefined {
  const { 'office:value': value, 'office:date-value': date, 'office:time-value': time } = attributes
  switch (attributes['office:value-type']) {
    case 'float':
    case 'percentage':
    case 'currency':
      return value === undefined ? undefined : { v: Number.parseFloat(value) }
    case 'date': {
      const v = dateNumber(date ?? '')
      return v === undefined ? undefined : { v, z: DATE_FORMAT }
    }
    case 'time': {
      const v = timeNumber(time ?? '')
      return v === undefined ? undefined : { v, z: TIME_FORMAT }
    }
    default:
      return undefined
  }
}

/** Placeholder for any formula, because formulas are not computed. */
const SOME_FORMULA = '…'

/**
 * Converts a cell of an OpenDocument spreadsheet (OpenDocument 1.3, part 3, 9.1.4) to a cell of the library.
 *
 * @param shown its text in the file; undefined if it has none
 */
export function documentCell(attributes: Attributes, shown: string | undefined): CellObject {
  const formula = attributes['table:formula'] === undefined ? {} : { f: SOME_FORMULA }
  const digits = exactDigits(attributes['office:value'] ?? '')
  if (digits !== undefined) return { t: 's', v: digits, w: digits, ...formula }
  const text = shown === undefined ? {} : { w: shown }
  const number = numberOf(attributes)
  if (number !== undefined) return { t: 'n', ...number, ...text, ...formula }
  if (attributes['office:value-type'] === 'boolean')
    return { t: 'b', v: attributes['office:boolean-value'] === 'true', ...text, ...formula }
  const value = attributes['office:string-value'] ?? shown
  return value === undefined ? { t: 'z', ...formula } : { t: 's', v: value, ...text, ...formula }
}

/**
 * Whole numbers of more than 15 digits: a spreadsheet program replaces the digits behind those by zeros (ECMA-376,
 * part 1, 18.17.5.1), and a program that calculates in doubles rounds them. Other programs write all digits into a
 * workbook, so these are read as they stand in the file.
 */

/** The smallest whole number with 16 digits. */
const LEAST = 1e15

const LONG = /^-?\d{16,}$/

/** Whether digits end in the zeros that remain when a program has rounded the number. */
function mayBeRounded(digits: string): boolean {
  const [mantissa = ''] = Number(digits).toExponential().split('e')
  return digits.endsWith('0') && digits.replace(/0+$/, '') === mantissa.replace('.', '')
}

/** The digits of a long whole number as they are in the file; undefined for any other, and for one that is rounded. */
export const exactDigits = (written: string): string | undefined =>
  LONG.test(written) && !mayBeRounded(written) ? written : undefined

/** A long whole number as a program has stored it. */
interface LongNumber {
  digits: string
  /** Whether these are the digits that were typed. */
  isExact: boolean
}

/** A long whole number of which only the double is known; undefined for any other value. */
export function longNumber(value: unknown): LongNumber | undefined {
  if (typeof value !== 'number' || !Number.isInteger(value) || Math.abs(value) < LEAST) return undefined
  const isExact = Number.isSafeInteger(value) && value % 10 !== 0
  return { digits: isExact ? String(value) : plainNumber(value), isExact }
}

/** Digits that a spreadsheet program keeps of a number. */
const SIGNIFICANT_DIGITS = 15

const FORMAT = new Intl.NumberFormat('en', {
  useGrouping: false,
  maximumSignificantDigits: SIGNIFICANT_DIGITS,
})

/** A number in digits, without an exponent and without the errors of binary fractions: `0.1 + 0.2` as `0.3`. */
export const plainNumber = (value: number): string => FORMAT.format(value)

/** Separators between groups of three digits. */
const GROUPING = /(?<=\d)[,'\u00A0\u202F ](?=\d{3}(?!\d))/g

export const withoutGrouping = (text: string): string => text.replaceAll(GROUPING, '')

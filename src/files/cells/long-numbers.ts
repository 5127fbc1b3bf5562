/**
 * Whole numbers of more than 15 digits. Spreadsheet programs replace further digits by zeros (ECMA-376, part 1,
 * 18.17.5.1), and programs that calculate in doubles round them. Other programs write all digits into a workbook, so
 * such numbers are read as they are in the file.
 */

/** The smallest whole number with 16 digits. */
const LEAST = 1e15

const LONG = /^-?\d{16,}$/

/** Whether the digits end in the zeros that a program leaves when it rounds a number. */
function mayBeRounded(digits: string): boolean {
  const [mantissa = ''] = Number(digits).toExponential().split('e')
  return digits.endsWith('0') && digits.replace(/0+$/, '') === mantissa.replace('.', '')
}

/**
 * The digits of a long whole number as they are in the file; undefined for any other value, and for a rounded number.
 */
export const exactDigits = (written: string): string | undefined =>
  LONG.test(written) && !mayBeRounded(written) ? written : undefined

/** A long whole number as a program has stored it. */
interface LongNumber {
  digits: string
  /** Whether these are the digits that the user typed. */
  isExact: boolean
}

/** Converts a double to a long whole number; undefined for any other value. */
export function longNumber(value: unknown): LongNumber | undefined {
  if (typeof value !== 'number' || !Number.isInteger(value) || Math.abs(value) < LEAST) return undefined
  const isExact = Number.isSafeInteger(value) && value % 10 !== 0
  return { digits: isExact ? String(value) : plainNumber(value), isExact }
}

/** Number of digits that spreadsheet programs keep. */
const SIGNIFICANT_DIGITS = 15

const FORMAT = new Intl.NumberFormat('en', {
  useGrouping: false,
  maximumSignificantDigits: SIGNIFICANT_DIGITS,
})

/** Formats a number without an exponent and without the errors of binary fractions: `0.1 + 0.2` as `0.3`. */
export const plainNumber = (value: number): string => FORMAT.format(value)

/** Separators between groups of three digits. */
const GROUPING = /(?<=\d)[,'\u00A0\u202F ](?=\d{3}(?!\d))/g

export const withoutGrouping = (text: string): string => text.replaceAll(GROUPING, '')

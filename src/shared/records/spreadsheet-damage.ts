/** What a spreadsheet program leaves behind in a cell when it changes or fails to compute a value. */

/** A long number, shortened: `1.23E+11`. */
const SHORTENED = /^-?\d+(?:[.,]\d+)?E[+-]\d+$/i

export const isShortenedNumber = (text: string): boolean => SHORTENED.test(text)

/** What it saves for a cell whose formula failed. */
export const SPREADSHEET_ERRORS: readonly string[] = ['#N/A', '#REF!', '#VALUE!', '#NAME?', '#DIV/0!']

/** Detects IDs and codes that a spreadsheet program has converted, and failed formulas (docs/contract.md#warnings). */

/** A long number in scientific notation: `1.23E+11`, `1.23e11`, `1E+11`. But `1E11` is a code. */
const SHORTENED = /^-?\d+(?:E[+-]|[.,]\d+E[+-]?)\d+$/i

export const isShortenedNumber = (text: string): boolean => SHORTENED.test(text)

/** Abbreviated names of months, in the languages in which spreadsheet programs convert IDs to dates. */
const MONTH = [
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?',
  'nov(?:ember)?|dec(?:ember)?|fév|avr|abr|mai|mär|mrz|mrt|maa|mag|mei|giu|juin|juil|lug|août|ago|okt|out|ott|set|dez',
  'déc|dic|ene|gen)\\.?',
].join('|')

const DATES: readonly RegExp[] = [
  /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/,
  /^\d{1,2}([/.-])\d{1,2}\1\d{4}(?: \d{1,2}:\d{2}(?::\d{2})?(?: ?[AP]M)?)?$/i,
  new RegExp(`^\\d{1,2}[-/. ]{1,2}${MONTH}(?:[-/ ]\\d{2,4})?$`, 'iu'),
  // `MAR-100` is a code.
  new RegExp(`^${MONTH}[-/ ](?:\\d{1,2}|\\d{4})(?:,? \\d{4})?$`, 'iu'),
]

/** Quick filter: a date is no longer than this and begins like this. */
const LONGEST_DATE = 30
const DATE_START = /^(?:\d{1,4}[-/. ]|[^\s\d]{3,10}[-/ ]\d)/

/** Whether a text is a date to which a program has converted an ID or a code (`5-Oct`, `Feb-51`). */
export const isWrittenDate = (text: string): boolean =>
  text.length <= LONGEST_DATE && DATE_START.test(text) && DATES.some((pattern) => pattern.test(text))

/**
 * A cell whose formula failed: `#REF!`, `#NAME?` (ECMA-376, part 1, 18.17.3), `#BEZUG!`, `#NOM ?`, `#NV`, `#SPILL!`;
 * `Err:502` of LibreOffice; `Loading...` of Google Sheets.
 */
const FORMULA_ERROR =
  /^(?:#(?:N\/[AD]|NV|GETTING_DATA|\p{Lu}[\p{Lu}\d/]* ?[!?])|(?:Err|Fehler|Erreur|Fout) ?:\d{3}|Loading(?:\.{3}|…))$/u

export const isFormulaError = (text: string): boolean => FORMULA_ERROR.test(text)

/** A leading apostrophe marks a cell as text in spreadsheet programs. It is not part of the value. */
export const KEPT_BY_APOSTROPHE = /^\s*['’‘`´]+(?=\S)/

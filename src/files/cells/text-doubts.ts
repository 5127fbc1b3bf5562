import type { Field } from '#shared/records/record-type'
import { isBrokenText, isNullMarker } from '#shared/records/text-faults'
import { holdsCodes, isShortenedNumber } from '#shared/records/value-warnings'
import { repairedText } from './broken-text'
import { joinedItems } from './joined-items'

/**
 * Why the text of a cell is probably not what somebody typed. `writtenDate`: a program has made a date of it, or
 * somebody has typed one. `lostDigits`: a long number is shortened, and its digits are gone. `decimal`: an id has
 * become a number. `failed`: a formula failed. `placeholder`: the text says that there is no value. `lookalike`:
 * letters of another script look like Latin ones. `lineBreak`: the text goes over several lines. `broken`: its letters
 * were read in the wrong encoding. `joined`: it is several items of a list. `blank`: a record without a yes or no to
 * whether it is in use.
 */
export type TextDoubt =
  | 'writtenDate'
  | 'lostDigits'
  | 'decimal'
  | 'failed'
  | 'placeholder'
  | 'lookalike'
  | 'lineBreak'
  | 'broken'
  | 'joined'
  | 'blank'

/** Names of months as spreadsheet programs shorten them, in the languages whose programs do that to ids. */
const MONTH = [
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?',
  'nov(?:ember)?|dec(?:ember)?|fév|avr|abr|mai|mär|mrz|mrt|maa|mag|mei|giu|juin|juil|lug|août|ago|okt|out|ott|set|dez',
  'déc|dic|ene|gen)\\.?',
].join('|')

const DATES: readonly RegExp[] = [
  /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/,
  /^\d{1,2}([/.-])\d{1,2}\1\d{4}(?: \d{1,2}:\d{2}(?::\d{2})?(?: ?[AP]M)?)?$/i,
  new RegExp(`^\\d{1,2}[-/. ]{1,2}${MONTH}(?:[-/ ]\\d{2,4})?$`, 'iu'),
  new RegExp(`^${MONTH}[-/ ]\\d{1,4}(?:,? \\d{4})?$`, 'iu'),
]

/** A longer text is no date. */
const LONGEST_DATE = 30

export const isWrittenDate = (text: string): boolean =>
  text.length <= LONGEST_DATE && DATES.some((pattern) => pattern.test(text))

/** An id that a program has read as a number and written as one: `1234.0`, `1234,0`; `1,000` has a separator. */
const DECIMAL = /^(-?\d+)(?:\.0+|,0{1,2})$/

/** As in ECMA-376, part 1, 18.17.3: `#REF!`, `#NAME?`; and in other languages: `#BEZUG!`, `#NOM ?`, `#NV`. */
const FORMULA_ERROR = /^#(?:N\/[AD]|NV|\p{Lu}[\p{Lu}\d/]* ?[!?])$/u

/** What people write when they do not know an id or a name. */
const UNKNOWN: readonly string[] = ['?', '??', '???', '.', 'x', 'xxx']

/** Letters of other scripts, and the Latin ones that they look like. */
const LOOKALIKES: ReadonlyMap<string, string> = new Map([
  ...Array.from('АВЕЅІЈКМНОРСТУХаеоресухіјѕԁһ', (letter, at): [string, string] => [
    letter,
    'ABESIJKMHOPCTYXaeopecyxijsdh'[at] ?? letter,
  ]),
  ...Array.from('ΑΒΕΖΗΙΚΜΝΟΡΤΥΧο', (letter, at): [string, string] => [letter, 'ABEZHIKMNOPTYXo'[at] ?? letter]),
  // Full-width letters and digits.
  ...Array.from({ length: 94 }, (_, at): [string, string] => [
    String.fromCharCode(0xff01 + at),
    String.fromCharCode(0x21 + at),
  ]),
])

const OTHER_SCRIPT = /[^\p{ASCII}]/u

/** A text with Latin letters in place of those that look like them; unchanged if it has other letters too. */
function inLatin(text: string): string {
  if (!OTHER_SCRIPT.test(text)) return text
  const latin = Array.from(text, (letter) => LOOKALIKES.get(letter) ?? letter).join('')
  return OTHER_SCRIPT.test(latin) ? text : latin
}

/** Why a text is doubtful. */
interface DoubtfulText {
  doubt: TextDoubt
  /** What was probably meant; empty if nothing says it. */
  probableText: string
  /** What separates the items of a list. Cells with another separator are another question. */
  separator?: string
}

const doubtful = (doubt: TextDoubt, probableText = ''): DoubtfulText => ({ doubt, probableText })

const LINE_BREAK = /[\r\n]/

const FIRST_LETTER = 0x41
const HASH = 0x23

/**
 * Finds what is doubtful about the cells of one field: the same for CSV and for workbooks.
 *
 * @param idField the name of the field with the ids
 * @returns undefined for a field whose cells are never doubtful
 */
export function doubtFinder(field: Field, idField: string): ((cell: string) => DoubtfulText | undefined) | undefined {
  if (field.kind === 'any') return undefined
  const isText = field.kind === 'string' || field.kind === 'list'
  const isId = field.name === idField
  const isCode = holdsCodes(field) || isId
  const needsValue = isId || field.name === 'name'
  return (cell) => {
    const text = cell.trim()
    if (text === '') return field.name === 'is_active' ? doubtful('blank') : undefined
    if (text.charCodeAt(0) === HASH && FORMULA_ERROR.test(text)) return doubtful('failed')
    if (!isText) return undefined
    if (isNullMarker(text, isId) || (needsValue && UNKNOWN.includes(text.toLowerCase()))) return doubtful('placeholder')
    if (isId) {
      const latin = inLatin(text)
      if (latin !== text) return doubtful('lookalike', latin)
    }
    if (isBrokenText(text)) {
      const repaired = repairedText(text)
      return doubtful('broken', repaired === text ? '' : repaired)
    }
    if (field.kind === 'list') {
      const joined = joinedItems(text, field)
      if (joined !== undefined)
        return { ...doubtful('joined', joined.items.join(` ${field.separator} `)), separator: joined.separator }
    } else if (LINE_BREAK.test(text)) return doubtful('lineBreak', text.replace(/\s*[\r\n]+\s*/g, ' '))
    // Most texts begin with a letter and have no digit behind it.
    if (text.charCodeAt(0) >= FIRST_LETTER && !/\d$/.test(text)) return undefined
    if (isWrittenDate(text)) return doubtful('writtenDate')
    if (isShortenedNumber(text)) return doubtful('lostDigits')
    if (isCode && DECIMAL.test(text)) return doubtful('decimal', text.replace(DECIMAL, '$1'))
    return undefined
  }
}

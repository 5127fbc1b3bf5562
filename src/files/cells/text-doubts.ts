import type { Field } from '#shared/records/record-type'
import { isFormulaError, isShortenedNumber, isWrittenDate } from '#shared/records/spreadsheet-damage'
import { isBrokenText, isNullMarker, sodiumIn } from '#shared/records/text-faults'
import { holdsCodes } from '#shared/records/value-warnings'
import { inLatin } from '#shared/text/lookalikes'
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

/** An id that a program has read as a number and written as one: `1234.0`, `1234,0`; `1,000` has a separator. */
const DECIMAL = /^(-?\d+)(?:\.0+|,0{1,2})$/

/** What people write when they do not know an id or a name. */
const UNKNOWN: readonly string[] = ['?', '??', '???', '.', 'x', 'xxx']

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

/** An amount that a program has shortened: `5E+01mg` for 50 mg. The service would split a list at its plus. */
const SHORTENED_AMOUNT = /(?<![\p{L}\d])\d+(?:[.,]\d+)?E\+\d/iu

const FIRST_LETTER = 0x41

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
    if (isFormulaError(text)) return doubtful('failed')
    if (!isText) return undefined
    if (isNullMarker(text, sodiumIn(field, idField)) || (needsValue && UNKNOWN.includes(text.toLowerCase())))
      return doubtful('placeholder')
    if (isId) {
      const latin = inLatin(text)
      if (latin !== text) return doubtful('lookalike', latin)
    }
    if (isBrokenText(text)) {
      const repaired = repairedText(text)
      return doubtful('broken', repaired === text ? '' : repaired)
    }
    if (text.includes('+') && SHORTENED_AMOUNT.test(text)) return doubtful('lostDigits')
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

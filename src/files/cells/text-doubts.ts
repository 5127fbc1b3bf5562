import type { Field } from '#shared/records/record-type'
import { isFormulaError, isShortenedNumber, isWrittenDate } from '#shared/records/spreadsheet-damage'
import { isBrokenText, isNullMarker, sodiumIn } from '#shared/records/text-faults'
import { holdsCodes } from '#shared/records/value-warnings'
import { inLatin } from '#shared/text/lookalikes'
import { repairedText } from './broken-text'
import { joinedItems } from './joined-items'

/**
 * Why the text of a cell is probably not what the user typed. `writtenDate`: it is a date, which a program may have
 * made of the text. `lostDigits`: a long number is shortened, and digits are lost. `decimal`: an ID has become a
 * number. `failed`: a formula failed. `placeholder`: the text says that there is no value. `lookalike`: letters of
 * another script look like Latin letters. `lineBreak`: the text has several lines. `broken`: it was read in the wrong
 * encoding. `joined`: it is several items of a list. `blank`: it does not say whether the record is active.
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

/** An ID that a program has read and written as a number: `1234.0`, `1234,0`. In `1,000` the comma groups digits. */
const DECIMAL = /^(-?\d+)(?:\.0+|,0{1,2})$/

/** Common placeholders for an unknown ID or name. */
const UNKNOWN: readonly string[] = ['?', '??', '???', '.', 'x', 'xxx']

/** Why a text is ambiguous. */
interface DoubtfulText {
  doubt: TextDoubt
  /** The probable meaning; empty if unknown. */
  probableText: string
  /** The separator of the list items. Cells with a different separator are a separate question. */
  separator?: string
}

const doubtful = (doubt: TextDoubt, probableText = ''): DoubtfulText => ({ doubt, probableText })

const LINE_BREAK = /[\r\n]/

/** An amount that a program has shortened: `5E+01mg` for 50 mg. The service would split a list at the plus. */
const SHORTENED_AMOUNT = /(?<![\p{L}\d])\d+(?:[.,]\d+)?E\+\d/iu

const FIRST_LETTER = 0x41

/**
 * Creates a function that finds ambiguous cells of one field, for CSV and for workbooks.
 *
 * @param idField the name of the ID field
 * @returns undefined for a field without ambiguous cells
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
    // Most texts begin with a letter and do not end with a digit.
    if (text.charCodeAt(0) >= FIRST_LETTER && !/\d$/.test(text)) return undefined
    if (isWrittenDate(text)) return doubtful('writtenDate')
    if (isShortenedNumber(text)) return doubtful('lostDigits')
    if (isCode && DECIMAL.test(text)) return doubtful('decimal', text.replace(DECIMAL, '$1'))
    return undefined
  }
}

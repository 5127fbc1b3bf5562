import type { Field, RecordType } from '#shared/records/record-type'
import type { ColumnValues } from './column-values'
import { probableMeaning } from './meanings'
import { isBareNumber } from './units'
import { startsWithStrength } from './value-fit'
import { booleanOf } from './yes-no'

/**
 * Why the values of a column probably do not belong to its field. `flags`: they mean yes or no, or name a class.
 * `repeats`: they are a few words that repeat.
 */
export type ValueDoubt = 'flags' | 'repeats'

/** Fields that name things: nearly every record has a different value. */
const NAMES: readonly string[] = [
  ...['name', 'display_name', 'aliases', 'generic_name', 'generic_list', 'icd10_term', 'panel_members'],
]

export const namesThings = ({ name }: Field): boolean => NAMES.includes(name)

/** Classes of medications, in lower case. No medication has such a name. */
const CLASSES: readonly string[] = [
  ...['rx', 'otc', 'pom', 'gsl', 'prescription', 'prescription only', 'over the counter', 'brand', 'branded'],
  ...['generic', 'originator', 'innovator', 'biosimilar', 'human', 'veterinary'],
]

const NUMBER = /^\d+$/

/** Whether all of some values mean yes or no, or name a class, although the field is a text. */
export function areFlags(field: Field, values: readonly string[]): boolean {
  if (values.length === 0 || (field.kind !== 'string' && field.kind !== 'list')) return false
  const isName = namesThings(field)
  return values.every((value) => {
    if (isName && CLASSES.includes(value.toLowerCase())) return true
    // `1` alone may be an amount or a code.
    if (NUMBER.test(value) && !(isName && values.length > 1)) return false
    return booleanOf(value) !== undefined
  })
}

/** Fewest rows that prove anything. */
const LEAST_ROWS = 10

/** Most distinct words of a column in which words repeat. */
const MOST_WORDS = 3

/** Whether a few words repeat in a column. @param count number of rows with a value */
export const areRepeated = (words: number, count: number): boolean => words <= MOST_WORDS && count >= LEAST_ROWS

/** Fields of words: a value that is only a number is a code. */
const OF_WORDS: readonly string[] = [...NAMES, 'form_name', 'manufacturer', 'therapy_class']

const DIGIT = /\p{N}/u

/** Fewest numbers that prove anything. */
const LEAST_NUMBERS = 3

/** If at most this share of the values is distinct, the column does not contain IDs. */
const MOST_REPEATED = 0.5

/** Whether the values of a column clearly do not belong to the field that its header probably means. */
export function contradict({ values, filled, isComplete }: ColumnValues, field: Field, type: RecordType): boolean {
  const texts = values.map(({ value }) => value)
  if (texts.length === 0) return false
  if (field.kind === 'enum') return texts.every((text) => probableMeaning(field, text) === undefined)
  if (field.name === 'strength') return !texts.some((text) => DIGIT.test(text))
  if (field.name === type.idField) return isComplete && filled >= LEAST_ROWS && texts.length <= filled * MOST_REPEATED
  if (filled < LEAST_NUMBERS) return false
  if (namesThings(field) && texts.every(startsWithStrength)) return true
  return OF_WORDS.includes(field.name) && texts.every(isBareNumber)
}

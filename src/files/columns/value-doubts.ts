import type { Field } from '#shared/records/record-type'
import { booleanOf } from './yes-no'

/**
 * Why the values of a column are probably none of its field. `flags`: they say yes or no, or name a class. `repeats`:
 * they are a few words that repeat.
 */
export type ValueDoubt = 'flags' | 'repeats'

/** Fields that name things: nearly every record has another value. */
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

/** Whether all of some values say yes or no, or name a class, although the field is a text. */
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

/** Fewer rows prove nothing. */
const LEAST_ROWS = 10

/** The most words that repeat. */
const MOST_WORDS = 3

/** Whether a few words repeat in a column. @param count rows with a value */
export const areRepeated = (words: number, count: number): boolean => words <= MOST_WORDS && count >= LEAST_ROWS

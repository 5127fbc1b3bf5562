import type { RawRecord, RecordType } from './record-type'
import { PLAIN_LINE, wordsOf } from './search-text'

/** Stands before each code in the text of the codes of a record, and after the last one. */
const CODE_LINE = '\n'

/** A code, or a query that may be one, in the form in which search compares them; empty if nothing is left of it. */
const foldCode = (code: string): string => (PLAIN_LINE.test(code) ? code.toLowerCase() : wordsOf(code).join(' '))

/** Texts to look for in the codes of a record: one of them is the code, or begins with it. */
export const codeTexts = (folded: string) => ({
  whole: CODE_LINE + folded + CODE_LINE,
  beginning: CODE_LINE + folded,
})

/**
 * Makes the text of the codes of valid records of a type: the id and the values of its fields with `Field.isCode`,
 * folded, one line each (`\nmed-1\n0093-7212\n`).
 */
export function codeReader({ fields, idField }: RecordType): (record: RawRecord) => string {
  const names = fields.filter(({ isCode, name }) => isCode && name !== idField).map(({ name }) => name)
  return (record) => {
    let text = ''
    const add = (code: unknown) => {
      const folded = typeof code === 'string' ? foldCode(code) : ''
      if (folded !== '') text += CODE_LINE + folded
    }
    add(record[idField])
    for (const name of names) {
      const value = record[name]
      if (Array.isArray(value)) for (const code of value) add(code)
      else add(value)
    }
    return text === '' ? '' : text + CODE_LINE
  }
}

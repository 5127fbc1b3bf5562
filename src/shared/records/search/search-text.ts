import { MAX_SEARCH_TEXT_CHARACTERS } from '#shared/limits'
import { formIdOf, formNameOf } from '#shared/records/drug-forms'
import type { RawRecord, RecordType } from '#shared/records/record-type'
import { FACT_MARKS } from '#shared/records/search/quantities'
import { type ReadText, ReadTexts, WORD_SPACE } from '#shared/records/search/read-texts'
import { formFacts } from '#shared/records/search/word-meanings'
import { foldCode } from '#shared/text/fold'

/**
 * The search text of a record. The word index is built from it, and matches are ranked by it. It has two parts:
 *
 * - the lines of the names, then those of the aliases: `\nfirst name\ndisplay name\n\ralias\tof\tfour\twords\r`
 * - after `\f`, the lines of other fields, then the facts: `\rgeneric\tname\r\b=500mg\b:tablet\b`. A fact lets search
 *   find a record without the word itself: quantities in their base units, the words of the form, and the ends of words
 *   in scripts without spaces.
 *
 * Words contain no white space, so the character before a word shows its place. All separators are short in JSON.
 */
export const NAME_LINE_BREAK = '\n'
export const NAME_SPACE = WORD_SPACE
export const ALIAS_LINE_BREAK = '\r'
export const ALIAS_SPACE = '\t'
export const OTHER_PART = '\f'
export const FACT_BREAK = '\b'

interface SearchText {
  text: string
  /** Characters after folding, including repeated lines. */
  foldedCharacters: number
}

const STARTS_WITH_DIGIT = /^\d/
const NO_FACTS: readonly string[] = []

/** Whether a text is a strength that one of the names contains. Search would find nothing more by it. */
const isStrengthOf = (names: string, { line, facts: [fact] }: ReadText): boolean =>
  fact?.startsWith(FACT_MARKS.quantity) === true &&
  STARTS_WITH_DIGIT.test(line) &&
  (names.includes(NAME_SPACE + line + NAME_LINE_BREAK) || names.includes(NAME_SPACE + line + NAME_SPACE))

/** The most dosage forms in the cache of facts. */
const MAX_CACHED_FORMS = 10_000

/** Creates search texts of a record type. */
export class SearchTexts {
  readonly #texts: ReadTexts
  readonly #formFacts = new Map<string, readonly string[]>()
  readonly #otherFields: readonly string[]
  readonly #formField: string | undefined

  constructor({ fields }: RecordType, texts = new ReadTexts()) {
    this.#texts = texts
    this.#otherFields = fields.filter(({ searchedAs }) => searchedAs === 'text').map(({ name }) => name)
    this.#formField = fields.find(({ searchedAs }) => searchedAs === 'form')?.name
  }

  /** The search text of a valid record. Above `MAX_SEARCH_TEXT_CHARACTERS` it is incomplete: reject the record. */
  of(record: RawRecord & { name: string }): SearchText {
    const { name, display_name } = record
    const displayName = typeof display_name === 'string' ? display_name : name
    const { line: nameLine, facts: nameFacts } = this.#texts.of(name)
    const { line: displayLine, facts: displayFacts } = this.#texts.of(displayName)
    let text = NAME_LINE_BREAK + nameLine + NAME_LINE_BREAK
    if (displayLine !== nameLine) text += displayLine + NAME_LINE_BREAK
    const lines = new Set([nameLine, displayLine])
    const facts = new Set(nameFacts)
    for (const fact of displayFacts) facts.add(fact)
    let foldedCharacters = nameLine.length + displayLine.length
    const names = text
    const foldItem = (item: unknown): string => {
      if (typeof item !== 'string' || foldedCharacters > MAX_SEARCH_TEXT_CHARACTERS) return ''
      const read = this.#texts.of(item)
      const { line } = read
      for (const fact of read.facts) facts.add(fact)
      foldedCharacters += line.length
      if (line === '' || lines.has(line) || isStrengthOf(names, read)) return ''
      lines.add(line)
      return line.replaceAll(NAME_SPACE, ALIAS_SPACE) + ALIAS_LINE_BREAK
    }
    const linesOf = (value: unknown): string => (Array.isArray(value) ? value.map(foldItem).join('') : foldItem(value))
    let rest = linesOf(record.aliases)
    if (rest !== '') rest = ALIAS_LINE_BREAK + rest
    let other = ''
    for (const field of this.#otherFields) other += linesOf(record[field])
    for (const fact of this.#factsOfForm(record)) facts.add(fact)
    if (other !== '') other = ALIAS_LINE_BREAK + other
    for (const fact of facts) {
      other += FACT_BREAK + fact
      foldedCharacters += fact.length
    }
    if (facts.size > 0) other += FACT_BREAK
    rest += OTHER_PART + other
    return { text: text + rest, foldedCharacters }
  }

  #factsOfForm(record: RawRecord): readonly string[] {
    const formName = this.#formField === undefined ? undefined : record[this.#formField]
    if (typeof formName !== 'string') return NO_FACTS
    let facts = this.#formFacts.get(formName)
    if (facts === undefined) {
      facts = formFacts(formName, formNameOf(formIdOf(formName) ?? ''))
      if (this.#formFacts.size < MAX_CACHED_FORMS) this.#formFacts.set(formName, facts)
    }
    return facts
  }
}

/** Patterns to look for in a search text: the words next to each other, for each place. @param words folded */
export function queryTexts(words: readonly string[]) {
  const name = words.join(NAME_SPACE)
  const alias = words.join(ALIAS_SPACE)
  return {
    nameLine: NAME_LINE_BREAK + name + NAME_LINE_BREAK,
    nameStart: NAME_LINE_BREAK + name,
    aliasLine: ALIAS_LINE_BREAK + alias + ALIAS_LINE_BREAK,
    aliasStart: ALIAS_LINE_BREAK + alias,
    nameWord: NAME_SPACE + name,
    aliasWord: ALIAS_SPACE + alias,
  }
}

/** Before each code in the text of a record's codes, and after the last. */
export const CODE_BREAK = '\n'

/** The folded codes of valid records, including the ID, one per line (`\nmed1\n00937212\n`). */
export function codeTextMaker({ fields, idField }: RecordType): (record: RawRecord) => string {
  const names = fields
    .filter(({ searchedAs, name }) => searchedAs === 'code' && name !== idField)
    .map(({ name }) => name)
  return (record) => {
    let text = ''
    const add = (code: unknown) => {
      const folded = typeof code === 'string' ? foldCode(code) : ''
      if (folded !== '') text += CODE_BREAK + folded
    }
    add(record[idField])
    for (const name of names) {
      const value = record[name]
      if (Array.isArray(value)) for (const code of value) add(code)
      else add(value)
    }
    return text === '' ? '' : text + CODE_BREAK
  }
}

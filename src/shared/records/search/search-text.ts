import { MAX_SEARCH_TEXT_CHARACTERS } from '#shared/limits'
import { formIdOf, formNameOf } from '#shared/records/drug-forms'
import type { RawRecord, RecordType } from '#shared/records/record-type'
import { FACT_MARKS, quantityFacts } from '#shared/records/search/quantities'
import { formFacts } from '#shared/records/search/word-meanings'
import { foldCode, foldText, isAscii, isUnspaced, wordPattern } from '#shared/text/fold'

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
export const NAME_SPACE = ' '
export const ALIAS_LINE_BREAK = '\r'
export const ALIAS_SPACE = '\t'
export const OTHER_PART = '\f'
export const FACT_BREAK = '\b'

/** Prefix of a fact: a word in a script without spaces ends with this text. */
export const WORD_END_MARK = '<'

/** Most characters of such a fact. A search for a longer word looks for all of its parts. */
export const WORD_END_CHARACTERS = 8

interface SearchText {
  text: string
  /** Characters after folding, including repeated lines. */
  foldedCharacters: number
}

interface FoldedText {
  /** The words with `NAME_SPACE` between them. */
  line: string
  /** Quantities and ends of words. */
  facts: readonly string[]
}

const STARTS_WITH_DIGIT = /^\d/
const HOLDS_DIGIT = /\d/
const NO_FACTS: readonly string[] = []

function endsOf(word: string): string[] {
  const letters = [...word]
  return letters.slice(1).map((_, n) => WORD_END_MARK + letters.slice(n + 1, n + 1 + WORD_END_CHARACTERS).join(''))
}

function readText(text: string): FoldedText {
  const folded = foldText(text)
  const words: string[] = folded.match(wordPattern(folded)) ?? []
  const facts = HOLDS_DIGIT.test(folded) ? quantityFacts(folded) : NO_FACTS
  return {
    line: words.join(NAME_SPACE),
    facts: isAscii(text) ? facts : [...facts, ...words.filter(isUnspaced).flatMap(endsOf)],
  }
}

/** Whether a text is a strength that one of the names contains. Search would find nothing more by it. */
const isStrengthOf = (names: string, { line, facts: [fact] }: FoldedText): boolean =>
  fact?.startsWith(FACT_MARKS.quantity) === true &&
  STARTS_WITH_DIGIT.test(line) &&
  (names.includes(NAME_SPACE + line + NAME_LINE_BREAK) || names.includes(NAME_SPACE + line + NAME_SPACE))

/** Cache of folded texts: the most texts, a few megabytes in total, and the most characters of one. */
const MAX_CACHED_TEXTS = 10_000
const MAX_CACHED_CHARACTERS = 64

/** Texts that folding only converts to lower case. */
const PLAIN_LINE = /^[A-Za-z]+(?: [A-Za-z]+)*$/

/** Creates search texts of a record type. Strengths, forms and generics repeat, so it caches folded texts. */
export class SearchTexts {
  readonly #folded = new Map<string, FoldedText>()
  readonly #formFacts = new Map<string, readonly string[]>()
  readonly #otherFields: readonly string[]
  readonly #formField: string | undefined

  constructor({ fields }: RecordType) {
    this.#otherFields = fields.filter(({ searchedAs }) => searchedAs === 'text').map(({ name }) => name)
    this.#formField = fields.find(({ searchedAs }) => searchedAs === 'form')?.name
  }

  /** The search text of a valid record. Above `MAX_SEARCH_TEXT_CHARACTERS` it is incomplete: reject the record. */
  of(record: RawRecord & { name: string }): SearchText {
    const { name, display_name } = record
    const displayName = typeof display_name === 'string' ? display_name : name
    const { line: nameLine, facts: nameFacts } = this.#fold(name)
    const { line: displayLine, facts: displayFacts } = this.#fold(displayName)
    let text = NAME_LINE_BREAK + nameLine + NAME_LINE_BREAK
    if (displayLine !== nameLine) text += displayLine + NAME_LINE_BREAK
    const lines = new Set([nameLine, displayLine])
    const facts = new Set(nameFacts)
    for (const fact of displayFacts) facts.add(fact)
    let foldedCharacters = nameLine.length + displayLine.length
    const names = text
    const foldItem = (item: unknown): string => {
      if (typeof item !== 'string' || foldedCharacters > MAX_SEARCH_TEXT_CHARACTERS) return ''
      const folded = this.#fold(item)
      const { line } = folded
      for (const fact of folded.facts) facts.add(fact)
      foldedCharacters += line.length
      if (line === '' || lines.has(line) || isStrengthOf(names, folded)) return ''
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

  #fold(text: string): FoldedText {
    if (PLAIN_LINE.test(text)) return { line: text.toLowerCase(), facts: NO_FACTS }
    let folded = this.#folded.get(text)
    if (folded === undefined) {
      folded = readText(text)
      // Repeated texts are near each other in most files.
      if (this.#folded.size === MAX_CACHED_TEXTS) this.#folded.clear()
      if (text.length <= MAX_CACHED_CHARACTERS) this.#folded.set(text, folded)
    }
    return folded
  }

  #factsOfForm(record: RawRecord): readonly string[] {
    const formName = this.#formField === undefined ? undefined : record[this.#formField]
    if (typeof formName !== 'string') return NO_FACTS
    let facts = this.#formFacts.get(formName)
    if (facts === undefined) {
      facts = formFacts(formName, formNameOf(formIdOf(formName) ?? ''))
      if (this.#formFacts.size < MAX_CACHED_TEXTS) this.#formFacts.set(formName, facts)
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

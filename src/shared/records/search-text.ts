import { MAX_SEARCH_TEXT_CHARACTERS } from '#shared/limits'
import type { RawRecord, RecordType } from './record-type'

/**
 * Text in the form in which search compares it: without case, diacritics and compatibility forms
 * (docs/contract.md#text-search).
 *
 * In some scripts (Devanagari, Thai, ...) marks are letters; they stay. Only marks that any script can have
 * (Arabic vowel signs among them) and Hebrew points are removed.
 */
export function foldText(text: string): string {
  if (isAscii(text)) return text.toLowerCase()
  return (
    text
      .normalize('NFKD')
      // This mark is a letter in upper case: `ᾳ` becomes `ΑΙ`.
      .replace(/\u0345/g, 'ι')
      // The full-text index takes U+180E for white space.
      .replace(/\p{Script=Inherited}|[\u0591-\u05c7\u180e]/gu, '')
      .toLowerCase()
      .replace(/[đðħıłøœæŧþ]/g, (letter) => UNDECOMPOSED[letter] ?? letter)
      // Upper case turns `ß` into `ss`. Lower case came before it, because `ẞ` is already upper case.
      .toUpperCase()
      .toLowerCase()
      .replace(/ς/g, 'σ')
  )
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the whole of ASCII is meant.
const isAscii = (text: string): boolean => /^[\x00-\x7f]*$/.test(text)

/** Letters with a stroke or a ligature, which Unicode does not decompose. */
const UNDECOMPOSED: Readonly<Record<string, string>> = {
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ı: 'i',
  ł: 'l',
  ø: 'o',
  œ: 'oe',
  æ: 'ae',
  ŧ: 't',
  þ: 'th',
}

/**
 * The white space of a search text. A text is the lines of the names (name, display name) and then those of the
 * aliases: `\nname of two words\ndisplay name\n\ralias\tof\tfour\twords\ranother\r`. Words never hold white space, so
 * the character before a word shows whether the word begins or continues the line of a name or of an alias.
 */
export const NAME_LINE = '\n'
export const NAME_WORD = ' '
export const ALIAS_LINE = '\r'
export const ALIAS_WORD = '\t'

/** Printable ASCII without white space at an end, and never more than one space between words. */
const PLAIN_LINE = /^[!-~]+(?: [!-~]+)*$/

/**
 * Letters, marks and digits of scripts that folding leaves as they are, in any order and beside each other. The only
 * marks among them that Unicode could put into another order are of one class (virama), which keeps their order.
 */
const FOLDED_LETTERS = [
  'α-ρσ-ω',
  'а-ик-я',
  // Hebrew and Arabic.
  '\u05d0-\u05ea\u0621\u0627-\u064a',
  // Devanagari, Bengali, Tamil and Telugu.
  '\u0900-\u0928\u092a-\u0930\u0932\u0933\u0935-\u0939\u093d-\u0950\u0966-\u096f',
  '\u0980-\u0983\u0985-\u098c\u098f\u0990\u0993-\u09a8\u09aa-\u09b0\u09b2\u09b6-\u09b9\u09bd-\u09c4',
  '\u09c7\u09c8\u09cd\u09e6-\u09ef',
  '\u0b85-\u0b8a\u0b8e-\u0b90\u0b92\u0b93\u0b95\u0b99\u0b9a\u0b9c\u0b9e\u0b9f\u0ba3\u0ba4\u0ba8-\u0baa',
  '\u0bae-\u0bb9\u0bbe-\u0bc2\u0bc6-\u0bc8\u0bcd',
  '\u0c01-\u0c03\u0c05-\u0c0c\u0c0e-\u0c10\u0c12-\u0c28\u0c2a-\u0c39\u0c3e-\u0c44\u0c46\u0c47\u0c4a-\u0c4d',
  // Thai and the ideographs.
  '\u0e01-\u0e32\u0e40-\u0e47\u4e00-\u9fff',
].join('')

/** Like `PLAIN_LINE`, with the letters that folding leaves as they are. */
const FOLDED_LINE = new RegExp(`^[!-~${FOLDED_LETTERS}]+(?: [!-~${FOLDED_LETTERS}]+)*$`)

/** A search text, and the form in which a write sends it. */
interface SearchText {
  text: string
  /**
   * The text itself. If folding does not change the name, it begins with the second character of the text, and `N`
   * stands for the line of the name. If folding does not change the display name either, `D` stands for its line. That
   * makes the way to the database shorter for other scripts, many of which have no capital letters. No folded text has
   * a capital letter of ASCII.
   */
  sentText: string
  /** Characters that folding has made, those of repeated lines too. */
  foldedCharacters: number
}

/** Words that are cached in their folded form; a few megabytes together. */
const REMEMBERED_WORDS = 20_000
const REMEMBERED_WORD_CHARACTERS = 64

/**
 * Makes the search texts of many records. Caches folded words: they repeat in a catalog, and folding a word that is
 * not ASCII takes far longer than a look-up.
 */
export class SearchTexts {
  readonly #words = new Map<string, string>()

  /**
   * The search text of a record: name, display name and aliases, folded, one line each, without repetitions.
   *
   * Folding makes up to eighteen characters of one. If it has made more than `MAX_SEARCH_TEXT_CHARACTERS`, the text is
   * incomplete, and the caller refuses it.
   */
  of(name: string, displayName: string | undefined, aliases: readonly string[]): SearchText {
    const first = this.#line(name)
    let text = NAME_LINE + first + NAME_LINE
    let sentText = name === first ? `N${NAME_LINE}` : text
    if (displayName === undefined && aliases.length === 0) return { text, sentText, foldedCharacters: first.length }
    const lines = new Set([first])
    const isNew = (line: string) => lines.size < lines.add(line).size
    const second = displayName === undefined ? first : this.#line(displayName)
    if (isNew(second)) {
      text += second + NAME_LINE
      sentText += (name === first && displayName === second ? 'D' : second) + NAME_LINE
    }
    let others = ''
    let foldedCharacters = first.length + second.length
    for (const alias of aliases) {
      const line = this.#line(alias)
      foldedCharacters += line.length
      if (isNew(line)) others += (others === '' ? ALIAS_LINE : '') + line.replaceAll(NAME_WORD, ALIAS_WORD) + ALIAS_LINE
      if (foldedCharacters > MAX_SEARCH_TEXT_CHARACTERS) break
    }
    return { text: text + others, sentText: sentText + others, foldedCharacters }
  }

  #line(text: string): string {
    if (PLAIN_LINE.test(text)) return text.toLowerCase()
    const lower = text.toLowerCase()
    if (FOLDED_LINE.test(lower)) return lower
    let line = ''
    for (const word of text.split(/\s/u)) {
      const folded = word === '' ? '' : this.#word(word)
      if (folded !== '') line += line === '' ? folded : NAME_WORD + folded
    }
    return line
  }

  #word(word: string): string {
    if (isAscii(word)) return word.toLowerCase()
    let folded = this.#words.get(word)
    if (folded === undefined) {
      // Folding turns some characters into white space.
      folded = foldText(word).trim().replace(/\s+/gu, NAME_WORD)
      if (this.#words.size < REMEMBERED_WORDS && folded.length <= REMEMBERED_WORD_CHARACTERS) {
        this.#words.set(word, folded)
      }
    }
    return folded
  }
}

/** The forms in which a search text can hold a query. @param words folded, at least one */
export function placesOf(words: readonly string[]) {
  const name = words.join(NAME_WORD)
  const alias = words.join(ALIAS_WORD)
  return {
    nameLine: NAME_LINE + name + NAME_LINE,
    nameStart: NAME_LINE + name,
    aliasLine: ALIAS_LINE + alias + ALIAS_LINE,
    aliasStart: ALIAS_LINE + alias,
    nameWord: NAME_WORD + name,
    aliasWord: ALIAS_WORD + alias,
  }
}

/** The words of a query in order, folded; none for a blank one. */
export const wordsOf = (query: string): string[] =>
  foldText(query)
    .split(/\s+/u)
    .filter((word) => word !== '')

/** Stands before each code in the text of the codes of a record, and after the last one. */
const CODE_LINE = '\n'

/** A code, or a query that may be one, in the form in which search compares them; empty if nothing is left of it. */
const foldCode = (code: string): string => (PLAIN_LINE.test(code) ? code.toLowerCase() : wordsOf(code).join(' '))

/** Texts to look for in the codes of a record: one of them is the code, or begins with it. */
export const codeTexts = (folded: string) => ({ whole: CODE_LINE + folded + CODE_LINE, beginning: CODE_LINE + folded })

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

import { MAX_SEARCH_TEXT_CHARACTERS } from '#shared/limits'
import type { RawRecord, RecordType } from './record-type'

/**
 * Text in the form in which search compares it: without case, diacritics and compatibility forms
 * (docs/contract.md#text-search).
 *
 * In some scripts (Devanagari, Thai, ...) marks are letters; they stay. Only Hebrew points and marks that belong to no
 * single script (Unicode: `Inherited`; Arabic vowel signs among them) are removed.
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
export const NAME_LINE_BREAK = '\n'
export const NAME_SPACE = ' '
export const ALIAS_LINE_BREAK = '\r'
export const ALIAS_SPACE = '\t'

/** Printable ASCII without white space at either end, and never more than one space between words. */
const PLAIN_LINE = /^[!-~]+(?: [!-~]+)*$/

/**
 * Letters, marks and digits that folding does not change, alone or side by side. Unicode reorders only marks of
 * different combining classes, and the marks here have one class (virama) or none.
 */
const FOLDED_LETTERS = [
  // Greek without ς, which folds to σ, and Cyrillic without й, which is decomposed.
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
   * The text in the form in which it is sent. If folding does not change the name, the line break before it is left out
   * and `N` stands for the name. If folding does not change the display name either, `D` stands for that. The database
   * has both among the values of the record and puts them in (`write/sql/write-records.ts`). This sends fewer bytes for
   * scripts without capital letters. `N` and `D` cannot be part of a folded text: it has no capital letters of ASCII.
   */
  sentText: string
  /** Characters that folding has made, those of repeated lines too. */
  foldedCharacters: number
}

/** The most words that are cached in their folded form, a few megabytes together, and the most characters of one. */
const MAX_CACHED_WORDS = 20_000
const MAX_CACHED_WORD_CHARACTERS = 64

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
    const nameLine = this.#line(name)
    let text = NAME_LINE_BREAK + nameLine + NAME_LINE_BREAK
    let sentText = name === nameLine ? `N${NAME_LINE_BREAK}` : text
    const displayNameLine = displayName === undefined ? nameLine : this.#line(displayName)
    if (displayNameLine !== nameLine) {
      text += displayNameLine + NAME_LINE_BREAK
      sentText += (name === nameLine && displayName === displayNameLine ? 'D' : displayNameLine) + NAME_LINE_BREAK
    }
    let foldedCharacters = nameLine.length + displayNameLine.length
    if (aliases.length === 0) return { text, sentText, foldedCharacters }
    let aliasLines = ''
    const lines = new Set([nameLine, displayNameLine])
    for (const alias of aliases) {
      const line = this.#line(alias)
      foldedCharacters += line.length
      if (lines.size < lines.add(line).size) {
        aliasLines +=
          (aliasLines === '' ? ALIAS_LINE_BREAK : '') + line.replaceAll(NAME_SPACE, ALIAS_SPACE) + ALIAS_LINE_BREAK
      }
      if (foldedCharacters > MAX_SEARCH_TEXT_CHARACTERS) break
    }
    return { text: text + aliasLines, sentText: sentText + aliasLines, foldedCharacters }
  }

  #line(text: string): string {
    if (PLAIN_LINE.test(text)) return text.toLowerCase()
    const lower = text.toLowerCase()
    if (FOLDED_LINE.test(lower)) return lower
    let line = ''
    for (const word of text.split(/\s/u)) {
      const folded = word === '' ? '' : this.#word(word)
      if (folded !== '') line += line === '' ? folded : NAME_SPACE + folded
    }
    return line
  }

  #word(word: string): string {
    if (isAscii(word)) return word.toLowerCase()
    let folded = this.#words.get(word)
    if (folded === undefined) {
      // Folding turns some characters into white space.
      folded = foldText(word).trim().replace(/\s+/gu, NAME_SPACE)
      if (this.#words.size < MAX_CACHED_WORDS && folded.length <= MAX_CACHED_WORD_CHARACTERS) {
        this.#words.set(word, folded)
      }
    }
    return folded
  }
}

/** Texts to look for in a search text, by the place in which it can hold a query. @param words folded, at least one */
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

/** The words of a query in order, folded; none for a blank one. */
export const wordsOf = (query: string): string[] =>
  foldText(query)
    .split(/\s+/u)
    .filter((word) => word !== '')

/** Stands before each code in the text of the codes of a record, and after the last one. */
const CODE_LINE_BREAK = '\n'

/** A code, or a query that may be one, in the form in which search compares them; empty if nothing is left of it. */
const foldCode = (code: string): string => (PLAIN_LINE.test(code) ? code.toLowerCase() : wordsOf(code).join(' '))

/** Texts to look for in the text of the codes: of a code that equals the folded one, and of one that begins with it. */
export const codeTexts = (folded: string) => ({
  whole: CODE_LINE_BREAK + folded + CODE_LINE_BREAK,
  beginning: CODE_LINE_BREAK + folded,
})

/**
 * Makes the text of the codes of valid records of a type: the id and the values of its fields with `Field.isCode`,
 * folded, one line each (`\nmed-1\n0093-7212\n`).
 */
export function codeTextMaker({ fields, idField }: RecordType): (record: RawRecord) => string {
  const names = fields.filter(({ isCode, name }) => isCode && name !== idField).map(({ name }) => name)
  return (record) => {
    let text = ''
    const add = (code: unknown) => {
      const folded = typeof code === 'string' ? foldCode(code) : ''
      if (folded !== '') text += CODE_LINE_BREAK + folded
    }
    add(record[idField])
    for (const name of names) {
      const value = record[name]
      if (Array.isArray(value)) for (const code of value) add(code)
      else add(value)
    }
    return text === '' ? '' : text + CODE_LINE_BREAK
  }
}

import { MAX_SEARCH_TEXT_CHARACTERS } from '#limits'

/**
 * Text as search compares it: without case, diacritics and compatibility forms (decisions, section 3).
 *
 * Marks of scripts in which they are letters rather than diacritics (Devanagari, Thai, ...) stay: only marks that any
 * script can carry, Arabic vowel signs among them, and Hebrew points are removed.
 */
export function foldText(text: string): string {
  if (isAscii(text)) return text.toLowerCase()
  return (
    text
      .normalize('NFKD')
      .replace(/\p{Script=Inherited}|[\u0591-\u05c7]/gu, '')
      .replace(/[đðħıłøœæŧÞþĐÐĦŁØŒÆŦ]/g, (letter) => UNDECOMPOSED[letter] ?? letter)
      // Through upper case, so that `ß` meets `ss`; first through lower case, because `ẞ` is upper case already.
      .toLowerCase()
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
  Đ: 'd',
  ð: 'd',
  Ð: 'd',
  ħ: 'h',
  Ħ: 'h',
  ı: 'i',
  ł: 'l',
  Ł: 'l',
  ø: 'o',
  Ø: 'o',
  œ: 'oe',
  Œ: 'oe',
  æ: 'ae',
  Æ: 'ae',
  ŧ: 't',
  Ŧ: 't',
  þ: 'th',
  Þ: 'th',
}

/** Stand before and after each line of a search text, and between its words: two characters, so that a trigram tells
 *  the beginning of a line or of a word apart from its middle even for a single letter. */
export const LINE = '\n\n'
export const WORD = '  '

/** Words that are remembered in their folded form, and their longest; together a few megabytes at the most. */
const REMEMBERED_WORDS = 20_000
const REMEMBERED_WORD_CHARACTERS = 64

/**
 * Makes the search texts of many records. Words come again and again in a catalog, and folding one that is not ASCII
 * takes far longer than to remember it.
 */
export class SearchTexts {
  readonly #words = new Map<string, string>()

  /**
   * What a record is found by: name, display name and aliases, folded, a line each, without repetitions. A word of a
   * query holds no white space and therefore never matches across two of them.
   *
   * Folding makes up to eighteen characters of one. A text that comes to more than `MAX_SEARCH_TEXT_CHARACTERS` is not
   * complete: it is for the caller to refuse.
   */
  of(name: string, displayName: string | undefined, aliases: readonly string[]): string {
    const first = this.#line(name)
    if (displayName === undefined && aliases.length === 0) return LINE + first + LINE
    const lines = new Set([first])
    if (displayName !== undefined) lines.add(this.#line(displayName))
    let characters = first.length
    for (const alias of aliases) {
      const line = this.#line(alias)
      if (lines.has(line)) continue
      lines.add(line)
      characters += line.length + LINE.length
      if (characters > MAX_SEARCH_TEXT_CHARACTERS) break
    }
    return LINE + [...lines].join(LINE) + LINE
  }

  #line(text: string): string {
    const trimmed = text.trim()
    if (isAscii(trimmed)) return trimmed.toLowerCase().replace(/\s+/g, WORD)
    const words = trimmed.split(/\s+/u).map(this.#word, this)
    return words.filter((word) => word !== '').join(WORD)
  }

  #word(word: string): string {
    let folded = this.#words.get(word)
    if (folded === undefined) {
      // Folding makes white space of some characters.
      folded = foldText(word).trim().replace(/\s+/gu, WORD)
      if (this.#words.size < REMEMBERED_WORDS && folded.length <= REMEMBERED_WORD_CHARACTERS) {
        this.#words.set(word, folded)
      }
    }
    return folded
  }
}

/** The forms in which a search text holds a query: as a whole line, at the start of one, at the start of a word. */
export const placesOf = (
  words: readonly string[],
): { line: string; lineStart: string; wordStart: string } => {
  const phrase = words.join(WORD)
  return { line: LINE + phrase + LINE, lineStart: LINE + phrase, wordStart: WORD + phrase }
}

/** The words of a query in order, folded; none for a blank one. */
export const wordsOf = (query: string): string[] =>
  foldText(query)
    .split(/\s+/u)
    .filter((word) => word !== '')

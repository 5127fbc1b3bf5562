import { quantityFacts } from '#shared/records/search/quantities'
import { foldText, isAscii, isUnspaced, wordPattern } from '#shared/text/fold'

/** Between the words of a line. */
export const WORD_SPACE = ' '

/** Prefix of a fact: a word in a script without spaces ends with this text. */
export const WORD_END_MARK = '<'

/** Most characters of such a fact. A search for a longer word looks for all of its parts. */
export const WORD_END_CHARACTERS = 8

/** A text of a record as search reads it. */
export interface ReadText {
  /** The folded words, separated by `WORD_SPACE`. */
  line: string
  /** Quantities and ends of words. */
  facts: readonly string[]
}

const HOLDS_DIGIT = /\d/
const NO_FACTS: readonly string[] = []

function endsOf(word: string): string[] {
  const letters = [...word]
  return letters.slice(1).map((_, n) => WORD_END_MARK + letters.slice(n + 1, n + 1 + WORD_END_CHARACTERS).join(''))
}

function readText(text: string): ReadText {
  const folded = foldText(text)
  const words: string[] = folded.match(wordPattern(folded)) ?? []
  const facts = HOLDS_DIGIT.test(folded) ? quantityFacts(folded) : NO_FACTS
  return {
    line: words.join(WORD_SPACE),
    facts: isAscii(text) ? facts : [...facts, ...words.filter(isUnspaced).flatMap(endsOf)],
  }
}

/**
 * Most strings in the cache, a few megabytes in total, and most characters of one text. Counts strings, because a name
 * in Thai or Chinese has a fact for each letter, but a Latin one only two or three.
 */
const MAX_CACHED_STRINGS = 40_000
const MAX_CACHED_CHARACTERS = 64

/** Strings of a text in addition to its facts: the text, its line, and the entry, which needs as much as a string. */
const STRINGS_OF_TEXT = 3

/** Texts that folding only converts to lower case. */
const PLAIN_LINE = /^[A-Za-z]+(?: [A-Za-z]+)*$/

/**
 * Reads texts of many records, with a cache: strengths and generics repeat, and names are read for several purposes.
 */
export class ReadTexts {
  readonly #cached = new Map<string, ReadText>()
  #strings = 0

  of(text: string): ReadText {
    if (PLAIN_LINE.test(text)) return { line: text.toLowerCase(), facts: NO_FACTS }
    let read = this.#cached.get(text)
    if (read === undefined) {
      read = readText(text)
      if (text.length <= MAX_CACHED_CHARACTERS) this.#keep(text, read)
    }
    return read
  }

  #keep(text: string, read: ReadText): void {
    const strings = STRINGS_OF_TEXT + read.facts.length
    // Repeated texts are near each other in most files.
    if (this.#strings + strings > MAX_CACHED_STRINGS) {
      this.#cached.clear()
      this.#strings = 0
    }
    this.#cached.set(text, read)
    this.#strings += strings
  }
}

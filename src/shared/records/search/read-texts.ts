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
  /** The words, folded, with `WORD_SPACE` between them. */
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

/** Cache: the most texts, a few megabytes in total, and the most characters of one. */
const MAX_CACHED_TEXTS = 10_000
const MAX_CACHED_CHARACTERS = 64

/** Texts that folding only converts to lower case. */
const PLAIN_LINE = /^[A-Za-z]+(?: [A-Za-z]+)*$/

/** Reads texts of many records. Strengths and generics repeat, and names are read for several purposes: a cache. */
export class ReadTexts {
  readonly #cached = new Map<string, ReadText>()

  of(text: string): ReadText {
    if (PLAIN_LINE.test(text)) return { line: text.toLowerCase(), facts: NO_FACTS }
    let read = this.#cached.get(text)
    if (read === undefined) {
      read = readText(text)
      // Repeated texts are near each other in most files.
      if (this.#cached.size === MAX_CACHED_TEXTS) this.#cached.clear()
      if (text.length <= MAX_CACHED_CHARACTERS) this.#cached.set(text, read)
    }
    return read
  }
}

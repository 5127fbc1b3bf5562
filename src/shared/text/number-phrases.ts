/**
 * Whether the numbers of a text are those of a record, for a page that must not take one dose for another. Numbers are
 * compared as they are written, without blanks and case: `numbers.ts` reads more, but a page can do without it, and two
 * that are written alike are never two quantities.
 */

/** Digits with any signs between them, and groups with blanks. */
const NUMBER = String.raw`\p{N}(?:[^\p{L}\s]*\p{N})?(?:\s\p{N}{3}(?!\p{N}))*`
const WORD = String.raw`(?:[\p{L}\p{M}]+|[%‰])`
const SIGN = String.raw`\s?(?:[/+;&:-]|per)\s?`

/** A number, the word behind it, and what it is joined with: `500 mg/125 mg`. */
const PHRASE = new RegExp(
  String.raw`(${NUMBER})(?:\s?(${WORD}))?(?:${SIGN}(?:${NUMBER}(?:\s?${WORD})?|${WORD}))*`,
  'gu',
)

/** @returns of each number `[phrase, number, word]`, without blanks and in lower case */
const phrasesOf = (text: string): string[][] =>
  Array.from(text.toLowerCase().matchAll(PHRASE), (match) => match.map((part = '') => part.replace(/\s/g, '')))

/**
 * Whether each number of a text is a number of a record in the same role, with its decimal sign and its unit: `125 mg`
 * is not in `500/125 mg`, `70/30` not in `30/70`, and `5 ml` not in `250 mg/5 ml`. A text without numbers passes. Words
 * are not compared, and neither are units: 1 g is not 1000 mg here.
 *
 * @param texts of the record: names, aliases, strength, form, each on its own
 */
export function hasNumbersOf(texts: readonly string[], text: string): boolean {
  const known = texts.flatMap(phrasesOf)
  const phrases = new Set(known.map(([phrase]) => phrase))
  const behindNumbers = new Set(known.map(([, , word]) => word))
  return phrasesOf(text).every(
    ([phrase, number, word]) =>
      phrases.has(phrase) ||
      // A name ends with a number, and a word of another field follows (`Augmentin 625 Tablet`).
      (phrases.has(number) && phrase === `${number}${word}` && !behindNumbers.has(word)),
  )
}

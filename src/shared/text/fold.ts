import { foldNumberSigns, plainNumbers, splitNumbers } from '#shared/text/numbers'
import { SPACED, UNSPACED } from '#shared/text/scripts'

/** Folds queries, stored texts and codes into the form that search compares (docs/contract.md#text-search). */

// biome-ignore lint/suspicious/noControlCharactersInRegex: the whole of ASCII is meant.
const ASCII = /^[\x00-\x7f]*$/

export const isAscii = (text: string): boolean => ASCII.test(text)

/** Letters that Unicode does not decompose, with their folded forms. */
const REPLACEMENTS: Readonly<Record<string, string>> = {
  // With a stroke or a ligature.
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
  // Variants of one letter in Arabic and Persian.
  '\u06cc': '\u064a',
  '\u0649': '\u064a',
  '\u06a9': '\u0643',
  '\u0671': '\u0627',
  '\u066a': '%',
  // In upper case, this mark becomes a letter: `ᾳ` becomes `ΑΙ`.
  '\u0345': 'ι',
}

/** ASCII apostrophe and backtick, typographic ones, primes, and letters that look like them. */
const APOSTROPHES = "'`\u00b4\u02b9\u02bb-\u02bd\u02c8\u02ca\u02cb\u2018-\u201b\u2032\u2035\ua78b\ua78c\uff07"

const APOSTROPHE = new RegExp(`[${APOSTROPHES}]`, 'g')
const HOLDS_APOSTROPHE = new RegExp(`[${APOSTROPHES}]`)

/** Between digits, a separator of thousands or a decimal sign, like a comma. */
const APOSTROPHE_IN_NUMBER = new RegExp(`(?<=\\p{Nd})[${APOSTROPHES}](?=\\p{Nd})`, 'gu')

/**
 * What folding removes or replaces after lower-casing: apostrophes, invisible characters, tatweel, marks of no single
 * script, Hebrew points, the letters above, and digits that Unicode does not decompose. Other marks (Devanagari, Thai)
 * are letters.
 */
const REPLACED = new RegExp(
  `[${APOSTROPHES}\\p{Cf}\\p{Variation_Selector}\\p{Script=Inherited}\\u0640\\u0591-\\u05c7` +
    `${Object.keys(REPLACEMENTS).join('')}[\\p{Nd}--[0-9]]]`,
  'gv',
)

const isDigit = (text: string): boolean => /^\p{Nd}/u.test(text)

/** The value of a decimal digit of any script: Unicode has the ten digits of a script side by side, 0 first. */
function digitOf(digit: string): string {
  const code = digit.codePointAt(0) ?? 0
  let before = 0
  while (isDigit(String.fromCodePoint(code - before - 1))) before++
  return String(before % 10)
}

const replacementOf = (character: string): string =>
  REPLACEMENTS[character] ?? (isDigit(character) ? digitOf(character) : '')

/** Removes what search does not compare. Symbols and white space stay. */
function foldCharacters(text: string): string {
  const withoutApostrophes = text.replace(APOSTROPHE, '')
  if (isAscii(withoutApostrophes)) return withoutApostrophes.toLowerCase()
  return (
    splitNumbers(withoutApostrophes)
      .normalize('NFKD')
      .toLowerCase()
      .replace(REPLACED, replacementOf)
      // Upper case turns `ß` into `SS`. Lower case comes first, because `ẞ` already is upper case.
      .toUpperCase()
      .toLowerCase()
      .replaceAll('ς', 'σ')
  )
}

const HOLDS_DIGIT = /\d/

/** Folds a whole text. Symbols and white space stay. */
export function foldText(text: string): string {
  const folded = foldCharacters(HOLDS_APOSTROPHE.test(text) ? text.replace(APOSTROPHE_IN_NUMBER, ',') : text)
  if (!HOLDS_DIGIT.test(folded)) return folded
  return plainNumbers(isAscii(folded) ? folded : foldNumberSigns(folded))
}

const UNSPACED_WORD = new RegExp(`^${UNSPACED}+$`, 'v')

/** Whether a folded word is in a script without white space, so that it may contain other words. */
export const isUnspaced = (word: string): boolean => UNSPACED_WORD.test(word)

/** A number, readable or not (`src/shared/text/numbers.ts`). With an exponent it is a word. */
const NUMBER = String.raw`\d+(?:\.+\d+)*(?:e[+\-]?\d+(?![a-z]))?`

/** A word of such a script, a number, another word, or `%`. */
const WORDS = new RegExp(
  [
    `${UNSPACED}+`,
    NUMBER,
    String.raw`${SPACED}(?:[${SPACED}\p{N}]|(?<=\d)[.,](?=\d))*`,
    String.raw`\p{N}`,
    '[%‰]',
  ].join('|'),
  'gv',
)

/** The same for ASCII text, which is faster. */
const ASCII_WORDS = new RegExp(String.raw`${NUMBER}|[a-z](?:[a-z0-9]|(?<=\d)[.,](?=\d))*|%`, 'g')

/** The pattern of the words of a folded text. */
export const wordPattern = (folded: string): RegExp => (isAscii(folded) ? ASCII_WORDS : WORDS)

/** The folded words of a text, in order. A text of symbols alone has none. */
export function foldedWords(text: string): string[] {
  const folded = foldText(text)
  return folded.match(wordPattern(folded)) ?? []
}

/** A code, folded, without symbols and white space: `i420` for `I42.0`. */
export const foldCode = (code: string): string =>
  foldCharacters(code).replace(isAscii(code) ? /[^a-z0-9]+/g : /[^\p{L}\p{M}\p{N}]+/gu, '')

/** A number as folding leaves it, readable or not. */
export const isNumber = (word: string): boolean => /^\d[\d.]*$/.test(word)

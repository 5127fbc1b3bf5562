/** Text as search compares it (docs/contract.md#text-search): queries, stored texts and codes are folded here. */

// biome-ignore lint/suspicious/noControlCharactersInRegex: the whole of ASCII is meant.
const ASCII = /^[\x00-\x7f]*$/

/** Letters that Unicode does not decompose, and what folding makes of them. */
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
  // Forms of one letter in Arabic and Persian.
  '\u06cc': '\u064a',
  '\u0649': '\u064a',
  '\u06a9': '\u0643',
  '\u0671': '\u0627',
  // This mark is a letter in upper case: `ᾳ` becomes `ΑΙ`.
  '\u0345': 'ι',
}

/** ASCII apostrophe and backtick, typographic ones, primes, and letters that look like them. */
const APOSTROPHES = "'`\u00b4\u02b9\u02bb-\u02bd\u02c8\u02ca\u02cb\u2018-\u201b\u2032\u2035\ua78b\ua78c\uff07"

const APOSTROPHE = new RegExp(`[${APOSTROPHES}]`, 'g')

/**
 * What folding drops or replaces in lower case: apostrophes, characters that cannot be seen, tatweel, marks of no
 * single script, Hebrew points, the letters above, and digits that Unicode does not decompose. Other marks (Devanagari,
 * Thai) are letters.
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

/** A text without what search does not compare; signs and white space stay. */
function foldCharacters(text: string): string {
  const withoutApostrophes = text.replace(APOSTROPHE, '')
  if (ASCII.test(withoutApostrophes)) return withoutApostrophes.toLowerCase()
  return (
    withoutApostrophes
      .normalize('NFKD')
      .toLowerCase()
      .replace(REPLACED, replacementOf)
      // Upper case turns `ß` into `ss`. Lower case came before it, because `ẞ` is already upper case.
      .toUpperCase()
      .toLowerCase()
      .replaceAll('ς', 'σ')
  )
}

/** Scripts that write words without white space between them. */
const UNSPACED_SCRIPTS = ['Thai', 'Lao', 'Khmer', 'Myanmar', 'Han', 'Hiragana', 'Katakana']

const UNSPACED_CHARACTERS = UNSPACED_SCRIPTS.map((script) => `\\p{scx=${script}}`).join('')

/** A letter or a mark of these scripts, and one of another script. */
const UNSPACED = String.raw`[[\p{L}\p{M}]&&[${UNSPACED_CHARACTERS}]]`
const SPACED = String.raw`[[\p{L}\p{M}]--[${UNSPACED_CHARACTERS}]]`

const UNSPACED_WORD = new RegExp(`^${UNSPACED}+$`, 'v')

/** Whether a folded word is in a script without white space, so that a word may stand anywhere inside it. */
export const isUnspaced = (word: string): boolean => UNSPACED_WORD.test(word)

/** A word of such a script, a number (also `.5` after white space), another word, or `%`. */
const WORDS = new RegExp(
  [
    `${UNSPACED}+`,
    String.raw`(?<!\S)[.,]\d+`,
    String.raw`\d+(?:[.,]\d+)*`,
    String.raw`${SPACED}(?:[${SPACED}\p{N}]|(?<=\d)[.,](?=\d))*`,
    String.raw`\p{N}`,
    '%',
  ].join('|'),
  'gv',
)

/** The same for ASCII, which is faster. */
const ASCII_WORDS = /(?<!\S)[.,]\d+|\d+(?:[.,]\d+)*|[a-z](?:[a-z0-9]|(?<=\d)[.,](?=\d))*|%/g

const THOUSANDS = /^(?!0,)\d{1,3}(?:,\d{3})+(?:\.\d+)?$/

/** A folded number: without separators of thousands, with a decimal point, without zeros at the end of a fraction. */
function foldNumbers(text: string): string[] {
  const number = THOUSANDS.test(text) ? text.replaceAll(',', '') : text.replaceAll(',', '.')
  if (number.startsWith('.')) return foldNumbers(`0${number}`)
  const [whole = '', fraction, ...others] = number.split('.')
  if (others.length > 0) return number.split('.')
  const digits = fraction?.replace(/0+$/, '') ?? ''
  return [digits === '' ? whole : `${whole}.${digits}`]
}

/** A number with a point or a comma. */
const SIGNED_NUMBER = /^\d*[.,]/

/** The words of a text in order, folded; none for a text of signs alone. */
export function foldedWords(text: string): string[] {
  const folded = foldCharacters(text)
  const words: string[] = folded.match(ASCII.test(folded) ? ASCII_WORDS : WORDS) ?? []
  return folded.includes('.') || folded.includes(',')
    ? words.flatMap((word) => (SIGNED_NUMBER.test(word) ? foldNumbers(word) : word))
    : words
}

/** A code without signs and white space, folded: `i420` for `I42.0`. */
export const foldCode = (code: string): string =>
  foldCharacters(code).replace(ASCII.test(code) ? /[^a-z0-9]+/g : /[^\p{L}\p{M}\p{N}]+/gu, '')

/** A number as folding leaves it. */
export const isNumber = (word: string): boolean => /^\d+(?:\.\d+)?$/.test(word)

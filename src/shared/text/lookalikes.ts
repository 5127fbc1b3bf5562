/** Letters of one script that look like letters of another. */

/** Letters of other scripts, and the Latin ones that they look like. */
const OTHER_LETTERS: ReadonlyMap<string, string> = new Map([
  ...Array.from('АВЕЅІЈКМНОРСТУХаеоресухіјѕԁһ', (letter, at): [string, string] => [
    letter,
    'ABESIJKMHOPCTYXaeopecyxijsdh'[at] ?? letter,
  ]),
  ...Array.from('ΑΒΕΖΗΙΚΜΝΟΡΤΥΧο', (letter, at): [string, string] => [letter, 'ABEZHIKMNOPTYXo'[at] ?? letter]),
])

/** The same, and full-width letters and digits. */
const LOOKALIKES: ReadonlyMap<string, string> = new Map([
  ...OTHER_LETTERS,
  ...Array.from({ length: 94 }, (_, at): [string, string] => [
    String.fromCharCode(0xff01 + at),
    String.fromCharCode(0x21 + at),
  ]),
])

const OTHER_SCRIPT = /[^\p{ASCII}]/u

/** A text with Latin letters in place of those that look like them; unchanged if it has other letters too. */
export function inLatin(text: string): string {
  if (!OTHER_SCRIPT.test(text)) return text
  const latin = Array.from(text, (letter) => LOOKALIKES.get(letter) ?? letter).join('')
  return OTHER_SCRIPT.test(latin) ? text : latin
}

const WORD = /[\p{L}\p{M}]+/gu
const CYRILLIC_OR_GREEK = /[\p{Script=Cyrillic}\p{Script=Greek}]/gu
const CYRILLIC = /\p{Script=Cyrillic}/u
const LATIN = /\p{Script=Latin}/gu

// Ranges of characters, because a search for a script takes several times as long.
const HOLDS_OTHER = /[\u0391-\u03bf\u0400-\u052f]/
const HOLDS_LATIN = /[A-Za-z\u00c0-\u024f\u1e00-\u1eff]/

const LATIN_LETTERS: ReadonlySet<string> = new Set(OTHER_LETTERS.values())

/** A letter among those of another script, though it may look like none of them: `Carвedilol`. `антиHCV` has none. */
const ENCLOSED =
  /\p{Script=Latin}\p{Script=Cyrillic}+\p{Script=Latin}|\p{Script=Cyrillic}\p{Script=Latin}+\p{Script=Cyrillic}/u

/**
 * Whether a word has letters of two scripts and should have one: `Pаracetamol` with a Cyrillic а, `Кофeин` with a Latin
 * e. Greek letters that look like no Latin one are signs of science: `TNFα`, `μg`.
 */
export function mixesLookalikes(text: string): boolean {
  // Most texts are of one script: they are not taken apart.
  if (!HOLDS_OTHER.test(text) || !HOLDS_LATIN.test(text)) return false
  return (text.match(WORD) ?? []).some((word) => {
    const others = word.match(CYRILLIC_OR_GREEK) ?? []
    const latin = word.match(LATIN) ?? []
    if (others.length === 0 || latin.length === 0) return false
    const isLatin = others.every((letter) => OTHER_LETTERS.has(letter))
    const isCyrillic =
      others.every((letter) => CYRILLIC.test(letter)) && latin.every((letter) => LATIN_LETTERS.has(letter))
    return isLatin || isCyrillic || ENCLOSED.test(word)
  })
}

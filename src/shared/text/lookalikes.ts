/** Letters of one script that look like letters of another. */

/** Letters of other scripts, with the Latin letters that they look like. */
const OTHER_LETTERS: ReadonlyMap<string, string> = new Map([
  ...Array.from('АВЕЅІЈКМНОРСТУХаеоресухіјѕԁһ', (letter, at): [string, string] => [
    letter,
    'ABESIJKMHOPCTYXaeopecyxijsdh'[at] ?? letter,
  ]),
  ...Array.from('ΑΒΕΖΗΙΚΜΝΟΡΤΥΧο', (letter, at): [string, string] => [letter, 'ABEZHIKMNOPTYXo'[at] ?? letter]),
])

/** The same, including full-width letters and digits. */
const LOOKALIKES: ReadonlyMap<string, string> = new Map([
  ...OTHER_LETTERS,
  ...Array.from({ length: 94 }, (_, at): [string, string] => [
    String.fromCharCode(0xff01 + at),
    String.fromCharCode(0x21 + at),
  ]),
])

const OTHER_SCRIPT = /[^\p{ASCII}]/u

/** Replaces letters that look like Latin letters. Returns the text unchanged if it has other letters, too. */
export function inLatin(text: string): string {
  if (!OTHER_SCRIPT.test(text)) return text
  const latin = Array.from(text, (letter) => LOOKALIKES.get(letter) ?? letter).join('')
  return OTHER_SCRIPT.test(latin) ? text : latin
}

const WORD = /[\p{L}\p{M}]+/gu
const CYRILLIC_OR_GREEK = /[\p{Script=Cyrillic}\p{Script=Greek}]/gu
const CYRILLIC = /\p{Script=Cyrillic}/u
const LATIN = /\p{Script=Latin}/gu

// Character ranges, because `\p{Script=…}` takes several times as long.
const HOLDS_OTHER = /[\u0391-\u03bf\u0400-\u052f]/
const HOLDS_LATIN = /[A-Za-z\u00c0-\u024f\u1e00-\u1eff]/

const LATIN_LETTERS: ReadonlySet<string> = new Set(OTHER_LETTERS.values())

/** A letter between letters of another script, whether or not it looks like one: `Carвedilol`, but not `антиHCV`. */
const ENCLOSED =
  /\p{Script=Latin}\p{Script=Cyrillic}+\p{Script=Latin}|\p{Script=Cyrillic}\p{Script=Latin}+\p{Script=Cyrillic}/u

/**
 * Whether a word mixes two scripts by mistake: `Pаracetamol` with a Cyrillic а, `Кофeин` with a Latin
 * e. Greek letters that look like no Latin one are scientific symbols: `TNFα`, `μg`.
 */
export function mixesLookalikes(text: string): boolean {
  // Most texts use one script, so do not split them into words.
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

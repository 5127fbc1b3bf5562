/**
 * Text as search compares it: without case, diacritics and compatibility forms (decisions, section 3).
 *
 * Marks of scripts in which they are letters rather than diacritics (Devanagari, Thai, ...) stay: only marks that any
 * script can carry, Arabic vowel signs among them, and Hebrew points are removed.
 */
export function foldText(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the whole of ASCII is meant.
  if (/^[\x00-\x7f]*$/.test(text)) return text.toLowerCase()
  return (
    text
      .normalize('NFKD')
      .replace(/\p{Script=Inherited}|[\u0591-\u05c7]/gu, '')
      .replace(/[đðħıłøœæŧÞþĐÐĦŁØŒÆŦ]/g, (letter) => UNDECOMPOSED[letter] ?? letter)
      // Through upper case, so that `ß` meets `ss` and a final sigma the other one.
      .toUpperCase()
      .toLowerCase()
      .replace(/ς/g, 'σ')
  )
}

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

/**
 * What a record is found by: name, display name and aliases, folded, a line each, without repetitions. A word of a
 * query holds no white space and therefore never matches across two of them.
 */
export function searchTextOf(
  name: string,
  displayName: string | undefined,
  aliases: readonly string[],
): string {
  const first = foldText(name)
  if (displayName === undefined && aliases.length === 0) return first
  const lines = new Set([first])
  if (displayName !== undefined) lines.add(foldText(displayName))
  for (const alias of aliases) lines.add(foldText(alias))
  return lines.size === 1 ? first : [...lines].join('\n')
}

/** The words of a query, folded; none for a blank one. */
export const wordsOf = (query: string): string[] => [
  ...new Set(
    foldText(query)
      .split(/\s+/u)
      .filter((word) => word !== ''),
  ),
]

/**
 * The query for the trigram index that every match of these words fulfils, and others too: hits have to be checked.
 *
 * @returns null where no word has three letters
 */
export function trigramQuery(words: readonly string[]): string | null {
  const trigrams = new Set<string>()
  for (const word of words) {
    const letters = [...word]
    for (let i = 0; i + 3 <= letters.length; i++) trigrams.add(letters.slice(i, i + 3).join(''))
  }
  if (trigrams.size === 0) return null
  return [...trigrams].map((trigram) => `"${trigram.replaceAll('"', '""')}"`).join(' AND ')
}

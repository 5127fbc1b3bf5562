/** Trigrams of one query; more would cost more than the candidates that they spare. */
const MOST_TRIGRAMS = 6

/**
 * A query for the trigram index that every record with all of these texts fulfils, and some others too: hits have to be
 * checked.
 *
 * @returns null where no text has three letters
 */
export function trigramQuery(texts: readonly string[]): string | null {
  const found = new Set<string>()
  for (const text of texts) {
    const letters = [...text]
    for (let i = 0; i + 3 <= letters.length; i++) found.add(letters.slice(i, i + 3).join(''))
  }
  if (found.size === 0) return null
  return spread([...found], MOST_TRIGRAMS)
    .map((trigram) => `"${trigram.replaceAll('"', '""')}"`)
    .join(' AND ')
}

/** At most so many items of a list, from its beginning to its end. */
function spread<T>(items: readonly T[], most: number): readonly T[] {
  if (items.length <= most) return items
  return Array.from({ length: most }, (_, i) => items[Math.round((i * (items.length - 1)) / (most - 1))]!)
}

import { distance } from 'fastest-levenshtein'

/** Names that differ only by case, `_`, `-` or a space look the same. */
const comparable = (name: string): string => name.toLowerCase().replaceAll(/[\s_-]+/g, '')

export const isSameToTheEye = (written: string, name: string): boolean => comparable(written) === comparable(name)

/** The number of wrong letters. Two adjacent letters in the wrong order count as one. */
function mistakesIn(written: string, name: string): number {
  let start = 0
  while (start < written.length && written[start] === name[start]) start++
  const [first = '', second = ''] = written.slice(start, start + 2)
  const swapped = written.slice(0, start) + second + first + written.slice(start + 2)
  return swapped === name && written !== name ? 1 : distance(written, name)
}

/** With more than one wrong letter in three, it is a different name. */
const LETTERS_PER_MISTAKE = 3

/** The known name that is most similar to an unknown name; undefined if none is similar. */
export function nearestName(written: string, names: Iterable<string>): string | undefined {
  const sought = comparable(written)
  let nearest: { name: string; mistakes: number } | undefined
  for (const name of names) {
    const mistakes = mistakesIn(sought, comparable(name))
    if (mistakes < (nearest?.mistakes ?? Number.POSITIVE_INFINITY)) nearest = { name, mistakes }
  }
  if (nearest === undefined) return undefined
  return nearest.mistakes <= Math.ceil(sought.length / LETTERS_PER_MISTAKE) - 1 || nearest.mistakes === 0
    ? nearest.name
    : undefined
}

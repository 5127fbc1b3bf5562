/** The beginning of a word that is nearest to the typed word. */
interface NearBeginning {
  /** Letters that are wrong, missing, added or swapped with their neighbour. */
  distance: number
  text: string
}

/**
 * The beginning of `word` that takes the fewest changes to become `typed`, counted as the optimal string alignment
 * distance (Damerau and Levenshtein, no letter changed twice). Of several that are equally near, the longest one.
 *
 * @param most most changes allowed @returns null when every beginning takes more
 */
export function nearBeginning(typed: string, word: string, most: number): NearBeginning | null {
  const a = [...typed]
  const b = [...word].slice(0, a.length + most)
  let before: number[] = []
  let row = b.map((_, j) => j)
  row.push(b.length)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      let cost = Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1))
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) cost = Math.min(cost, before[j - 2]! + 1)
      next.push(cost)
    }
    // A swap looks two rows back. So after two rows that are too far away, every later row is too far away as well.
    if (Math.min(...next) > most && Math.min(...row) > most) return null
    before = row
    row = next
  }
  const distance = Math.min(...row)
  return distance > most ? null : { distance, text: b.slice(0, row.lastIndexOf(distance)).join('') }
}

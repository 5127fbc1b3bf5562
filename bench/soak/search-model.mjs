/**
 * Which records a search must find, and in which order (docs/contract.md#text-search, docs/contract.md#search-ranking).
 */

const fold = (text) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('ß', 'ss').trim()

export const wordsOf = (query) => fold(query).split(/\s+/).filter(Boolean)

/** Folded names and aliases of a record. */
const linesOf = ({ name, display_name, aliases }) => ({
  names: [fold(name), fold(display_name)],
  aliases: aliases.map(fold),
})

const holds = ({ names, aliases }, words) =>
  words.every((word) => [...names, ...aliases].some((line) => line.includes(word)))

/** Ids of the records that hold every word, whatever their order. */
export const found = (records, query) =>
  records.filter(([, { fields }]) => holds(linesOf(fields), wordsOf(query))).map(([id]) => id)

const begins = (lines, word) => lines.some((line) => line.startsWith(word) || line.includes(` ${word}`))

/** Place in the order of the contract; the best is 0. */
function rankOf({ names, aliases }, words) {
  const query = words.join(' ')
  const ranks = [
    names.includes(query),
    names.some((line) => line.startsWith(query)),
    aliases.includes(query),
    aliases.some((line) => line.startsWith(query)),
    names.some((line) => line.includes(` ${query}`)),
    aliases.some((line) => line.includes(` ${query}`)),
    words.length > 1 && words.every((word) => begins(names, word)),
    words.length > 1 && words.every((word) => begins([...names, ...aliases], word)),
    true,
  ]
  return ranks.indexOf(true)
}

/**
 * The active records that a partner search finds exactly, best first, each with what decides its place: its rank and
 * the length of its name. The order of those that have both in common is open.
 */
export function ranked(records, query) {
  const words = wordsOf(query)
  return records
    .map(([id, { fields, isActive }]) => ({ id, isActive, lines: linesOf(fields) }))
    .filter(({ isActive, lines }) => isActive && holds(lines, words))
    .map(({ id, lines }) => ({ id, rank: rankOf(lines, words), length: lines.names[0].length }))
    .sort((a, b) => a.rank - b.rank || a.length - b.length)
}

/**
 * Queries like those that people type, made from a catalog by a fixed rule, each with the name of the wanted record.
 * The same catalog gives the same queries.
 */

/** Pseudo-random numbers from 0 to 1, decided by a seed (mulberry32, public domain). */
export function randomFrom(seed) {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz'
const isWord = (word) => /^\p{L}{3,}$/u.test(word)
const wordsOf = (text) => text.split(/[\s,;/()+-]+/).filter(isWord)
const plain = (text) => text.normalize('NFKD').replace(/\p{M}/gu, '')

/**
 * The name as people say it: the display name without the strength.
 *
 * @param {{ name: string, display_name?: string }} record
 */
const spoken = ({ name, display_name }) => display_name ?? name

/** A word with one letter wrong, missing, added or swapped with the next one; not the first letter. */
function misspelt(word, kind, random) {
  const at = 1 + Math.floor(random() * (word.length - 2))
  const letter = LETTERS[Math.floor(random() * LETTERS.length)]
  const start = word.slice(0, at)
  if (kind === 'wrong') return start + (letter === word[at] ? 'z' : letter) + word.slice(at + 1)
  if (kind === 'missing') return start + word.slice(at + 1)
  if (kind === 'added') return start + letter + word.slice(at)
  return start + word[at + 1] + word[at] + word.slice(at + 2)
}

/** How people type the words of a name; null when the name does not suit the kind. */
const KINDS = {
  prefix: (words, random) => words[0].slice(0, 4 + Math.floor(random() * 3)),
  'first word': (words) => words[0],
  'two words': (words) => (words.length > 1 ? words.slice(0, 2).join(' ') : null),
  'two words, swapped': (words) => (words.length > 1 ? `${words[1]} ${words[0]}` : null),
  'without accents': (words) => plain(words.join(' ')),
  alias: (_words, _random, { aliases }) => aliases[0] ?? null,
  'alias and name': (words, _random, { aliases }) => {
    const alias = wordsOf(aliases[0] ?? '')[0]
    return alias === undefined || alias === words[0] ? null : `${words[0]} ${alias}`
  },
  ...Object.fromEntries(
    ['wrong', 'missing', 'added', 'swapped'].map((kind) => [
      `a letter ${kind}`,
      (words, random) => {
        const at = words.findIndex((word) => word.length >= 6)
        if (at === -1) return null
        return words
          .slice(0, 2)
          .map((word, i) => (i === at ? misspelt(word, kind, random) : word))
          .join(' ')
      },
    ]),
  ),
}

/**
 * @typedef {object} Query
 * @property {string} kind
 * @property {string} text
 * @property {Set<string>} wanted names, as `nameOf` returns them: every record with one of them is wanted
 */

/** The name that identifies a record here: records with the same name are equally good results. */
export const nameOf = (record) => plain(spoken(record)).trim().toLowerCase()

/**
 * @param {{ name: string, display_name?: string, aliases: string[] }[]} records
 * @param {number} count
 * @returns {Query[]}
 */
export function queriesFrom(records, count, seed = 2024) {
  const random = randomFrom(seed)
  const byName = [...new Map(records.map((record) => [nameOf(record), record])).values()]
  const byAlias = new Map()
  for (const record of records) {
    for (const alias of [spoken(record), ...record.aliases]) {
      const key = plain(alias).trim().toLowerCase()
      byAlias.set(key, (byAlias.get(key) ?? new Set()).add(nameOf(record)))
    }
  }
  const kinds = Object.entries(KINDS)
  const queries = []
  for (let turn = 0; queries.length < count && turn < count * 50; turn++) {
    const record = byName[Math.floor(random() * byName.length)]
    const [kind, type] = kinds[turn % kinds.length]
    const words = wordsOf(spoken(record))
    const text = words.length > 0 ? type(words, random, record) : null
    if (text === null || text.length < 3) continue
    const named = byAlias.get(plain(text).trim().toLowerCase())
    const wanted = new Set([nameOf(record), ...(kind === 'alias' && named ? named : [])])
    queries.push({ kind, text: text.toLowerCase(), wanted })
  }
  return queries
}

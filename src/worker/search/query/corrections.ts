import type { RecordTypeName } from '#shared/records/record-type'
import { correctableOf, type Meaning, meaningOf, type NearWord, splitAfter } from './near-words'
import { type Need, readNeeds } from './needs'
import { soundOf } from './sounds'

/** Corrected queries, for a query that matches too few records (docs/contract.md#approximate-matches). */

/** Most corrections of one word, and of the whole query, nearest first. */
const CORRECTIONS_OF_WORD = 8
const CORRECTIONS = 8

const SHORTER_QUERIES = 4

export interface OtherQuery {
  match: 'misspelt' | 'left_out'
  /** Changed letters. For a shortened query, 0 per omitted number, form or release, and 1 per omitted word. */
  distance: number
  needs: readonly Need[]
  leftOut: readonly Need[]
}

/** A word followed by a number, such as `clozapine200`. */
const GLUED_NUMBER = /^(\p{L}{4,})(\d+(?:\.\d+)?)$/u

/** What a word of the query may mean, nearest first. Includes itself if a word of the catalog begins with it. */
function meaningsOf(word: string, near: ReadonlyMap<string, readonly string[]>): Meaning[] {
  const asTyped = { distance: 0, words: [word] }
  const [, letters, number] = GLUED_NUMBER.exec(word) ?? []
  if (letters !== undefined && number !== undefined) return [asTyped, { distance: 1, words: [letters, number] }]
  const candidates = near.get(word)
  // Never correct a word that the catalog contains.
  if (candidates === undefined || candidates.includes(word)) return [asTyped]
  const sound = soundOf(word)
  const meanings = candidates
    .flatMap((candidate) => [meaningOf(word, candidate, sound), splitAfter(word, candidate)])
    .filter((meaning) => meaning !== null)
  const different = [...new Map(meanings.map((meaning) => [meaning.words.join(' '), meaning])).values()]
    .sort((a, b) => a.distance - b.distance || likeness(b, word) - likeness(a, word))
    .slice(0, CORRECTIONS_OF_WORD)
  const isBeginning = candidates.some((candidate) => candidate.startsWith(word))
  return isBeginning || different.length === 0 ? [asTyped, ...different] : different
}

/** Prefers an unchanged first letter (it is rarely wrong), and of two words a longer first one. */
const likeness = ({ words: [first = ''] }: Meaning, word: string): number =>
  (first[0] === word[0] ? 100 : 0) + first.length

/** All combinations of corrected words, and of two words joined into one, nearest first. */
function correctedWords(words: readonly string[], near: ReadonlyMap<string, readonly string[]>): Meaning[] {
  let queries = [{ distance: 0, order: 0, words: [] as readonly string[] }]
  for (const word of words) {
    const choices = meaningsOf(word, near)
    queries = queries
      .flatMap((query) =>
        choices.map((choice, n) => ({
          distance: query.distance + choice.distance,
          order: query.order + n,
          words: [...query.words, ...choice.words],
        })),
      )
      .sort((a, b) => a.distance - b.distance || a.order - b.order)
      .slice(0, CORRECTIONS + 1)
  }
  const joined = words.slice(1).flatMap((word, n) => {
    const both = (words[n] ?? '') + word
    return /^\p{L}{5,}$/u.test(both) ? [{ distance: 1, words: words.toSpliced(n, 2, both) }] : []
  })
  return [...joined, ...queries.filter(({ distance }) => distance > 0)]
    .sort((a, b) => a.distance - b.distance)
    .slice(0, CORRECTIONS)
}

/** Numbers, forms and release types are omitted before words. */
const isAttribute = ({ kind }: Need): boolean => kind !== 'word'

/** Fewest letters of a word that is distinctive enough to be searched for on its own. */
const TELLING_LETTERS = 3

const isTelling = ({ kind, words: [word = ''] }: Need): boolean =>
  kind === 'word' && [...word].length >= TELLING_LETTERS

function shorterQueries(needs: readonly Need[]): OtherQuery[] {
  if (needs.length < 2) return []
  return [...needs]
    .sort((a, b) => Number(isAttribute(b)) - Number(isAttribute(a)))
    .map(
      (leftOut): OtherQuery => ({
        match: 'left_out',
        distance: isAttribute(leftOut) ? 0 : 1,
        needs: needs.filter((need) => need !== leftOut),
        leftOut: [leftOut],
      }),
    )
    .filter(({ needs: others }) => others.some(isTelling))
    .slice(0, SHORTER_QUERIES)
}

/** The likely queries, nearest first. @param words folded words of the query @param near words of the catalog */
export function otherQueries(type: RecordTypeName, words: readonly string[], near: readonly NearWord[]): OtherQuery[] {
  const needs = readNeeds(type, words)
  const nearByWord = new Map(
    correctableOf(needs).map((word, n) => [
      word,
      near.filter(([, meantBy]) => meantBy === n).map(([candidate]) => candidate),
    ]),
  )
  const corrected = correctedWords(words, nearByWord).map(
    (meaning): OtherQuery => ({
      match: 'misspelt',
      distance: meaning.distance,
      needs: readNeeds(type, meaning.words),
      leftOut: [],
    }),
  )
  return [...corrected, ...shorterQueries(needs)]
}

import { doubleMetaphone } from 'double-metaphone'

/** Words that sound alike: `seftriakson` and `ceftriaxone`. Spelling is read as in English. */

/** The spellings of each sound in a key. `0` is `th`, `X` is `sh` or `ch`, `A` is any vowel at the start. */
const LETTERS: Readonly<Record<string, string>> = {
  '0': 't',
  A: 'aeiouyhw',
  F: 'fpvgw',
  H: 'hgjw',
  J: 'jgyd',
  K: 'ckqgx',
  L: 'l',
  M: 'm',
  N: 'ngkp',
  P: 'pb',
  R: 'rw',
  S: 'sczxp',
  T: 'td',
  X: 'xcstk',
}

const WORD = /^[a-z]+$/

/** Keys with fewer sounds match too many words. */
const FEWEST_SOUNDS = 3

/** Most bytes of a pattern in D1. */
const PATTERN_BYTES = 50

/** Compares words with the sound of one. `isAlike` is exact; the others are pre-filters. */
export interface Sound {
  /** GLOB patterns for the words, and for their beginnings. */
  pattern: string
  beginning: string
  isAlike: (word: string) => boolean
}

/** The sound of a word; undefined if it has too few consonants or letters outside the English alphabet. */
export function soundOf(word: string): Sound | undefined {
  const keys = keysOf(word)
  const [key = ''] = keys
  if (key.length < FEWEST_SOUNDS) return undefined
  let pattern = ''
  // One letter may be two sounds: x.
  for (const sound of key.replaceAll('KS', 'K')) {
    const next = `${pattern}[${LETTERS[sound] ?? sound.toLowerCase()}]*`
    if (next.length > PATTERN_BYTES) break
    pattern = next
  }
  const regExp = new RegExp(`^${pattern.replaceAll('*', '.*')}$`)
  return {
    pattern,
    beginning: pattern.slice(0, pattern.indexOf('*') + 1),
    isAlike: (other) => regExp.test(other) && keysOf(other).some((one) => keys.includes(one)),
  }
}

const keysOf = (word: string): readonly string[] => (WORD.test(word) ? doubleMetaphone(word) : [])

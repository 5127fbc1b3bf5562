import { doubleMetaphone } from 'double-metaphone'

/** Words that sound alike: `seftriakson` and `ceftriaxone`. Spelling is read as in English. */

/** The letters that may stand for a sound of a key. `0` is `th`, `X` is `sh` or `ch`, `A` is any vowel in front. */
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

/** Fewer sounds are those of too many words. */
const FEWEST_SOUNDS = 3

/** Bytes of a pattern that D1 takes. */
const PATTERN_BYTES = 50

/** What is compared with words to find those that sound like one: `isAlike` is exact, the others let more pass. */
export interface Sound {
  /** Patterns of GLOB, which the words match, and their beginnings. */
  pattern: string
  beginning: string
  isAlike: (word: string) => boolean
}

/** The sound of a word; undefined if it has too few consonants, or letters that English has not. */
export function soundOf(word: string): Sound | undefined {
  const keys = keysOf(word)
  const [key = ''] = keys
  if (key.length < FEWEST_SOUNDS) return undefined
  let pattern = ''
  // One letter may be both: x.
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

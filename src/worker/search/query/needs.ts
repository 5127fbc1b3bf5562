import type { RecordTypeName } from '#shared/records/record-type'
import { comparedQuantity, FACT_MARKS, LONGEST_NUMBER } from '#shared/records/search/quantities'
import { WORD_END_CHARACTERS, WORD_END_MARK } from '#shared/records/search/read-texts'
import {
  beginsFormWord,
  FORM_MARK,
  formWordNamed,
  otherNameOf,
  RELEASE_MARK,
  type Release,
  releaseNamed,
} from '#shared/records/search/word-meanings'
import { isNumber, isUnspaced } from '#shared/text/fold'
import { type Unit, unitNamed } from '#shared/text/units'
import { PLACES, type Token } from '#worker/search/index/word-index'

/** Parses a query into needs: what each of its words requires of a record (docs/contract.md#text-search). */

/** What one word of a query, or a number with its unit, requires of a record. */
export interface Need {
  kind: 'word' | 'number' | 'form' | 'release'
  /** One word of the query, or a number and its unit. */
  words: readonly string[]
  /** A record needs one of these. */
  tokens: readonly Token[]
  /** It also needs one of each of these: a long word in a script without spaces is looked for in parts. */
  furtherTokens: readonly (readonly Token[])[]
  /** For a number without a unit at the end of the query: it may be the beginning of a longer number. */
  mayBeBegun: boolean
  /** For a word: the other name of the medication. */
  otherName: string | null
  /** For a dosage form: the word as facts spell it. */
  fact: string | null
}

const WORD_PLACES = [PLACES.nameStart, PLACES.nameOrAlias, PLACES.other] as const

const wordTokens = (text: string, isWhole: boolean): Token[] => WORD_PLACES.map((place) => ({ place, text, isWhole }))

const factToken = (text: string, isWhole = true): Token => ({ place: PLACES.fact, text, isWhole })

const need = (
  kind: Need['kind'],
  words: readonly string[],
  tokens: readonly Token[],
  more: Partial<Need> = {},
): Need => ({
  kind,
  words,
  tokens,
  furtherTokens: [],
  mayBeBegun: false,
  otherName: null,
  fact: null,
  ...more,
})

/** @param otherName also matches the word */
function wordNeed(word: string, otherName: string | undefined): Need {
  const tokens = [...wordTokens(word, false), ...(otherName === undefined ? [] : wordTokens(otherName, false))]
  if (!isUnspaced(word)) return need('word', [word], tokens, { otherName: otherName ?? null })
  const letters = [...word]
  const parts: string[] = []
  for (let start = 0; start < letters.length; start += WORD_END_CHARACTERS) {
    parts.push(letters.slice(start, start + WORD_END_CHARACTERS).join(''))
  }
  const [first = tokens, ...others] = parts.map((part) => [
    ...wordTokens(part, false),
    factToken(WORD_END_MARK + part, false),
  ])
  return need('word', [word], first, { furtherTokens: others })
}

/** A number without a unit matches that number in any unit. At the end of the query, it also matches beginnings. */
const numberNeed = (number: string, isLast: boolean): Need =>
  need('number', [number], [...wordTokens(number, !isLast), factToken(FACT_MARKS.derived + number)], {
    mayBeBegun: isLast,
  })

const quantityNeed = (number: string, unitWord: string, unit: Unit): Need =>
  need(
    'number',
    [number, unitWord],
    [factToken(FACT_MARKS.quantity + comparedQuantity(number, unit)), factToken(FACT_MARKS.bare + number)],
  )

const releaseNeed = (word: string, release: Release): Need =>
  need('release', [word], [...wordTokens(word, true), factToken(RELEASE_MARK + release)], {
    fact: RELEASE_MARK + release,
  })

/** @param formWord undefined for the beginning of a word */
const formNeed = (word: string, formWord: string | undefined): Need =>
  need(
    'form',
    [word],
    [...wordTokens(word, false), factToken(FORM_MARK + (formWord ?? word), formWord !== undefined)],
    {
      fact: FORM_MARK + (formWord ?? word),
    },
  )

const isQuantity = (word: string): boolean => isNumber(word) && word.length <= LONGEST_NUMBER

/** The needs of a query, in its order. @param words folded */
export function readNeeds(type: RecordTypeName, words: readonly string[]): Need[] {
  const isMedication = type === 'medication'
  const needs: Need[] = []
  for (let n = 0; n < words.length; n++) {
    const word = words[n] ?? ''
    const next = words[n + 1]
    const isLast = n === words.length - 1
    const unit = unitNamed(next)
    const release = isMedication && words.length > 1 ? releaseNamed(word) : undefined
    const formWord = isMedication ? formWordNamed(word) : undefined
    if (isQuantity(word) && next !== undefined && unit !== undefined) {
      needs.push(quantityNeed(word, next, unit))
      n++
    } else if (isQuantity(word)) needs.push(numberNeed(word, isLast))
    else if (release !== undefined) needs.push(releaseNeed(word, release))
    else if (formWord !== undefined || (isMedication && isLast && n > 0 && beginsFormWord(word))) {
      needs.push(formNeed(word, formWord))
    } else needs.push(wordNeed(word, isMedication ? otherNameOf(word) : undefined))
  }
  return needs
}

/** The token lists of some needs: a record needs one token of each list. */
export const tokensOf = (needs: readonly Need[]): (readonly Token[])[] =>
  needs.flatMap(({ tokens, furtherTokens }) => [tokens, ...furtherTokens])

/** The words that name something, without numbers, forms and release types. */
export const nameWordsOf = (needs: readonly Need[]): string[] =>
  needs.filter(({ kind }) => kind === 'word').flatMap(({ words }) => words)

/** The words of some needs for display: `warfarin 12.5 mg`. */
export const textOf = (needs: readonly Need[]): string =>
  needs
    .flatMap(({ words }) => words)
    .join(' ')
    .replaceAll(' %', '%')

import { foldCode } from '#shared/text/fold'
import { PLACES, type Token } from '#worker/search/index/word-index'

/** Codes as people type them (docs/contract.md#what-matches). All forms are folded. */

/** The name of a code system in front of a code. */
const SYSTEM =
  /^(?:ndc|loinc|icd(?:9|10|11)?(?:cm|pcs|gm|am)?|snomed(?:ct)?|sctid|rxcui|rxnorm|gtin|ean|upc|sku)(?=.*\d)/

/** A National Drug Code of ten digits; it has eleven if each part is filled up with a zero in front. */
const NDC = /^\D*(\d{4,5})-(\d{3,4})-(\d{1,2})\s*$/

const DIGITS = /^0*([1-9]\d*)$/

/** Digits from which zeros in front do not matter. */
const FEWEST_DIGITS = 4

/** Zeros that may be missing in front. */
const MOST_ZEROS = 4

/** A query of fewer characters, or without a digit, finds whole codes only. */
const BEGINNING_FROM = 3

/** What a query may mean as a code. */
export interface QueryCodes {
  /** Codes that equal one of these are matches. Empty if the query cannot be a code. */
  whole: readonly string[]
  /** Codes that begin with one of these too. */
  beginnings: readonly string[]
}

export const NO_CODES: QueryCodes = { whole: [], beginnings: [] }

/** The codes that a query may mean: with and without the name of the system, and zeros in front. */
export function codesOf(q: string): QueryCodes {
  const code = foldCode(q)
  if (code === '') return NO_CODES
  const typed = [...new Set([code, code.replace(SYSTEM, '')])]
  const ndc = NDC.exec(q)?.slice(1)
  const filled = ndc?.map((part, n) => part.padStart([5, 4, 2][n] ?? 0, '0')).join('')
  return {
    whole: [
      ...new Set([...typed.flatMap((one) => [one, ...withOtherZeros(one)]), ...(filled === undefined ? [] : [filled])]),
    ],
    beginnings: typed.filter((one) => [...one].length >= BEGINNING_FROM && /\p{Nd}/u.test(one)),
  }
}

function withOtherZeros(code: string): string[] {
  const [, digits = ''] = DIGITS.exec(code) ?? []
  if (digits.length < FEWEST_DIGITS) return []
  return Array.from({ length: MOST_ZEROS + 1 }, (_, zeros) => '0'.repeat(zeros) + digits)
}

/** The tokens of whole codes, then of codes that begin so: a record needs one of a list. No list is empty. */
export function codeTokens({ whole, beginnings }: QueryCodes): { tokens: Token[]; isWhole: boolean }[] {
  const list = (codes: readonly string[], isWhole: boolean) => ({
    tokens: codes.map((text) => ({ place: PLACES.code, text, isWhole })),
    isWhole,
  })
  return [list(whole, true), list(beginnings, false)].filter(({ tokens }) => tokens.length > 0)
}

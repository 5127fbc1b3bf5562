import { foldCode } from '#shared/text/fold'
import { PLACES, type Token } from '#worker/search/index/word-index'

/** Codes as users type them (docs/contract.md#what-matches). All forms are folded. */

/** The name of a code system before a code. */
const SYSTEM =
  /^(?:ndc|loinc|icd(?:9|10|11)?(?:cm|pcs|gm|am)?|snomed(?:ct)?|sctid|rxcui|rxnorm|gtin|ean|upc|sku)(?=.*\d)/

/** A ten-digit National Drug Code. With leading zeros in each part, it has eleven digits. */
const NDC = /^\D*(\d{4,5})-(\d{3,4})-(\d{1,2})\s*$/

const DIGITS = /^0*([1-9]\d*)$/

/** Fewest digits of a number in which leading zeros do not matter. */
const FEWEST_DIGITS = 4

/** Most leading zeros that may be missing. */
const MOST_ZEROS = 4

/** A query with fewer characters, or without a digit, only finds whole codes. */
const BEGINNING_FROM = 3

/** A query read as a code. */
export interface QueryCodes {
  /** Codes that equal one of these are matches. Empty if the query cannot be a code. */
  whole: readonly string[]
  /** Codes that begin with one of these are also matches. */
  beginnings: readonly string[]
}

export const NO_CODES: QueryCodes = { whole: [], beginnings: [] }

/** The codes that a query may mean: with and without the name of the code system, and with leading zeros. */
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

/** Lists of tokens, for whole codes and for beginnings. A record needs one token of a list. No list is empty. */
export function codeTokens({ whole, beginnings }: QueryCodes): { tokens: Token[]; isWhole: boolean }[] {
  const list = (codes: readonly string[], isWhole: boolean) => ({
    tokens: codes.map((text) => ({ place: PLACES.code, text, isWhole })),
    isWhole,
  })
  return [list(whole, true), list(beginnings, false)].filter(({ tokens }) => tokens.length > 0)
}

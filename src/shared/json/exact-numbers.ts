/** JSON that keeps the text of numbers that JavaScript would change, such as `1.0` (docs/contract.md#refid). */

declare global {
  // In the engine, not yet in TypeScript's library. An older browser has neither.
  interface JSON {
    rawJSON(text: string): unknown
    isRawJSON?(value: unknown): boolean
  }
}

/** Whether a value is such a number; in JavaScript it is an object. */
const isRawNumber = (value: unknown): boolean => JSON.isRawJSON?.(value) ?? false

/** @param context an older browser gives none, and then no number is kept */
function keepNumber(_key: string, value: unknown, context?: { source?: string }): unknown {
  const source = context?.source
  return typeof value === 'number' && source !== undefined && String(value) !== source ? JSON.rawJSON(source) : value
}

/** Takes several times as long as `JSON.parse`. */
export const parseExactJson = (text: string): unknown => JSON.parse(text, keepNumber)

/** A `refid` that is a number or may hold one, also if its name is written with escapes. */
const NUMERIC_REFID = /"(?:r|\\u0072)(?:e|\\u0065)(?:f|\\u0066)(?:i|\\u0069)(?:d|\\u0064)"\s*:\s*[-\d[{]/

/** A number that JavaScript may write in another way. Also matches some numbers inside strings. */
const INEXACT_NUMBER = /[[:,]\s*-?(?:0(?![,\]}\s])|\d+[.eE]|\d{16}|(?<=-)0)/

/** Whether a `refid` in a JSON text may hold a number that JavaScript would write in another way. */
export const mayHoldInexactRefid = (text: string): boolean => NUMERIC_REFID.test(text) && INEXACT_NUMBER.test(text)

/** True for a JSON object; false also for a number that was kept as text. */
export const isJsonObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isRawNumber(value)

/** Whether a value has more than this many lists or objects within one another. */
export function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null || isRawNumber(value)) return false
  if (levels === 0) return true
  return Object.values(value).some((inner) => isDeeperThan(levels - 1, inner))
}

/** Whether the JSON text of a value has more than this many characters, escapes not counted. Makes no text. */
export function isLargerThan(characters: number, value: unknown): boolean {
  let remaining = characters
  const take = (part: unknown): void => {
    if (remaining < 0) return
    if (typeof part === 'string') remaining -= part.length + 2
    else if (Array.isArray(part)) {
      remaining -= 2
      for (let i = 0; i < part.length && remaining >= 0; i++) {
        remaining--
        take(part[i])
      }
    } else if (isJsonObject(part)) {
      remaining -= 2
      for (const name in part) {
        remaining -= name.length + 4
        take(part[name])
        if (remaining < 0) return
      }
    } else remaining -= String(JSON.stringify(part)).length
  }
  take(value)
  return remaining < 0
}

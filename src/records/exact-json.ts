/**
 * JSON whose numbers survive: a number that JavaScript would change (20 digits, `1.0`, `1e400`) is kept as the text in
 * which it was sent, for `JSON.stringify` to write again. `refid` takes any value and returns it exactly as sent.
 */

interface ReviverContext {
  source?: string
}

// In the engine, not yet in TypeScript's library (ECMAScript proposal "JSON.parse source text access").
const { rawJSON, isRawJSON } = JSON as unknown as {
  rawJSON(text: string): unknown
  isRawJSON(value: unknown): boolean
}

const keepNumber = (_key: string, value: unknown, context: ReviverContext): unknown =>
  typeof value === 'number' && context.source !== undefined && String(value) !== context.source
    ? rawJSON(context.source)
    : value

/**
 * JSON with its numbers as they are written. Takes several times as long as `JSON.parse`.
 *
 * @throws SyntaxError
 */
export const parseExactJson = (text: string): unknown =>
  JSON.parse(text, keepNumber as (key: string, value: unknown) => unknown)

/** A `refid` that is, or may hold, a number, however its name is spelled. */
const NUMERIC_REFID = /"(?:r|\\u0072)(?:e|\\u0065)(?:f|\\u0066)(?:i|\\u0069)(?:d|\\u0064)"\s*:\s*[-\d[{]/

/**
 * Records as they are sent, with the numbers in `refid` as they are written.
 *
 * @throws SyntaxError
 */
export const parseRecords = (text: string): unknown =>
  NUMERIC_REFID.test(text) ? parseExactJson(text) : JSON.parse(text)

/** True for a JSON object; false also for a number that was kept as text. */
export const isJsonObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isRawJSON(value)

/** Whether a value has more than this many lists or objects within one another. */
export function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (levels === 0) return true
  return Object.values(value).some((inner) => isDeeperThan(levels - 1, inner))
}

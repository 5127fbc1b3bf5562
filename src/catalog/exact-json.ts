/**
 * JSON whose numbers survive: a number that JavaScript would change (20 digits, `1.0`, `1e400`) is kept as the text in
 * which it was sent, for `JSON.stringify` to write again. `refid` takes any value and returns it exactly as sent.
 */

interface ReviverContext {
  source?: string
}

// In the engine, not yet in TypeScript's library (ECMAScript proposal "JSON.parse source text access").
const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown }

const keepNumber = (_key: string, value: unknown, context: ReviverContext): unknown =>
  typeof value === 'number' && context.source !== undefined && String(value) !== context.source
    ? rawJSON(context.source)
    : value

/** Whether a text has a `refid` that is, or may hold, a number; parsing exactly takes several times as long. */
const NUMERIC_REFID = /"refid"\s*:\s*[-\d[{]/

/** @throws SyntaxError */
export function parseExactJson(text: string): unknown {
  if (!NUMERIC_REFID.test(text)) return JSON.parse(text)
  return JSON.parse(text, keepNumber as (key: string, value: unknown) => unknown)
}

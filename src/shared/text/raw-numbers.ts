/** Numbers that are kept as the text in which they were sent (ECMAScript proposal "JSON.parse source text access"). */

declare global {
  // In the engine, not yet in TypeScript's library. An older browser has neither.
  interface JSON {
    rawJSON(text: string): unknown
    isRawJSON?(value: unknown): boolean
  }
}

/** Whether a value is such a number; in JavaScript it is an object. */
export const isRawNumber: (value: unknown) => boolean = JSON.isRawJSON ?? (() => false)

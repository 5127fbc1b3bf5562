/** ASCII codes, which are also bytes of UTF-8, for code that reads bytes or code units. */

export const TAB = 0x09
export const LINE_FEED = 0x0a
export const CARRIAGE_RETURN = 0x0d
export const SPACE = 0x20
export const QUOTE = 0x22
export const COMMA = 0x2c
export const DASH = 0x2d
export const COLON = 0x3a
export const OPENING_BRACKET = 0x5b
export const BACKSLASH = 0x5c
export const CLOSING_BRACKET = 0x5d
export const OPENING_BRACE = 0x7b
export const CLOSING_BRACE = 0x7d

/** Whether a text is empty or only white space. For most texts the first character decides. */
export function isBlank(text: string): boolean {
  const first = text.charCodeAt(0)
  return !(first > 0x20 && first < 0x7f) && text.trim() === ''
}

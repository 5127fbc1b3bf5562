/** Scripts that write words without white space between them. */
const UNSPACED_SCRIPTS = ['Thai', 'Lao', 'Khmer', 'Myanmar', 'Han', 'Hiragana', 'Katakana']

const UNSPACED_CHARACTERS = UNSPACED_SCRIPTS.map((script) => `\\p{scx=${script}}`).join('')

/** Patterns for a letter or a mark of these scripts, and one of another script (with the flag `v`). */
export const UNSPACED = String.raw`[[\p{L}\p{M}]&&[${UNSPACED_CHARACTERS}]]`
export const SPACED = String.raw`[[\p{L}\p{M}]--[${UNSPACED_CHARACTERS}]]`

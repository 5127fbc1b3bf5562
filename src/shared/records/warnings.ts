/** Stable words for the warnings that programs act on (docs/contract.md#warnings). */
export const WARNING_CODES = ['check_digit', 'cut_off', 'similar_id', 'spreadsheet_damage', 'newer_write'] as const

/** One of the values that a warning is about. */
export interface WarningExample {
  /** Number of the record, as in a field error. */
  index: number
  value: string
  /** The id that it resembles. */
  similar_to?: string
}

/**
 * A note about something that was accepted although the caller may not have meant it. */
export interface Warning {
  /** A field, the header of a column, or another part of the request. */
  field: string
  msg: string
  /** The values that the warning is about, the most frequent first; at most twenty. */
  values?: { value: string; count: number }[]
  code?: (typeof WARNING_CODES)[number]
  /** Values that a warning with a code is about. */
  count?: number
  /** The first of them. */
  examples?: WarningExample[]
}

/** Examples that a warning lists. */
export const DEFAULT_EXAMPLES = 10

/**
 * Examples of ids that resemble others, if the caller asks for them: as many as a person would have corrected at once.
 */
export const MAX_EXAMPLES = 1000

/** `1 record`, `2 records`. */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

/** The values in the message of a warning: `"a", "b", …`. */
export const namedValues = (examples: readonly WarningExample[], count: number): string =>
  examples
    .slice(0, 3)
    .map(({ value }) => `"${value}"`)
    .join(', ') + (count > 3 ? ', …' : '')

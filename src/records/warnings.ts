/**
 * A note about something that was accepted although the caller may not have meant it. */
export interface Warning {
  /** A field, the header of a column, or another part of the request. */
  field: string
  msg: string
  /** The values that the warning is about, the most frequent first; at most twenty. */
  values?: { value: string; count: number }[]
}

/**
 * Something that was accepted although the caller may not have meant it. `field` is a field or a column
 * header.
 */
export interface Warning {
  /** A field, the header of a column, or what else of the request is meant. */
  field: string
  msg: string
  /** The values that are meant, the most frequent first; no more than twenty of them. */
  values?: { value: string; count: number }[]
}

/** Something that was accepted but that the caller may not have meant. */
export interface Warning {
  /** A field, the header of a column, or what else of the request is meant. */
  field: string
  msg: string
  /** The values that are meant, the most frequent first; no more than twenty of them. */
  values?: { value: string; count: number }[]
}

/** Something that was accepted but that the caller may not have meant; `field` is a field or a column header. */
export interface Warning {
  field: string
  msg: string
}

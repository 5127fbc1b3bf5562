import { errorValue, groupKey, type RowError } from './row-errors'

/** Selects errors: of a group, with a value, or with a text. Without any of these, selects all errors. */
export interface ErrorChoice {
  group?: string | undefined
  value?: string | undefined
  /** Occurs in the row's number, the field, the message or the value. */
  text?: string | undefined
}

/** The selected errors. */
export function chosenErrors(errors: readonly RowError[], { group, value, text = '' }: ErrorChoice): RowError[] {
  const searchText = text.trim().toLowerCase()
  return errors.filter((error) => {
    if (group !== undefined && groupKey(error) !== group) return false
    if (value !== undefined && errorValue(error) !== value) return false
    const { row, field, message } = error
    const all = `${row ?? ''}\n${field ?? ''}\n${message}\n${errorValue(error)}`
    return searchText === '' || all.toLowerCase().includes(searchText)
  })
}

/** The positions of the rows with errors, in order. */
export const failingRows = (errors: readonly RowError[]): Uint32Array =>
  Uint32Array.from(new Set(errors.flatMap(({ index }) => index ?? []))).sort()

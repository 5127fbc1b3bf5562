import { MAX_LIST_ITEMS } from '#shared/limits'
import type { EnumField, Field, FieldValue } from '#shared/records/record-type'

/** The typed value of a cell; undefined if the cell is empty. Does not validate. */
type ReadCell = (cell: string) => FieldValue | undefined

const TRUE_WORDS: readonly string[] = ['true', 't', 'yes', 'y', '1']
const FALSE_WORDS: readonly string[] = ['false', 'f', 'no', 'n', '0']

/** The spellings of a boolean in a cell, in lower case. */
export const BOOLEAN_WORDS: readonly string[] = [...TRUE_WORDS, ...FALSE_WORDS]

const readText: ReadCell = (cell) => cell.trim() || undefined

function readBoolean(cell: string): FieldValue | undefined {
  const text = cell.trim()
  if (text.length > MAX_WORD_LENGTH) return text
  const word = text.toLowerCase()
  if (TRUE_WORDS.includes(word)) return true
  return FALSE_WORDS.includes(word) ? false : text || undefined
}

/** Most parts into which the cell of a list is split, including blank parts. */
const MAX_LIST_PARTS = 10 * MAX_LIST_ITEMS

function listReader(separator: string): ReadCell {
  return (cell) => {
    if (cell === '') return undefined
    const parts = cell.split(separator, MAX_LIST_PARTS)
    // Validation rejects more parts, blank or not.
    if (parts.length === MAX_LIST_PARTS) return parts
    const items = parts.map((item) => item.trim()).filter((item) => item !== '')
    return items.length === 0 ? undefined : items
  }
}

/** Length of the longest spelling of an enum value or a boolean. */
const MAX_WORD_LENGTH = 32

/** Values match in any case, with spaces or hyphens for underscores: `Special test`. */
function enumReader({ values, spellings = {} }: EnumField): ReadCell {
  const valueBySpelling = new Map([
    ...values.map((value) => [value.toLowerCase(), value] as const),
    ...Object.entries(spellings),
  ])
  return (cell) => {
    const text = cell.trim()
    if (text.length > MAX_WORD_LENGTH) return text
    return valueBySpelling.get(text.toLowerCase().replace(/[\s-]+/g, '_')) ?? (text || undefined)
  }
}

/** Reads cells (docs/contract.md#csv-cells). Text that is not a known boolean or enum value stays unchanged. */
export function cellReader(field: Field): ReadCell {
  switch (field.kind) {
    case 'string':
      return readText
    case 'boolean':
      return readBoolean
    case 'list':
      return listReader(field.separator)
    case 'enum':
      return enumReader(field)
    case 'any':
      // A refid keeps its white space.
      return (cell) => cell || undefined
  }
}

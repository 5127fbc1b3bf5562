import type { Field, FieldValue } from '#records/record-type'

/** The typed value of a cell, or undefined where the cell is empty and the field absent. Never judges the value. */
export type CellReader = (cell: string) => FieldValue | undefined

const BOOLEANS = new Map([
  ['true', true],
  ['yes', true],
  ['1', true],
  ['false', false],
  ['no', false],
  ['0', false],
])

/** How a boolean may be written in a cell, in lower case. */
export const BOOLEAN_WORDS: readonly string[] = [...BOOLEANS.keys()]

const readText: CellReader = (cell) => cell.trim() || undefined

function readBoolean(cell: string): FieldValue | undefined {
  const text = cell.trim()
  return BOOLEANS.get(text.toLowerCase()) ?? (text || undefined)
}

function listReader(separator: string): CellReader {
  return (cell) => {
    if (cell === '') return undefined
    const items = cell
      .split(separator)
      .map((item) => item.trim())
      .filter((item) => item !== '')
    return items.length === 0 ? undefined : items
  }
}

function enumReader(spellings: Readonly<Record<string, string>>): CellReader {
  const values = new Map(Object.entries(spellings))
  return (cell) => {
    const text = cell.trim()
    return values.get(text.toLowerCase()) ?? (text || undefined)
  }
}

/**
 * How the cells of a field are read (specification, File format rules 3 to 5; decisions, section 5). A text that is
 * no boolean, or none of an enum's values, is left as it is, for validation to refuse.
 */
export function cellReader(field: Field): CellReader {
  switch (field.kind) {
    case 'string':
      return readText
    case 'boolean':
      return readBoolean
    case 'list':
      return listReader(field.separator)
    case 'enum':
      return field.spellings ? enumReader(field.spellings) : readText
    case 'any':
      // refid is not ours to touch: its white space stays.
      return (cell) => cell || undefined
  }
}

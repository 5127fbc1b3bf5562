import { cellReader } from '#shared/records/csv/cell'
import { type Field, fieldNamed, type RecordType } from '#shared/records/record-type'
import { isBlank } from '#shared/text/characters'

/**
 * The source of a field's values in rows without one, if the file has no column for it, or a mostly empty column.
 * `value`: the same value for all rows. `column`: the values of a column that is also mapped to another field. `texts`:
 * IDs made from the row's other values. `nothing`: the rows stay empty and are fixed later.
 */
export type Fill =
  | { is: 'value'; text: string }
  | { is: 'column'; position: number }
  | { is: 'texts' }
  | { is: 'nothing' }

export type Fills = ReadonlyMap<string, Fill>

/** Fields that distinguish records with the same name. */
const TELLING: readonly string[] = [
  ...['name', 'strength', 'form_name', 'manufacturer', 'specimen', 'method', 'unit', 'icd10'],
]

/** The columns whose fields are used to create IDs. */
export const tellingFields = <Having extends { field: Pick<Field, 'name'> }>(columns: readonly Having[]): Having[] =>
  TELLING.flatMap((name) => columns.filter(({ field }) => field.name === name))

const LONGEST_ID = 200
const HASH_DIGITS = 8

/** FNV-1a, 32 bits: distinguishes IDs that are truncated. */
function hashOf(text: string): string {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return (hash >>> 0).toString(16).padStart(HASH_DIGITS, '0')
}

/** Creates an ID from texts, always the same for the same texts: `aspirin-100-mg`. */
export function idOfTexts(texts: readonly string[]): string {
  const id = texts
    .join(' ')
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}.%]+/gu, '-')
    .replace(/^[-.]+|[-.]+$/g, '')
  const letters = Array.from(id)
  if (letters.length <= LONGEST_ID) return id
  return `${letters.slice(0, LONGEST_ID - HASH_DIGITS - 1).join('')}-${hashOf(id)}`
}

/** A column that is mapped to a field. */
interface ReadColumn {
  position: number
  field: Field
}

/** The source of a field's value if a row's cell is empty, or if the file has no column for it. */
export interface Filler {
  field: string
  /** The column to fill; undefined if the file has none. */
  position: number | undefined
  textIn: (cells: readonly string[]) => string
}

function textMaker(fill: Fill, columns: readonly ReadColumn[]): Filler['textIn'] {
  switch (fill.is) {
    case 'value':
      return () => fill.text
    case 'column':
      return (cells) => cells[fill.position] ?? ''
    case 'texts': {
      const positions = tellingFields(columns).map(({ position }) => position)
      return (cells) => idOfTexts(positions.map((position) => cells[position] ?? ''))
    }
    case 'nothing':
      return () => ''
  }
}

/**
 * Returns a function that tells whether a row needs a field: always, unless the field is only required if another field
 * has a certain value.
 *
 * @param fills values of fields without a column
 */
export function needOf(
  name: string,
  type: RecordType,
  columns: readonly ReadColumn[],
  fills: Fills,
): (cells: readonly string[]) => boolean {
  const condition = type.conditions.find(({ field, rule }) => rule === 'required' && field === name)
  const field = fieldNamed(type, condition?.when.field)
  if (condition === undefined || field === undefined) return () => true
  const read = cellReader(field)
  const position = columns.find((column) => column.field.name === field.name)?.position
  const fill = fills.get(field.name)
  const filled = fill?.is === 'value' ? fill.text : ''
  return (cells) => {
    const text = cells[position ?? -1] ?? ''
    return read(isBlank(text) ? filled : text) === condition.when.equals
  }
}

/** The fillers for the rows of a file. @param columns the columns that are read */
export function fillersOf(fills: Fills, type: RecordType, columns: readonly ReadColumn[]): Filler[] {
  return [...fills].flatMap(([name, fill]) => {
    const position = columns.find(({ field }) => field.name === name)?.position
    // These rows are left unchanged.
    if (fill.is === 'nothing') return []
    const isNeeded = needOf(name, type, columns, fills)
    const textOf = textMaker(fill, columns)
    return [{ field: name, position, textIn: (cells) => (isNeeded(cells) ? textOf(cells) : '') }]
  })
}

import { cellReader } from '#shared/records/csv/cell'
import { type Field, fieldNamed, type RecordType } from '#shared/records/record-type'
import { isBlank } from '#shared/text/characters'

/**
 * Where the values of a field come from in the rows that have none: those of a file without a column for it, or with
 * one that is empty in many rows. `value`: all have the same. `column`: they are those of a column that becomes another
 * field too. `texts`: ids that are made of what the row says. `nothing`: they stay empty, and the rows are fixed later.
 */
export type Fill =
  | { is: 'value'; text: string }
  | { is: 'column'; position: number }
  | { is: 'texts' }
  | { is: 'nothing' }

export type Fills = ReadonlyMap<string, Fill>

/** Fields that tell records of the same name apart. */
const TELLING: readonly string[] = [
  ...['name', 'strength', 'form_name', 'manufacturer', 'specimen', 'method', 'unit', 'icd10'],
]

/** The fields of which ids are made, of those that a file has. */
export const tellingFields = <Having extends { field: Pick<Field, 'name'> }>(columns: readonly Having[]): Having[] =>
  TELLING.flatMap((name) => columns.filter(({ field }) => field.name === name))

const LONGEST_ID = 200
const HASH_DIGITS = 8

/** FNV-1a, 32 bits: ids that are cut differ by it. */
function hashOf(text: string): string {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return (hash >>> 0).toString(16).padStart(HASH_DIGITS, '0')
}

/** An id made of texts, the same for the same texts: `aspirin-100-mg`. */
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

/** A column that is read. */
interface ReadColumn {
  position: number
  field: Field
}

/** What a row has of a field if its cell is blank, or if the file has no column for it. */
export interface Filler {
  field: string
  /** The column that is completed; undefined if the file has none. */
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
 * Tells whether a row needs a field: always, but for a field that is needed if another one has a certain value.
 *
 * @param fills of fields without a column
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

/** What completes the rows of a file. @param columns those that are read */
export function fillersOf(fills: Fills, type: RecordType, columns: readonly ReadColumn[]): Filler[] {
  return [...fills].flatMap(([name, fill]) => {
    const position = columns.find(({ field }) => field.name === name)?.position
    // These rows stay as they are.
    if (fill.is === 'nothing') return []
    const isNeeded = needOf(name, type, columns, fills)
    const textOf = textMaker(fill, columns)
    return [{ field: name, position, textIn: (cells) => (isNeeded(cells) ? textOf(cells) : '') }]
  })
}

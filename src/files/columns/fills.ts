import type { Field } from '#shared/records/record-type'

/**
 * Where the values of a field come from that has no column of its own. `value`: all rows have the same. `column`: they
 * are those of a column that becomes another field too. `texts`: ids that are made of what the row says.
 */
export type Fill = { is: 'value'; text: string } | { is: 'column'; position: number } | { is: 'texts' }

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

/** What stands in the rows of a field without a column. @param columns those that are read */
export function fillReader(
  fill: Fill,
  columns: readonly { position: number; field: Field }[],
): (cells: readonly string[]) => string {
  switch (fill.is) {
    case 'value':
      return () => fill.text
    case 'column':
      return (cells) => cells[fill.position] ?? ''
    case 'texts': {
      const positions = tellingFields(columns).map(({ position }) => position)
      return (cells) => idOfTexts(positions.map((position) => cells[position] ?? ''))
    }
  }
}

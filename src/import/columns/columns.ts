import { nearestName } from '#errors/nearest-name'
import { type HeaderNames, normalizedHeader } from '#records/csv/header'
import { type Field, fieldNamed, type RecordType } from '#records/record-type'

/** Headers that people use and the service does not know, by the field that they mostly mean. */
const USUAL: Readonly<Record<string, string>> = {
  dose: 'strength',
  dosage: 'strength',
  potency: 'strength',
  brand: 'name',
  brand_name: 'name',
  product: 'name',
  product_name: 'name',
  generic: 'generic_name',
  molecule: 'generic_name',
  composition: 'generic_list',
  mfr: 'manufacturer',
  make: 'manufacturer',
  marketer: 'manufacturer',
  schedule: 'schedule_code',
  sample: 'specimen',
  sample_type: 'specimen',
  test_kind: 'kind',
  department: 'discipline',
  snomed_code: 'snomed_id',
  icd_code: 'icd10',
}

/** The field that a column without a known header may be; undefined if no field is near. */
function guessField(header: string, type: RecordType): Field | undefined {
  const written = normalizedHeader(header)
  if (written === '') return undefined
  const usual = fieldNamed(type, USUAL[written])
  if (usual !== undefined) return usual
  const names = new Map(
    type.fields.flatMap((field) => [field.name, ...(field.headers ?? [])].map((name) => [name, field])),
  )
  return names.get(nearestName(written, names.keys()) ?? '')
}

/** Where the columns of a file go, by their headers as they are compared: the name of a field, or null to leave it out. */
export type Mapping = Readonly<Record<string, string | null>>

export interface FileColumn {
  /** From 0. */
  position: number
  header: string
  /** The field that it becomes; undefined if it is left out. */
  field: Field | undefined
  /** `known`: by its header. `guessed`: by a header that is near. `chosen`: by the person. */
  by: 'known' | 'guessed' | 'chosen' | undefined
  examples: readonly string[]
}

const EXAMPLES = 3

/** The first different values in a column. */
function examplesIn(rows: readonly (readonly string[])[], position: number): string[] {
  const values = new Set<string>()
  for (const cells of rows) {
    const value = (cells[position] ?? '').trim()
    if (value !== '') values.add(value)
    if (values.size === EXAMPLES) break
  }
  return [...values]
}

/**
 * Decides where each column goes: as the person says, else by its header, else by a guess. A field is guessed for one
 * column only, and not if another one has it.
 *
 * @param rows some rows below the header row, for examples
 */
export function columnsOf(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  type: RecordType,
  names: HeaderNames,
  mapping: Mapping,
): FileColumn[] {
  const columns = header.map((written, position): FileColumn => {
    const common = { position, header: written, examples: examplesIn(rows, position) }
    const key = normalizedHeader(written)
    // A header may be the name of a property that every object has.
    const chosen = Object.hasOwn(mapping, key) ? mapping[key] : undefined
    if (chosen !== undefined) {
      return { ...common, field: fieldNamed(type, chosen), by: 'chosen' }
    }
    const field = names.fieldOf(written)
    return { ...common, field, by: field && 'known' }
  })
  const taken = new Set(columns.map(({ field }) => field))
  for (const column of columns) {
    if (column.by !== undefined || names.isIgnored(column.header)) continue
    const guess = guessField(column.header, type)
    if (guess === undefined || taken.has(guess)) continue
    taken.add(guess)
    Object.assign(column, { field: guess, by: 'guessed' } satisfies Partial<FileColumn>)
  }
  return columns
}

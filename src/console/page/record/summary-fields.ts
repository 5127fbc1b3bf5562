import type { EnumField, Field, RecordType, StringField } from '#records/record-type'

const MAX_COLUMNS = 3

type ShortField = StringField | EnumField

const isShort = (field: Field): field is ShortField => field.kind === 'string' || field.kind === 'enum'

/** Fields that all types share; they have places of their own in a list. */
const COMMON = ['name', 'display_name']

/**
 * The fields of a type that say most beside id and name: its first short texts, the required ones before the others. Ids
 * of other systems say little to people.
 */
export function summaryFields({ idField, fields }: RecordType): readonly ShortField[] {
  const own = fields
    .filter(isShort)
    .filter(({ name }) => name !== idField && !COMMON.includes(name) && !name.endsWith('_id'))
  return own
    .toSorted((a, b) => Number(b.required === true) - Number(a.required === true))
    .slice(0, MAX_COLUMNS)
}

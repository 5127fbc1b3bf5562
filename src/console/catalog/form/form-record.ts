import type { Field, RawRecord, RecordType } from '#shared/records/record-type'

export const emptyRecord = ({ fields }: RecordType): RawRecord =>
  Object.fromEntries(fields.map((field) => [field.name, emptyValue(field)]))

function emptyValue(field: Field): unknown {
  if (field.kind === 'list') return []
  if (field.kind === 'boolean') return field.default ?? null
  return null
}

/**
 * A record as it was read, for a form. A display name that repeats the name was not given: it is left out, so that it
 * follows when the name is changed.
 */
export const recordForForm = (record: RawRecord): RawRecord =>
  record.display_name === record.name ? { ...record, display_name: null } : record

export const isSameValue = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

export const differingFields = ({ fields }: RecordType, a: RawRecord, b: RawRecord): Field[] =>
  fields.filter(({ name }) => !isSameValue(a[name], b[name]))

export const isRequired = ({ conditions }: RecordType, field: Field, record: RawRecord): boolean =>
  field.required === true ||
  conditions.some(
    ({ field: name, when, rule }) =>
      rule === 'required' && name === field.name && record[when.field] === when.equals,
  )

/**
 * Removes white space around the id: it is never meant, and makes the record hard to find. Ids in files are trimmed
 * too.
 */
export function withTrimmedId({ idField }: RecordType, record: RawRecord): RawRecord {
  const id = record[idField]
  return typeof id === 'string' ? { ...record, [idField]: id.trim() } : record
}

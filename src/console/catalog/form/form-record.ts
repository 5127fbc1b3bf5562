import { type Field, IDS_OUTSIDE_PATHS, type RawRecord, type RecordType } from '#shared/records/record-type'
import { RecordRules } from '#shared/records/rules'
import type { FieldMessages } from '../../widgets/form'

export const emptyRecord = ({ fields }: RecordType): RawRecord =>
  Object.fromEntries(fields.map((field) => [field.name, emptyValue(field)]))

function emptyValue(field: Field): unknown {
  if (field.kind === 'list') return []
  if (field.kind === 'boolean') return field.default ?? null
  return null
}

export const isSameValue = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

export const differingFields = ({ fields }: RecordType, a: RawRecord, b: RawRecord): Field[] =>
  fields.filter(({ name }) => !isSameValue(a[name], b[name]))

export const isRequired = ({ conditions }: RecordType, field: Field, record: RawRecord): boolean =>
  field.required === true ||
  conditions.some(
    ({ field: name, when, rule }) => rule === 'required' && name === field.name && record[when.field] === when.equals,
  )

/**
 * Trims the ID: whitespace around it is never intended, and makes the record hard to find. IDs in files are trimmed,
 * too.
 */
export function withTrimmedId({ idField }: RecordType, record: RawRecord): RawRecord {
  const id = record[idField]
  return typeof id === 'string' ? { ...record, [idField]: id.trim() } : record
}

/** @returns a function that checks a record by the service's rules */
export function recordCheck(type: RecordType, isNew: boolean): (record: RawRecord) => FieldMessages {
  const rules = new RecordRules(type)
  return (record) => {
    const failures = rules.check(record).map(({ field, msg }) => [field, msg])
    if (isNew && IDS_OUTSIDE_PATHS.some((id) => id === record[type.idField]))
      failures.push([type.idField, 'must not consist of dots only'])
    return Object.fromEntries(failures)
  }
}

export const inputId = (name: string): string => `field-${name}`

import { hasStatus } from '#client/service-error'
import { type Field, IDS_OUTSIDE_PATHS, type RawRecord, type RecordType } from '#shared/records/record-type'
import { RecordRules } from '#shared/records/rules'

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
    ({ field: name, when, rule }) => rule === 'required' && name === field.name && record[when.field] === when.equals,
  )

/**
 * Removes white space around the id: it is never meant, and makes the record hard to find. Ids in files are trimmed
 * too.
 */
export function withTrimmedId({ idField }: RecordType, record: RawRecord): RawRecord {
  const id = record[idField]
  return typeof id === 'string' ? { ...record, [idField]: id.trim() } : record
}

/** Why fields are not acceptable, by their names. */
export type RecordErrors = Readonly<Record<string, string>>

/** @returns checks a record as the service will */
export function recordCheck(type: RecordType, isNew: boolean): (record: RawRecord) => RecordErrors {
  const rules = new RecordRules(type)
  return (record) => {
    const failures = rules.check(record).map(({ field, msg }) => [field, msg])
    if (isNew && (IDS_OUTSIDE_PATHS as readonly unknown[]).includes(record[type.idField]))
      failures.push([type.idField, 'must not consist of dots only'])
    return Object.fromEntries(failures)
  }
}

/** The fields that the service refuses; none if an error is of another kind. */
export function refusedFields(error: Error | null): RecordErrors {
  if (!hasStatus(error, 400)) return {}
  return Object.fromEntries(
    error.errors.flatMap((item) => ('msg' in item && item.field !== null ? [[item.field, item.msg]] : [])),
  )
}

export const hasErrors = (errors: RecordErrors): boolean => Object.keys(errors).length > 0

export const inputId = (name: string): string => `field-${name}`

export function focusFirst({ fields }: RecordType, errors: RecordErrors): void {
  const first = fields.find(({ name }) => name in errors)
  // One that was folded is shown first.
  if (first !== undefined) requestAnimationFrame(() => document.getElementById(inputId(first.name))?.focus())
}

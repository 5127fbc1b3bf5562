import { hasStatus } from '#client/service-error'
import { IDS_OUTSIDE_PATHS, type RawRecord, type RecordType } from '#shared/records/record-type'
import { RecordRules } from '#shared/records/rules'

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

import { DIFF_LIST_RECORDS } from '#shared/limits'
import type { Change } from '#shared/records/change'
import type { Field, FieldValue, RecordType } from '#shared/records/record-type'
import { isEmptyList, type ReturnedRecord, returnedForm } from '#shared/records/stored-form'
import type { Diff, DiffEntry } from '#worker/catalog/schemas'
import type { ChangeRow } from '#worker/catalog/write/sql/dry-run'

/** A field that a write changes, in the returned form. `before` is null for a new record. */
interface FieldChange {
  field: Field
  before: FieldValue
  after: FieldValue
}

export interface RecordChange {
  change: Change
  id: string
  /** The new name, or the stored one of a record that is left out. */
  name: string
  /** In the order of the type's definition. Empty for a record that is only deactivated. */
  fields: FieldChange[]
}

/**
 * `change` tells whether the record becomes active or inactive, so `is_active` is not among the fields, except for a
 * new record that is inactive.
 */
export function recordChange(
  type: RecordType,
  row: Omit<ChangeRow, 'left_out' | 'position' | 'was_active'>,
): RecordChange {
  const { change, record_id: id, is_active } = row
  const before = sideOf(type, id, is_active, row.before)
  const after = sideOf(type, id, is_active, row.after)
  const fields = after === null ? [] : before === null ? presentFields(type, after) : fieldChanges(type, before, after)
  return { change, id, name: String((after ?? before)?.name), fields }
}

/** The returned form of one side, without the time of its change. */
const sideOf = (type: RecordType, id: string, isActive: 0 | 1 | null, data: string | null): ReturnedRecord | null =>
  data === null ? null : returnedForm(type, { record_id: id, is_active: isActive ?? 1, written_at: 0, data })

/** Whether the record has no display name of its own: the returned form then repeats the name. */
const followsName = (record: ReturnedRecord): boolean => record.display_name === record.name

function fieldChanges(type: RecordType, before: ReturnedRecord, after: ReturnedRecord): FieldChange[] {
  const namesFollow = followsName(before) && followsName(after)
  return type.fields
    .map((field) => ({ field, before: before[field.name], after: after[field.name] }))
    .filter(({ field }) => !(field.name === 'display_name' && namesFollow))
    .filter((change) => JSON.stringify(change.before) !== JSON.stringify(change.after))
}

const isPresent = (field: Field, value: unknown): boolean =>
  value !== null && !(field.kind === 'list' && isEmptyList(value))

/** Every field of a new record that has a value of its own, and `is_active` only when it is false. */
function presentFields(type: RecordType, record: ReturnedRecord): FieldChange[] {
  const omittedNames = new Set([type.idField, ...(followsName(record) ? ['display_name'] : [])])
  return type.fields
    .map((field) => ({ field, before: null, after: record[field.name] }))
    .filter(({ field, after }) =>
      field.name === 'is_active' ? after === false : isPresent(field, after) && !omittedNames.has(field.name),
    )
}

export const fieldValues = (fields: readonly FieldChange[]): Record<string, [unknown, unknown]> =>
  Object.fromEntries(fields.map(({ field, before, after }) => [field.name, [before, after]]))

/** A change in the form of JSON answers. A record that is only deactivated has no fields. */
export function returnedEntry({ change, id, name, fields }: RecordChange): DiffEntry {
  if (change === 'deactivated' && fields.length === 0) return { id, name }
  return { id, name, fields: fieldValues(fields) }
}

/** @param rows in any order */
export function diffOf(type: RecordType, rows: readonly ChangeRow[]): Diff {
  const diff: Diff = { inserted: [], updated: [], reactivated: [], deactivated: [] }
  for (const row of byRequestOrder(rows)) {
    const list: DiffEntry[] = diff[row.change]
    if (list.length < DIFF_LIST_RECORDS) list.push(returnedEntry(recordChange(type, row)))
  }
  return diff
}

/**
 * The rows in the order of the request, followed by the records that are left out, in the order of ids. Without the row
 * that says that there are none.
 */
export const byRequestOrder = (rows: readonly ChangeRow[]): ChangeRow[] =>
  rows.filter(({ change }) => change !== null).sort((a, b) => a.left_out - b.left_out || a.position - b.position)

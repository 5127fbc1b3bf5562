import type { ChangeRow } from '#catalog/sql/diff'
import type { Change } from '#records/change'
import type { Field, FieldValue, RecordType } from '#records/record-type'
import { type ReturnedRecord, returnedForm } from '#records/stored-form'
import type { Diff } from './schemas'

/** A field that a write would change, with its value before and after in the returned form. */
interface FieldChange {
  field: Field
  before: FieldValue
  after: FieldValue
}

/** What a write would do to one record. */
export interface RecordChange {
  change: Change
  id: string
  /** The new name; of a record that is only deactivated, the one that it has. */
  name: string
  /** In the order of the type's definition. None where the record is new or only deactivated. */
  fields: FieldChange[]
}

/**
 * What a row of a diff says, in the returned form of records.
 *
 * That a reactivated record becomes active is its change, and not among its fields.
 */
export function recordChange(type: RecordType, row: ChangeRow): RecordChange {
  const { change, record_id: id, was_active, is_active } = row
  const before = sideOf(type, id, was_active, row.before)
  const after = sideOf(type, id, change === 'reactivated' ? was_active : is_active, row.after)
  const fields = before !== null && after !== null ? fieldChanges(type, before, after) : []
  return { change, id, name: (after ?? before)!.name as string, fields }
}

/** The returned form of one side, but for the time of its change. */
const sideOf = (
  type: RecordType,
  id: string,
  isActive: 0 | 1 | null,
  data: string | null,
): ReturnedRecord | null =>
  data === null ? null : returnedForm(type, { record_id: id, is_active: isActive ?? 1, updated_at: 0, data })

/** A display name that merely follows the name, as the stored form leaves it out. */
const followsName = (record: ReturnedRecord): boolean => record.display_name === record.name

function fieldChanges(type: RecordType, before: ReturnedRecord, after: ReturnedRecord): FieldChange[] {
  const namesFollow = followsName(before) && followsName(after)
  return type.fields
    .map((field) => ({ field, before: before[field.name], after: after[field.name] }))
    .filter(({ field }) => !(field.name === 'display_name' && namesFollow))
    .filter((change) => JSON.stringify(change.before) !== JSON.stringify(change.after))
}

/**
 * The diff of a dry run.
 *
 * @param rows in any order
 */
export function diffOf(type: RecordType, rows: readonly ChangeRow[]): Diff {
  const diff: Diff = { inserted: [], updated: [], reactivated: [], deactivated: [] }
  for (const row of inOrder(rows)) {
    const { change, id, name, fields } = recordChange(type, row)
    if (change !== 'updated') diff[change].push({ id, name })
    else {
      const values = fields.map(({ field, before, after }) => [field.name, [before, after]] as const)
      diff.updated.push({ id, name, fields: Object.fromEntries(values) as Diff['updated'][number]['fields'] })
    }
  }
  return diff
}

/** The rows in the order of the request, what is left out last, in the order of ids. */
export const inOrder = (rows: readonly ChangeRow[]): ChangeRow[] =>
  rows.toSorted(
    (a, b) => Number(a.change === 'deactivated') - Number(b.change === 'deactivated') || a.place - b.place,
  )

import type { ChangeRow } from '#catalog/sql/diff'
import { DIFF_LIST_RECORDS } from '#limits'
import type { Change } from '#records/change'
import type { Field, FieldValue, RecordType } from '#records/record-type'
import { type ReturnedRecord, returnedForm } from '#records/stored-form'
import type { Diff, DiffEntry } from './schemas'

/** A field that a write changes, with its value before and after in the returned form; null before where the record is new. */
export interface FieldChange {
  field: Field
  before: FieldValue
  after: FieldValue
}

/** What a write does to one record. */
export interface RecordChange {
  change: Change
  id: string
  /** The new name; of a record that is left out, the one that it has. */
  name: string
  /** In the order of the type's definition; none where the record is only deactivated. */
  fields: FieldChange[]
}

/** A change of one record with its stored forms; `after` is null where a record is deactivated as it is. */
type StoredChange = Pick<ChangeRow, 'change' | 'record_id' | 'was_active' | 'is_active' | 'before' | 'after'>

/**
 * What a row of a diff says, in the returned form of records.
 *
 * That a record becomes active or inactive is its change, and not among its fields; a new record that is inactive says
 * so there.
 */
export function recordChange(type: RecordType, row: StoredChange): RecordChange {
  const { change, record_id: id, is_active } = row
  const before = sideOf(type, id, is_active, row.before)
  const after = sideOf(type, id, is_active, row.after)
  const fields =
    after === null ? [] : before === null ? presentFields(type, after) : fieldChanges(type, before, after)
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

const isPresent = (field: Field, value: unknown): boolean =>
  value !== null && !(field.kind === 'list' && (value as unknown[]).length === 0)

/** Every field of a new record that has a value of its own; that it is active goes without saying. */
function presentFields(type: RecordType, record: ReturnedRecord): FieldChange[] {
  const unsaid = new Set([type.idField, ...(followsName(record) ? ['display_name'] : [])])
  return type.fields
    .map((field) => ({ field, before: null, after: record[field.name] }))
    .filter(({ field, after }) =>
      field.name === 'is_active' ? after === false : isPresent(field, after) && !unsaid.has(field.name),
    )
}

/** Fields by name with their values before and after. */
export const fieldValues = (fields: readonly FieldChange[]): Record<string, [unknown, unknown]> =>
  Object.fromEntries(fields.map(({ field, before, after }) => [field.name, [before, after]]))

/** A change as answers in JSON show it; a record that is only deactivated has no fields. */
export function diffEntry({ change, id, name, fields }: RecordChange): DiffEntry {
  if (change === 'deactivated' && fields.length === 0) return { id, name }
  return { id, name, fields: fieldValues(fields) }
}

/**
 * The diff of a dry run.
 *
 * @param rows in any order
 */
export function diffOf(type: RecordType, rows: readonly ChangeRow[]): Diff {
  const diff: Diff = { inserted: [], updated: [], reactivated: [], deactivated: [] }
  for (const row of byRequestOrder(rows)) {
    const list: DiffEntry[] = diff[row.change]
    if (list.length < DIFF_LIST_RECORDS) list.push(diffEntry(recordChange(type, row)))
  }
  return diff
}

/** The rows in the order of the request, what is left out last, in the order of ids. */
export const byRequestOrder = (rows: readonly ChangeRow[]): ChangeRow[] =>
  rows.toSorted((a, b) => a.left_out - b.left_out || a.place - b.place)

import { formIdOf } from './drug-forms'
import { parseExactJson } from './exact-json'
import type { RawRecord, RecordType } from './record-type'

/** A record as the API returns it: every field of its type, absent ones as null or an empty list. */
export type ReturnedRecord = Record<string, unknown>

/** A row of `records` as the queries of this folder select it. */
export interface RecordRow {
  record_id: string
  is_active: number
  /** Milliseconds since the epoch. */
  updated_at: number
  data: string
}

/**
 * The stored form of a valid record: its present fields in the order of the definition, as JSON. Records that a read
 * could not tell apart have the same stored form, so that comparing two texts tells whether a write changes anything;
 * hence no nulls, no empty lists, no display name that repeats the name. Id and activity have columns of their own.
 */
export function storedForm(type: RecordType, record: RawRecord): string {
  const stored: RawRecord = {}
  for (const { name, kind } of type.fields) {
    const value = record[name]
    if (value === undefined || value === null || name === type.idField || name === 'is_active') continue
    if (kind === 'list' && (value as unknown[]).length === 0) continue
    if (name === 'display_name' && value === record.name) continue
    stored[name] = value
  }
  return JSON.stringify(stored)
}

/** The returned form of a stored record (decisions, section 2); what it returns can be written again unchanged. */
export function returnedForm(type: RecordType, row: RecordRow): ReturnedRecord {
  const stored = parseExactJson(row.data) as RawRecord
  const record: ReturnedRecord = {}
  for (const { name, kind } of type.fields) {
    record[name] = stored[name] ?? (kind === 'list' ? [] : null)
    if (name === 'form_name') record.form_id = formIdOfStored(stored.form_name)
  }
  record[type.idField] = row.record_id
  record.display_name = stored.display_name ?? stored.name
  record.is_active = row.is_active === 1
  record.updated_at = new Date(row.updated_at).toISOString()
  return record
}

const formIdOfStored = (formName: unknown): string | null =>
  typeof formName === 'string' ? formIdOf(formName) : null

/**
 * The vocabulary in which a record type is defined. A type is written once, as a list of fields; JSON validation,
 * CSV reading and writing, the stored and the returned form and the OpenAPI schemas all come from that list.
 * Source: specification, "Resources and their fields"; decisions, sections 2 and 5.
 */

export const RECORD_TYPES = ['medication', 'lab_test', 'symptom', 'diagnosis'] as const
export type RecordTypeName = (typeof RECORD_TYPES)[number]

interface FieldBase {
  name: string
  description: string
  /** Must be present and not blank in every record. */
  required?: true
  /** CSV headers that are accepted besides the field's own name, in lower case with underscores. */
  headers?: readonly string[]
}

export interface StringField extends FieldBase {
  kind: 'string'
  /** Unicode code points. */
  maxLength: number
}

export interface EnumField extends FieldBase {
  kind: 'enum'
  values: readonly string[]
  /** Other spellings that a CSV cell may use, in lower case. */
  spellings?: Readonly<Record<string, string>>
}

export interface ListField extends FieldBase {
  kind: 'list'
  /** Unicode code points of each item. */
  maxLength: number
  /** Stands between the items in one CSV cell. */
  separator: '|' | '+'
}

export interface BooleanField extends FieldBase {
  kind: 'boolean'
  default?: boolean
}

/** Any JSON value, stored and returned exactly as sent. */
export interface AnyField extends FieldBase {
  kind: 'any'
}

export type Field = StringField | EnumField | ListField | BooleanField | AnyField

/** A field that is required, or of use, only where another field has a certain value. */
export interface Condition {
  field: string
  when: { field: string; equals: string }
  /** `required`: its absence is an error. `expected`: its presence elsewhere is a warning. */
  rule: 'required' | 'expected'
}

export interface RecordType {
  name: RecordTypeName
  /** For people: `lab test`. */
  title: string
  /** For people: `lab tests`. */
  plural: string
  idField: string
  /** In the order in which they are returned and written to CSV. The first is the id field. */
  fields: readonly Field[]
  /**
   * The fields whose values make up the stored form, in its order (see `stored-record.ts`). A new field comes last in
   * its type's own list: stored records tell their fields by their places.
   */
  storedFields: readonly Field[]
  conditions: readonly Condition[]
}

/** Fields that the service adds to what it returns; ignored without complaint when they are sent. */
export const READ_ONLY_FIELDS = ['updated_at', 'form_id'] as const

/**
 * A CSV column that is ignored without complaint, like the read-only fields: the console gives people their file back
 * with this column, saying what is wrong with each row, and they mend the rows and send it as it is. In JSON, where
 * nothing adds it, it is an unknown field like any other.
 */
export const ERRORS_COLUMN = '_errors'

/** Ids that would hide behind an endpoint of the same path. */
export const RESERVED_IDS = ['batches', 'search-status', 'drug-forms'] as const

/** A value as it is validated and stored; absent fields are left out. */
export type FieldValue = unknown
/** One record as sent: not validated. */
export type RawRecord = Record<string, unknown>

const DISPLAY_NAME: Field = {
  kind: 'string',
  name: 'display_name',
  maxLength: 200,
  headers: ['label'],
  description: 'Name shown to end users; `name` where it is not sent.',
}

const ALIASES: Field = {
  kind: 'list',
  name: 'aliases',
  maxLength: 200,
  separator: '|',
  headers: ['alias', 'synonyms', 'alternate_names'],
  description: 'Alternate names, used by text search.',
}

const IS_ACTIVE: Field = {
  kind: 'boolean',
  name: 'is_active',
  default: true,
  headers: ['active'],
  description: 'Inactive records are hidden from lists and from partner search.',
}

const REFID: Field = {
  kind: 'any',
  name: 'refid',
  headers: ['ref_id', 'reference_id'],
  description: "The provider's own reference id of the same item; any JSON value, returned exactly as sent.",
}

/**
 * Puts the fields that all types share around a type's own.
 *
 * @param nameHeaders CSV headers that mean `name` for this type
 */
export function defineRecordType(
  definition: Pick<RecordType, 'name' | 'title' | 'plural' | 'fields'> & {
    conditions?: readonly Condition[]
    nameHeaders: readonly string[]
  },
): RecordType {
  const idField = `${definition.name}_id`
  const id: Field = {
    kind: 'string',
    name: idField,
    maxLength: 200,
    required: true,
    headers: ['id', 'code', 'item_id', 'item_code'],
    description: `The caller's own id of the ${definition.title}; ids that differ by case are different.`,
  }
  const name: Field = {
    kind: 'string',
    name: 'name',
    maxLength: 200,
    required: true,
    headers: definition.nameHeaders,
    description: 'Name.',
  }
  return {
    name: definition.name,
    title: definition.title,
    plural: definition.plural,
    idField,
    fields: [id, name, DISPLAY_NAME, ALIASES, ...definition.fields, IS_ACTIVE, REFID],
    storedFields: [name, DISPLAY_NAME, ALIASES, REFID, ...definition.fields],
    conditions: definition.conditions ?? [],
  }
}

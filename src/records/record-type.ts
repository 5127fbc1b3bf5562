/**
 * The vocabulary in which a record type is defined. A type is written once, as a list of fields; JSON validation,
 * CSV reading and writing, the stored and the returned form and the OpenAPI schemas all come from that list.
 * Source: docs/contract.md#records.
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
  /**
   * Place of the value in the stored form, from 0; null for a field with a column of its own. Stored records tell their
   * fields by their slots: a slot never changes and is never used again, and a new field takes the next free one,
   * wherever it stands in the list.
   */
  slot: number | null
}

export interface StringField extends FieldBase {
  kind: 'string'
  /** Unicode code points. */
  maxLength: number
}

export interface EnumField extends FieldBase {
  kind: 'enum'
  values: readonly string[]
  /** Other spellings that a CSV cell may use, in lower case; the values themselves match in any case. */
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

/** A read-only field that is not stored: it follows from the text of another one, behind which it is returned. */
export interface DerivedField {
  kind: 'derived'
  name: string
  from: string
  /** @returns null where nothing follows from the text */
  derive(text: string): string | null
  /** What a write says of the values of `from` that nothing follows from, as the end of a sentence. */
  unmatched: string
  description: string
}

/** A field that is required, or makes sense, only if another field has a certain value. */
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
  /** The fields whose values make up the stored form, each at the place that its slot says. */
  storedFields: readonly Field[]
  derived: readonly DerivedField[]
  /** `fields` and, behind the field that each follows from, `derived`. */
  returnedFields: readonly (Field | DerivedField)[]
  conditions: readonly Condition[]
}

/**
 * A CSV column that is ignored without a warning. The console adds it to a file that it gives back, with the
 * errors of each row; people correct the rows and upload the file as it is. In JSON it is an unknown field
 * like any other.
 */
export const ERRORS_COLUMN = '_errors'

/** Ids that would hide behind an endpoint of the same path. */
export const RESERVED_IDS = ['batches', 'search-status', 'drug-forms'] as const

/** Ids that no path can carry: browsers and proxies take them out of it. */
export const UNREACHABLE_IDS = ['.', '..'] as const

/** A value that is validated and stored. Absent fields are left out. */
export type FieldValue = unknown
/** One record as sent: not validated. */
export type RawRecord = Record<string, unknown>

const DISPLAY_NAME: Field = {
  kind: 'string',
  name: 'display_name',
  slot: 1,
  maxLength: 200,
  headers: ['label'],
  description: 'Name shown to end users; `name` where it is not sent.',
}

const ALIASES: Field = {
  kind: 'list',
  name: 'aliases',
  slot: 2,
  maxLength: 200,
  separator: '|',
  headers: ['alias', 'synonyms', 'alternate_names'],
  description: 'Alternate names, used by text search.',
}

const IS_ACTIVE: Field = {
  kind: 'boolean',
  name: 'is_active',
  slot: null,
  default: true,
  headers: ['active'],
  description: 'Inactive records are hidden from lists and from partner search.',
}

const REFID: Field = {
  kind: 'any',
  name: 'refid',
  slot: 3,
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
    derived?: readonly DerivedField[]
    nameHeaders: readonly string[]
  },
): RecordType {
  const idField = `${definition.name}_id`
  const id: Field = {
    kind: 'string',
    name: idField,
    slot: null,
    maxLength: 200,
    required: true,
    headers: ['id', 'code', 'item_id', 'item_code'],
    description: `The caller's own id of the ${definition.title}; ids that differ by case are different.`,
  }
  const name: Field = {
    kind: 'string',
    name: 'name',
    slot: 0,
    maxLength: 200,
    required: true,
    headers: definition.nameHeaders,
    description: 'Name.',
  }
  const fields = [id, name, DISPLAY_NAME, ALIASES, ...definition.fields, IS_ACTIVE, REFID]
  const derived = definition.derived ?? []
  return {
    name: definition.name,
    title: definition.title,
    plural: definition.plural,
    idField,
    fields,
    storedFields: bySlot(fields),
    derived,
    returnedFields: fields.flatMap((field) => [field, ...derived.filter(({ from }) => from === field.name)]),
    conditions: definition.conditions ?? [],
  }
}

/**
 * The stored fields, each at its slot.
 *
 * @throws Error for a slot that is used twice or left out: a mistake in the definition
 */
function bySlot(fields: readonly Field[]): readonly Field[] {
  const stored = fields.filter(({ slot }) => slot !== null).toSorted((a, b) => a.slot! - b.slot!)
  const wrong = stored.find(({ slot }, place) => slot !== place)
  if (wrong)
    throw new Error(`The slot ${wrong.slot} of ${wrong.name} is used twice, or one before it is left out.`)
  return stored
}

import type { CheckedCode } from './check-digits'

/**
 * The parts of a record type (docs/contract.md#records). JSON validation, CSV, the stored and the returned form and the
 * schemas all come from its list of fields.
 */

export const RECORD_TYPES = ['medication', 'lab_test', 'symptom', 'diagnosis'] as const
export type RecordTypeName = (typeof RECORD_TYPES)[number]

interface FieldBase {
  name: string
  description: string
  required?: true
  /** Alternative CSV headers, in lower case with underscores. */
  headers?: readonly string[]
  /**
   * Index of the value in the stored form, from 0; null for a field with its own column. A slot never changes and is
   * never reused. A new field gets the next free slot, wherever it is in this list.
   */
  slot: number | null
  /** How search uses the value, other than names and aliases: by its words, as a dosage form, or as a whole code. */
  searchedAs?: 'text' | 'form' | 'code'
}

export interface StringField extends FieldBase {
  kind: 'string'
  /** Unicode code points. */
  maxLength: number
  checkDigit?: CheckedCode
}

export interface EnumField extends FieldBase {
  kind: 'enum'
  values: readonly string[]
  /** Other spellings in CSV cells, in lower case. The values themselves match in any case. */
  spellings?: Readonly<Record<string, string>>
}

export interface ListField extends FieldBase {
  kind: 'list'
  /** Unicode code points of each item. */
  maxLength: number
  /** Separates the items in one CSV cell. */
  separator: '|' | '+'
}

interface BooleanField extends FieldBase {
  kind: 'boolean'
  default?: boolean
}

/** Any JSON value, stored and returned exactly as sent. */
interface AnyField extends FieldBase {
  kind: 'any'
}

export type Field = StringField | EnumField | ListField | BooleanField | AnyField

type StoredField = Field & { slot: number }

export const isStored = (field: Field): field is StoredField => field.slot !== null

/** A read-only field that is not stored. It follows from the text of another field and is returned after it. */
export interface DerivedField {
  kind: 'derived'
  name: string
  from: string
  /** @returns null if it cannot be derived from the text */
  derive(text: string): string | null
  /** The warning for values of `from` without a derived value, after their number. */
  unmatchedText: string
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
  /** A record with every field undefined; see `blankRecord`. */
  blank: RawRecord
  /** The fields of the stored form by slot: objects of one shape, which are faster to read; `fields` has several. */
  storedFields: readonly Pick<StoredField, 'name' | 'kind' | 'slot'>[]
  slotByName: ReadonlyMap<string, number>
  /**
   * The stored value of absent fields, by slot: 0, which is shorter than null, or null for a `refid`, which may be 0.
   */
  blankSlots: readonly unknown[]
  derived: readonly DerivedField[]
  /** `fields`, and after each of them the `derived` fields that follow from it. */
  returnedFields: readonly (Field | DerivedField)[]
  /** A returned record with every member undefined; see `blankRecord`. */
  blankAnswer: RawRecord
  conditions: readonly Condition[]
}

/** A CSV column that is ignored without a warning: the console adds it to a file that it gives back. */
export const ERRORS_COLUMN = '_errors'

/** Ids whose path is the path of an endpoint. */
export const RESERVED_IDS = ['batches', 'search-status', 'drug-forms'] as const

/** Ids that no path can have: browsers and proxies remove them. */
export const IDS_OUTSIDE_PATHS = ['.', '..'] as const

/** The value of a field. Absent fields are left out. */
export type FieldValue = unknown
/** One record as sent: not validated. */
export type RawRecord = Record<string, unknown>

/** The same for all types. */
export const NAME_SLOT = 0
export const DISPLAY_NAME_SLOT = 1
export const ALIASES_SLOT = 2

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
  description: "The provider's own reference ID of the same item; any JSON value, returned exactly as sent.",
}

type More<F extends Field> = Partial<Omit<F, 'kind' | 'name' | 'slot' | 'maxLength' | 'description'>>

/** A field with text. @param maxLength in code points */
export const text = (
  name: string,
  slot: number | null,
  maxLength: number,
  description: string,
  more: More<StringField> = {},
): Field => ({ kind: 'string', name, slot, maxLength, description, ...more })

/** A field with a list of texts. @param maxLength of each of them, in code points */
export const list = (
  name: string,
  slot: number,
  maxLength: number,
  description: string,
  more: More<ListField> = {},
): Field => ({ kind: 'list', name, slot, maxLength, separator: '|', description, ...more })

export const oneOf = (
  name: string,
  slot: number,
  values: readonly string[],
  description: string,
  more: More<EnumField> = {},
): Field => ({ kind: 'enum', name, slot, values, description, ...more })

export const fieldNamed = (
  { fields }: Pick<RecordType, 'fields'>,
  wantedName: string | null | undefined,
): Field | undefined => fields.find(({ name }) => name === wantedName)

/** @param nameHeaders CSV headers that mean `name` for this type */
export function defineRecordType(
  definition: Pick<RecordType, 'name' | 'title' | 'plural' | 'fields'> & {
    conditions?: readonly Condition[]
    derived?: readonly DerivedField[]
    nameHeaders: readonly string[]
  },
): RecordType {
  const { fields: ownFields, nameHeaders, conditions = [], derived = [], ...names } = definition
  const idField = `${names.name}_id`
  const fields = [
    text(
      idField,
      null,
      200,
      `The record ID of the ${names.title} in your own system. IDs that differ only in case are different.`,
      {
        searchedAs: 'code',
        required: true,
        headers: ['id', 'code', 'item_id', 'item_code'],
      },
    ),
    text('name', NAME_SLOT, 200, 'Name.', { required: true, headers: nameHeaders }),
    text('display_name', DISPLAY_NAME_SLOT, 200, 'Name shown to end users; `name` when it is not sent.', {
      headers: ['label'],
    }),
    list('aliases', ALIASES_SLOT, 200, 'Alternate names, used by text search.', {
      headers: ['alias', 'synonyms', 'alternate_names'],
    }),
    ...ownFields,
    IS_ACTIVE,
    REFID,
  ]
  const storedFields = bySlot(fields)
  const returnedFields = fields.flatMap((field) => [field, ...derived.filter(({ from }) => from === field.name)])
  return {
    ...names,
    idField,
    fields,
    blank: blankRecord(fields),
    storedFields: storedFields.map(({ name, kind, slot }) => ({ name, kind, slot })),
    slotByName: new Map(storedFields.map(({ name, slot }) => [name, slot])),
    blankSlots: storedFields.map(({ kind }) => (kind === 'any' ? null : 0)),
    derived,
    returnedFields,
    blankAnswer: blankRecord([...returnedFields, { name: 'added_names' }, { name: 'updated_at' }]),
    conditions,
  }
}

/**
 * The record that records are copied from, so that all have one shape. It stays: without an object of the shape, the
 * engine drops code compiled for it.
 */
function blankRecord(fields: readonly { name: string }[]): RawRecord {
  // Made by JSON.parse: an object to which more than about sixteen fields are added one by one is a hash table.
  const record: RawRecord = JSON.parse(JSON.stringify(Object.fromEntries(fields.map(({ name }) => [name, null]))))
  for (const { name } of fields) record[name] = undefined
  return record
}

/** @throws Error for a slot that is used twice or left out: a mistake in the definition */
function bySlot(fields: readonly Field[]): readonly StoredField[] {
  const storedFields = fields.filter(isStored).toSorted((a, b) => a.slot - b.slot)
  const wrong = storedFields.find(({ slot }, position) => slot !== position)
  if (wrong) throw new Error(`The slot ${wrong.slot} of ${wrong.name} is used twice, or one before it is left out.`)
  return storedFields
}

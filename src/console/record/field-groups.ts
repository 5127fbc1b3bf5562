import type { Field, RecordType, RecordTypeName } from '#shared/records/record-type'

interface FieldGroup {
  title: string
  fields: readonly Field[]
}

/** The first group of every type. */
const NAMES = ['name', 'display_name', 'aliases'] as const

const FINDING: readonly (readonly [string, readonly string[]])[] = [
  ['Names', NAMES],
  ['Codes', ['snomed_id', 'icd10', 'icd10_term']],
  ['Who it applies to', ['gender']],
]

const GROUPS: Readonly<Record<RecordTypeName, readonly (readonly [string, readonly string[]])[]>> = {
  medication: [
    ['Names', NAMES],
    ['What it contains', ['strength', 'form_name', 'generic_name', 'generic_id', 'generic_list', 'generic_list_ids']],
    ['Who makes it', ['manufacturer', 'sku']],
    [
      'Class and schedule',
      ['therapy_class', 'therapy_class_id', 'action_class', 'action_class_id', 'schedule_code', 'otc', 'custom_type'],
    ],
  ],
  lab_test: [
    ['Names', NAMES],
    ['The test', ['kind', 'discipline', 'specimen', 'method', 'loinc']],
    ['Result', ['result_type', 'unit', 'unit_id']],
    ['Panel', ['panel_members', 'panel_member_ids']],
    ['Imaging', ['body_part', 'laterality', 'view']],
  ],
  symptom: FINDING,
  diagnosis: FINDING,
}

const LAST_GROUP = 'IDs'

/** The fields of a type in groups, without `is_active`, which the console shows elsewhere. */
export function fieldGroups(type: RecordType): FieldGroup[] {
  const fields = type.fields.filter(({ name }) => name !== 'is_active')
  const groups = GROUPS[type.name].map(([title, names]) => ({
    title,
    fields: fields.filter(({ name }) => names.includes(name)),
  }))
  const grouped = groups.flatMap((group) => group.fields)
  return [...groups, { title: LAST_GROUP, fields: fields.filter((field) => !grouped.includes(field)) }]
}

export const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || (Array.isArray(value) && value.length === 0)

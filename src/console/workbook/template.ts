import type { TextSheet } from '#files/workbook/text-workbook'
import { cellOf } from '#shared/records/csv/write'
import { DRUG_FORMS } from '#shared/records/drug-forms'
import type { Field, RawRecord, RecordType } from '#shared/records/record-type'
import { fieldDescription } from '../record/field-description'
import { fieldLabel, titleCase, valueLabel } from '../wording'
import { EXAMPLES } from './examples'

/** Number of rows in which typed values stay text. */
const BLANK_ROWS = 500

const exampleCell = (field: Field, value: unknown): string =>
  typeof value === 'boolean' ? (value ? 'yes' : 'no') : cellOf(field, value)

const rowOf = ({ fields }: RecordType, record: RawRecord): string[] =>
  fields.map((field) => exampleCell(field, record[field.name]))

const ITEM_SEPARATORS = { '|': 'a vertical bar ( | )', '+': 'a plus sign ( + )' }

function allowed(field: Field): string {
  switch (field.kind) {
    case 'enum':
      return field.values
        .map((value) => (valueLabel(field, value) === value ? value : `${value} (${valueLabel(field, value)})`))
        .join(', ')
    case 'boolean':
      return 'yes, no'
    case 'list':
      return `Several texts, ${ITEM_SEPARATORS[field.separator]} between them; up to ${field.maxLength} characters each`
    case 'string':
      return field.name === 'form_name'
        ? `Up to ${field.maxLength} characters; see the sheet “Dosage forms”`
        : `Up to ${field.maxLength} characters`
    case 'any':
      return 'Any text'
  }
}

function requiredText({ conditions }: RecordType, field: Field): string {
  if (field.required) return 'Always'
  const condition = conditions.find(({ field: name, rule }) => name === field.name && rule === 'required')
  if (condition === undefined) return ''
  return `If ${fieldLabel(condition.when.field)} is ${condition.when.equals}`
}

function* columnRows(type: RecordType): Generator<string[]> {
  yield ['Column', 'Meaning', 'Required', 'Allowed values']
  for (const field of type.fields) {
    const meaning = fieldDescription(type, field) ?? fieldLabel(field.name)
    yield [field.name, meaning, requiredText(type, field), allowed(field)]
  }
}

const formSheet = (): TextSheet => ({
  name: 'Dosage forms',
  rows: [
    ['Accepted dosage form', 'Also understood'],
    ...DRUG_FORMS.map(({ name, synonyms }) => [name, synonyms.join(', ')]),
  ],
})

/** A template to fill in and upload: an empty sheet with all columns, examples, and what each column accepts. */
export function templateSheets(type: RecordType): TextSheet[] {
  const header = type.fields.map(({ name }) => name)
  return [
    { name: titleCase(type.plural), rows: [header], blankRows: BLANK_ROWS },
    { name: 'Examples', rows: [header, ...EXAMPLES[type.name].map((record) => rowOf(type, record))] },
    { name: 'Columns', rows: [...columnRows(type)] },
    ...(type.fields.some(({ name }) => name === 'form_name') ? [formSheet()] : []),
  ]
}

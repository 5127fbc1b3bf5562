import { Autocomplete, NativeSelect, Switch, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { DRUG_FORMS } from '#shared/records/drug-forms'
import type { Field, RecordType } from '#shared/records/record-type'
import { fieldDescription } from '../../record/field-description'
import { itemsOf } from '../../record/short-texts'
import { fieldLabel, linesOf, valueLabel } from '../../wording'
import { DrugFormNote } from '../drug-form-note'
import { inputId } from './form-record'

const LINE_BREAK = /[\r\n]/

const TRISTATE = [
  { value: '', label: 'Not given' },
  { value: 'true', label: 'Yes' },
  { value: 'false', label: 'No' },
]

interface FieldInputProps {
  type: RecordType
  field: Field
  value: unknown
  error: string | undefined
  required: boolean
  /** For the ID of an existing record. */
  readOnly: boolean
  onChange: (value: unknown) => void
}

/** The description is below the input, so that inputs in a row are aligned. */
const ORDER: ('label' | 'input' | 'description' | 'error')[] = ['label', 'input', 'description', 'error']

const inputProps = ({ type, field, error, required }: FieldInputProps) => ({
  id: inputId(field.name),
  label: fieldLabel(field.name),
  description: fieldDescription(type, field),
  error: error === undefined ? undefined : `${fieldLabel(field.name)} ${error}`,
  required,
  inputWrapperOrder: ORDER,
})

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

const orNull = (text: string): string | null => (text === '' ? null : text)

/** The input for a field, based on its definition. */
export function FieldInput(props: FieldInputProps) {
  const { field, value, onChange } = props
  switch (field.kind) {
    case 'string':
      return field.name === 'form_name' ? <DrugFormInput {...props} /> : <TextField {...props} />
    case 'list':
      return <LinesInput {...props} />
    case 'any':
      // Values other than text are left unchanged, because the system they come from may depend on them.
      return typeof value === 'string' || value === null ? <TextField {...props} /> : <KeptValue {...props} />
    case 'enum':
      return (
        <NativeSelect
          {...inputProps(props)}
          value={textOf(value)}
          data={[
            { value: '', label: field.required ? 'Choose…' : 'Not given' },
            ...field.values.map((one) => ({ value: one, label: valueLabel(field, one) })),
          ]}
          onChange={({ currentTarget }) => onChange(orNull(currentTarget.value))}
        />
      )
    case 'boolean':
      return field.default === undefined ? (
        <NativeSelect
          {...inputProps(props)}
          value={typeof value === 'boolean' ? String(value) : ''}
          data={TRISTATE}
          onChange={({ currentTarget }) => onChange(currentTarget.value === '' ? null : currentTarget.value === 'true')}
        />
      ) : (
        <Switch
          id={inputId(field.name)}
          label={fieldLabel(field.name)}
          description={inputProps(props).description}
          checked={value === true}
          onChange={({ currentTarget }) => onChange(currentTarget.checked)}
        />
      )
  }
}

function TextField(props: FieldInputProps) {
  const { value, readOnly, onChange } = props
  const text = textOf(value)
  const common = {
    ...inputProps(props),
    ...(readOnly && { variant: 'filled', description: 'The ID of a record cannot be changed.' }),
    value: text,
    readOnly,
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) => onChange(orNull(currentTarget.value)),
  }
  // A single-line input would lose the line breaks on the first edit.
  return LINE_BREAK.test(text) ? <Textarea {...common} autosize maxRows={6} /> : <TextInput {...common} />
}

const FORM_NAMES = DRUG_FORMS.map(({ name }) => name)
const MAX_SUGGESTIONS = 8

function DrugFormInput(props: FieldInputProps) {
  const { value, onChange } = props
  const common = inputProps(props)
  return (
    <Autocomplete
      {...common}
      description={
        <>
          {common.description}
          <DrugFormNote name={value} />
        </>
      }
      data={FORM_NAMES}
      limit={MAX_SUGGESTIONS}
      value={textOf(value)}
      onChange={(text) => onChange(orNull(text))}
    />
  )
}

/** A list with one item per line, which users can reorder, or paste from a spreadsheet column. */
function LinesInput(props: FieldInputProps) {
  const { value, onChange } = props
  const items = itemsOf(value)
  // The typed text, including empty lines.
  const [text, setText] = useState(items.join('\n'))
  const [isSplit] = useState(() => items.some((item) => LINE_BREAK.test(item)))
  if (isSplit) return <KeptValue {...props} />
  const common = inputProps(props)
  return (
    <Textarea
      {...common}
      description={[common.description, 'One per line.'].join(' ').trim()}
      autosize
      minRows={2}
      maxRows={8}
      value={text}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value)
        onChange(linesOf(currentTarget.value))
      }}
    />
  )
}

/** A value that a form cannot edit safely. It is kept exactly as it is. */
function KeptValue(props: FieldInputProps) {
  const common = inputProps(props)
  return (
    <Textarea
      {...common}
      description={
        `${common.description ?? ''} This value is data from another program. It stays exactly as it is, and can be ` +
        'changed through the API.'
      }
      variant="filled"
      readOnly
      autosize
      maxRows={6}
      value={JSON.stringify(props.value, null, 2)}
      styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
    />
  )
}

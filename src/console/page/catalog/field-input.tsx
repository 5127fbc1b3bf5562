import { NativeSelect, Switch, Textarea, TextInput } from '@mantine/core'
import { fieldLabel, valueLabel } from '../wording'
import { DrugFormInput } from './drug-form-input'
import { type FieldInputProps, inputProps } from './field-input-props'
import { KeptValue } from './kept-value'
import { LinesInput } from './lines-input'
import { inputId } from './record-errors'

const LINE_BREAK = /[\r\n]/

const TRISTATE = [
  { value: '', label: 'Not given' },
  { value: 'true', label: 'Yes' },
  { value: 'false', label: 'No' },
]

/** The input for a field, made from its definition. */
export function FieldInput(props: FieldInputProps) {
  const { field, value, onChange } = props
  switch (field.kind) {
    case 'string':
      return field.name === 'form_name' ? <DrugFormInput {...props} /> : <TextField {...props} />
    case 'list':
      return <LinesInput {...props} />
    case 'any':
      // Anything but a text is left as it is: it comes from another program, and means something to that one.
      return typeof value === 'string' || value === null ? <TextField {...props} /> : <KeptValue {...props} />
    case 'enum':
      return (
        <NativeSelect
          {...inputProps(props)}
          value={typeof value === 'string' ? value : ''}
          data={[
            { value: '', label: field.required ? 'Choose…' : 'Not given' },
            ...field.values.map((one) => ({ value: one, label: valueLabel(field, one) })),
          ]}
          onChange={({ currentTarget }) => onChange(currentTarget.value === '' ? null : currentTarget.value)}
        />
      )
    case 'boolean':
      return field.default === undefined ? (
        <NativeSelect
          {...inputProps(props)}
          value={typeof value === 'boolean' ? String(value) : ''}
          data={TRISTATE}
          onChange={({ currentTarget }) =>
            onChange(currentTarget.value === '' ? null : currentTarget.value === 'true')
          }
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
  const text = typeof value === 'string' ? value : ''
  const given = {
    ...inputProps(props),
    ...(readOnly ? { variant: 'filled', description: 'The id of a record cannot be changed.' } : {}),
    value: text,
    readOnly,
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) =>
      onChange(currentTarget.value === '' ? null : currentTarget.value),
  }
  // A single line would lose the line breaks as soon as somebody types.
  return LINE_BREAK.test(text) ? <Textarea {...given} autosize maxRows={6} /> : <TextInput {...given} />
}

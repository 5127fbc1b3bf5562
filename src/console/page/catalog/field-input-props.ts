import type { Field, RecordType } from '#records/record-type'
import { fieldDescription } from '../record/field-description'
import { fieldLabel } from '../wording'
import { inputId } from './record-errors'

export interface FieldInputProps {
  type: RecordType
  field: Field
  value: unknown
  error: string | undefined
  required: boolean
  /** The id of a record that there is. */
  readOnly: boolean
  onChange: (value: unknown) => void
}

/** The description comes below the input: inputs beside one another stand in a line. */
const ORDER: ('label' | 'input' | 'description' | 'error')[] = ['label', 'input', 'description', 'error']

/** The properties that the inputs of all kinds of fields share. */
export const inputProps = ({ type, field, error, required }: FieldInputProps) => ({
  id: inputId(field.name),
  label: fieldLabel(field.name),
  description: fieldDescription(type, field),
  error: error === undefined ? undefined : `${fieldLabel(field.name)} ${error}`,
  required,
  inputWrapperOrder: ORDER,
})

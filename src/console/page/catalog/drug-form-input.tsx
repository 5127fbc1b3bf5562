import { Autocomplete } from '@mantine/core'
import { DRUG_FORMS } from '#records/drug-forms'
import { type FieldInputProps, inputProps } from './field-input-props'
import { FormLink } from './form-link'

const NAMES = DRUG_FORMS.map(({ name }) => name)
const MAX_SUGGESTIONS = 8

/** A dosage form: one of the accepted ones, which are suggested, or any other text. */
export function DrugFormInput(props: FieldInputProps) {
  const { value, onChange } = props
  const given = inputProps(props)
  return (
    <Autocomplete
      {...given}
      description={
        <>
          {given.description}
          <FormLink name={value} />
        </>
      }
      data={NAMES}
      limit={MAX_SUGGESTIONS}
      value={typeof value === 'string' ? value : ''}
      onChange={(text) => onChange(text === '' ? null : text)}
    />
  )
}

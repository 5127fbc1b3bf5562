import { Textarea } from '@mantine/core'
import { type FieldInputProps, inputProps } from './field-input-props'

/** A value that a form cannot show without harm: it is kept exactly as it is. */
export function KeptValue(props: FieldInputProps) {
  const given = inputProps(props)
  return (
    <Textarea
      {...given}
      description={`${given.description ?? ''} This value is structured data from another program: it is kept exactly as it is, and can be changed through the API.`}
      variant="filled"
      readOnly
      autosize
      maxRows={6}
      value={JSON.stringify(props.value, null, 2)}
      className="kept-value"
    />
  )
}

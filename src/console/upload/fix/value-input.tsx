import { Autocomplete, NativeSelect, TextInput } from '@mantine/core'
import type { Field } from '#shared/records/record-type'
import { allowedValues, suggestedValues } from './field-hints'

const MAX_VALUES = 8

interface ValueInputProps {
  field: Field
  label: string
  value: string
  error: string | undefined
  onChange: (value: string) => void
}

/** A new value for some cells of a field: a choice if the field has few values. */
export function ValueInput({ field, label, value, error, onChange }: ValueInputProps) {
  const common = { 'aria-label': label, value, error, size: 'xs', flex: '1 1 140px', miw: 120 } as const
  const allowed = allowedValues(field)
  if (allowed.length > 0) {
    return (
      <NativeSelect
        {...common}
        data={[{ value: '', label: 'Choose…' }, ...allowed]}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
    )
  }
  const suggested = suggestedValues(field)
  if (suggested.length > 0)
    return <Autocomplete {...common} data={suggested} limit={MAX_VALUES} onChange={onChange} />
  return <TextInput {...common} onChange={({ currentTarget }) => onChange(currentTarget.value)} />
}

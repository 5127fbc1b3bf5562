import { NativeSelect } from '@mantine/core'

interface SheetChoiceProps {
  names: readonly string[]
  chosen: string
  disabled: boolean
  onChange: (name: string) => void
}

/** Which sheet of a workbook is meant. */
export const SheetChoice = ({ names, chosen, disabled, onChange }: SheetChoiceProps) => (
  <NativeSelect
    label="Sheet of the workbook"
    maw={320}
    disabled={disabled}
    data={[...names]}
    value={chosen}
    onChange={(event) => onChange(event.currentTarget.value)}
  />
)

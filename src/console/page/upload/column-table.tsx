import { Button, Collapse, NativeSelect, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Columns3 } from 'lucide-react'
import type { RecordType } from '#records/record-type'
import { type Column, ItemTable } from '../shell/item-table'
import { fieldLabel } from '../wording'
import type { FileColumn } from './columns'

interface ColumnTableProps {
  type: RecordType
  columns: readonly FileColumn[]
  disabled: boolean
  onMap: (header: string, field: string | null) => void
}

const LEFT_OUT = ''

/** Every column of a file with examples, and the field that it becomes, which can be changed. */
export function ColumnTable({ type, columns, disabled, onMap }: ColumnTableProps) {
  const [opened, { toggle }] = useDisclosure(false)
  const choices = [
    { value: LEFT_OUT, label: 'Leave out' },
    ...type.fields.map(({ name }) => ({ value: name, label: fieldLabel(name) })),
  ]
  const shown: readonly Column<FileColumn>[] = [
    { label: 'Column', cell: ({ header }) => header, isRowHeader: true },
    { label: 'Examples', cell: ({ examples }) => examples.join(' · ') || '—', className: 'value-cell' },
    {
      label: 'Becomes',
      cell: ({ header, field, by }) => (
        <>
          <NativeSelect
            aria-label={`Field for the column ${header}`}
            data={choices}
            value={field?.name ?? LEFT_OUT}
            disabled={disabled}
            onChange={({ currentTarget: { value } }) => onMap(header, value === LEFT_OUT ? null : value)}
          />
          {by === 'guessed' && (
            <Text size="xs" c="dimmed">
              Guessed from the header
            </Text>
          )}
        </>
      ),
    },
  ]
  return (
    <Stack gap="xs" align="stretch">
      <Button
        variant="default"
        size="xs"
        leftSection={<Columns3 size={14} aria-hidden />}
        aria-expanded={opened}
        onClick={toggle}
        style={{ alignSelf: 'flex-start' }}
      >
        {opened ? 'Hide the columns' : 'Change the columns'}
      </Button>
      <Collapse expanded={opened}>
        {opened && (
          <ItemTable
            name="columns of the file"
            items={columns.filter(({ header }) => header !== '')}
            idOf={({ position }) => String(position)}
            columns={shown}
            minWidth={420}
            maxHeight={420}
          />
        )}
      </Collapse>
    </Stack>
  )
}

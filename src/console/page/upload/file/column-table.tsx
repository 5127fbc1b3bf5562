import { Button, Group, NativeSelect, Paper, Text, Title } from '@mantine/core'
import type { FileColumn } from '#import/columns/columns'
import type { RecordType } from '#records/record-type'
import { type Column, ItemTable } from '../../shell/item-table'
import { fieldLabel } from '../../wording'

interface ColumnTableProps {
  type: RecordType
  columns: readonly FileColumn[]
  disabled: boolean
  /** Sends a column to another field; null leaves it out. */
  onMap: (header: string, field: string | null) => void
  onClose: () => void
}

/** Of the element, for the button that opens it. */
export const COLUMNS_ID = 'columns-of-the-file'

const LEFT_OUT = ''

/** Every column of a file with examples, and the field that it becomes, which can be changed. */
export function ColumnTable({ type, columns, disabled, onMap, onClose }: ColumnTableProps) {
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
    <Paper withBorder p="md" component="section" aria-labelledby="file-columns" id={COLUMNS_ID} ref={showIt}>
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h4" id="file-columns">
          Columns of the file
        </Title>
        <Button variant="default" size="xs" onClick={onClose}>
          Close the columns
        </Button>
      </Group>
      <ItemTable
        name="columns of the file"
        items={columns.filter(({ header }) => header !== '')}
        idOf={({ position }) => String(position)}
        columns={shown}
        minWidth={420}
        maxHeight={420}
        stickyHeader
      />
    </Paper>
  )
}

/** It may open above what the window shows. */
const showIt = (element: HTMLElement | null) => element?.scrollIntoView({ block: 'nearest' })

import { Button, Group, Stack, Text } from '@mantine/core'
import type { ChosenFile } from '#files/chosen-file'
import type { FirstRow } from '#files/text/csv-file'
import { type Column, ItemTable } from '../../widgets/item-table'
import { numberText } from '../../wording'

interface HeaderRowsProps {
  csv: ChosenFile['csv']
  disabled: boolean
  /** @param headerAt place of the row among the first ones, from 0; null if no row names the columns */
  onChoose: (headerAt: number | null) => void
}

const ROW_CELLS = 8
const CHARACTERS = 24

const shortCell = (cell: string): string =>
  cell.length > CHARACTERS ? `${cell.slice(0, CHARACTERS)}…` : cell

/** A row as it stands in the file, as far as there is room. */
const firstRowText = ({ cells }: FirstRow): string =>
  cells
    .slice(0, ROW_CELLS)
    .map((cell) => shortCell(cell.trim()))
    .join(' · ')

/** The first rows of a file as they are: the person says which of them names the columns, or that none does. */
export function HeaderRows({ csv, disabled, onChoose }: HeaderRowsProps) {
  const columns: readonly Column<FirstRow & { at: number }>[] = [
    { label: 'Row', cell: ({ row }) => numberText(row), isRowHeader: true, className: 'row-cell' },
    { label: 'Its cells', cell: firstRowText, className: 'value-cell' },
    {
      label: 'What it is',
      cell: ({ row, at }) =>
        csv.hasHeader && row === csv.headerRow ? (
          'Names the columns'
        ) : (
          <Button
            size="compact-xs"
            variant="default"
            disabled={disabled}
            aria-label={`Row ${row} names the columns`}
            onClick={() => onChoose(at)}
          >
            Names the columns
          </Button>
        ),
    },
  ]
  return (
    <Stack gap="xs">
      <Text size="sm" fw={600}>
        Which row names the columns? These are the first rows of the file.
      </Text>
      <ItemTable
        name="first rows of the file"
        items={csv.firstRows.map((row, at) => ({ ...row, at }))}
        idOf={({ at }) => String(at)}
        columns={columns}
        minWidth={420}
        maxHeight={320}
        verticalSpacing={4}
      />
      <Group gap="xs">
        <Button
          size="xs"
          variant="default"
          disabled={disabled || !csv.hasHeader}
          onClick={() => onChoose(null)}
        >
          No row names them: the first row is a record
        </Button>
        {!csv.hasHeader && <Text size="sm">The file is read without names of columns.</Text>}
      </Group>
    </Stack>
  )
}

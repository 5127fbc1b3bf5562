import { Button, Stack, Text } from '@mantine/core'
import { useMemo, useState } from 'react'
import type { RecordType } from '#records/record-type'
import { type Column, ItemTable } from '../shell/item-table'
import { numberText, valueText } from '../wording'
import type { ChosenFile } from './chosen-file'
import { type CsvFile, rowsOf } from './read-file'
import type { ErrorGroup, RowError } from './row-errors'

/** Rows that are shown at first, and that each further click adds. */
const STEP = 25

/** The names in some rows, by the place of the row below the header row: people recognise a name, not a row number. */
function namesIn(csv: CsvFile, indexes: ReadonlySet<number | null>) {
  const names = new Map<number, string>()
  const position = csv.columns.find(({ field }) => field.name === 'name')?.position
  if (position === undefined) return names
  let index = 0
  for (const cells of rowsOf(csv)) {
    if (indexes.has(index)) names.set(index, (cells[position] ?? '').trim())
    index++
  }
  return names
}

/** The errors of one group. */
export function ErrorTable({ group, type, file }: { group: ErrorGroup; type: RecordType; file: ChosenFile }) {
  const [limit, setLimit] = useState(STEP)
  const shown = group.errors.slice(0, limit)
  const names = useMemo(
    () => namesIn(file.csv, new Set(group.errors.slice(0, limit).map(({ index }) => index))),
    [file, group, limit],
  )
  const columns: Column<RowError>[] = [
    { label: 'Row', cell: ({ row }) => row ?? 'File', isRowHeader: true, className: 'row-cell' },
    {
      label: `Name of the ${type.title}`,
      cell: ({ index }) => (index !== null && names.get(index)) || '—',
    },
    { label: 'Value', cell: ({ value }) => valueText(value), className: 'value-cell' },
  ]
  if (shown.some(({ message }) => message !== group.reason)) {
    columns.push({ label: 'What is wrong', cell: ({ message }) => message })
  }
  return (
    <Stack gap="xs">
      <ItemTable
        name={`rows with errors: ${group.reason}`}
        items={shown}
        idOf={({ row, message }) => `${row} ${message}`}
        columns={columns}
        minWidth={360}
      />
      {group.errors.length > limit && (
        <Text size="sm" c="dimmed">
          {numberText(limit)} of {numberText(group.errors.length)} are shown.{' '}
          <Button size="compact-sm" variant="subtle" onClick={() => setLimit(limit + STEP)}>
            Show {numberText(Math.min(STEP, group.errors.length - limit))} more
          </Button>
        </Text>
      )}
    </Stack>
  )
}

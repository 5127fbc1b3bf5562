import { Button, Stack, Table, Text } from '@mantine/core'
import { useMemo, useState } from 'react'
import { splitRows } from '../../../catalog/csv/rows'
import type { RecordType } from '../../../catalog/record-type'
import { numberText, valueText } from '../wording'
import type { ChosenFile } from './chosen-file'
import type { FaultGroup } from './faults'
import type { CsvFile } from './read-file'

/** Rows that are shown at first, and that each further click adds. */
const STEP = 25

/** The name in each of some rows, by their place below the header row: a number alone is hard to recognise. */
function namesIn({ text, separator, headerStart, columns }: CsvFile, indexes: ReadonlySet<number | null>) {
  const names = new Map<number, string>()
  const position = columns.find(({ field }) => field.name === 'name')?.position
  if (position === undefined) return names
  let index = 0
  for (const cells of splitRows(text, { separator, headerStart })) {
    if (indexes.has(index)) names.set(index, (cells[position] ?? '').trim())
    index++
  }
  return names
}

/** The faults of one group. */
export function FaultTable({ group, type, file }: { group: FaultGroup; type: RecordType; file: ChosenFile }) {
  const [limit, setLimit] = useState(STEP)
  const shown = group.faults.slice(0, limit)
  const names = useMemo(
    () => namesIn(file.csv, new Set(group.faults.slice(0, limit).map(({ index }) => index))),
    [file, group, limit],
  )
  const differing = shown.some(({ message }) => message !== group.reason)
  return (
    <Stack gap="xs">
      <Table.ScrollContainer minWidth={360}>
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Row</Table.Th>
              <Table.Th>Name of the {type.title}</Table.Th>
              <Table.Th>Value</Table.Th>
              {differing && <Table.Th>What is wrong</Table.Th>}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {shown.map(({ index, row, message, value }) => (
              <Table.Tr key={`${row} ${message}`}>
                <Table.Td className="number">{row === null ? 'File' : row}</Table.Td>
                <Table.Td>{(index !== null && names.get(index)) || '—'}</Table.Td>
                <Table.Td className="value">{valueText(value)}</Table.Td>
                {differing && <Table.Td>{message}</Table.Td>}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {group.faults.length > limit && (
        <Text size="sm" c="dimmed">
          {numberText(limit)} of {numberText(group.faults.length)} are shown.{' '}
          <Button size="compact-sm" variant="subtle" onClick={() => setLimit(limit + STEP)}>
            Show {numberText(Math.min(STEP, group.faults.length - limit))} more
          </Button>
        </Text>
      )}
    </Stack>
  )
}

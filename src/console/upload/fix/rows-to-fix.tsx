import { Group, Stack, Text, TextInput, Title } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { Search } from 'lucide-react'
import { useMemo, useState } from 'react'
import type { ErrorGroup } from '#files/check/row-errors'
import type { TableColumn } from '#files/fix/table'
import type { RecordType } from '#shared/records/record-type'
import { countText } from '../../wording'
import type { Stage } from '../process/stage'
import type { UploadProcess } from '../process/upload-process'
import { useColumns, useFailingRows } from './grid-rows'
import { TYPING_MS } from './pattern-fix'
import { GridPlace, RowGrid } from './row-grid'

interface RowsToFixProps {
  type: RecordType
  upload: UploadProcess
  stage: Stage & { is: 'faulty' }
  /** The key of the group whose rows are shown; undefined for all rows. */
  groupKey: string | undefined
  /** A new value makes the grid find its rows again. */
  gridVersion: number
}

/** The columns that are read: first the column of the shown group, then columns with errors. */
function sortColumns(columns: readonly TableColumn[], groups: readonly ErrorGroup[], groupKey?: string): TableColumn[] {
  const readColumns = columns.filter(({ field }) => field !== undefined)
  const groupField = groups.find(({ key }) => key === groupKey)?.field
  const rank = ({ field }: TableColumn) =>
    field === groupField ? 0 : groups.some((group) => group.field === field) ? 1 : 2
  return readColumns.toSorted((a, b) => rank(a) - rank(b))
}

const NO_ROWS = new Uint32Array()
const NO_COLUMNS: readonly TableColumn[] = []

/** The rows with errors, in an editable grid. */
export function RowsToFix({ type, upload, stage, groupKey, gridVersion }: RowsToFixProps) {
  const { errors, version } = stage
  const [filter, setFilter] = useState('')
  const [text] = useDebouncedValue(filter, TYPING_MS)
  const failing = useFailingRows(upload, { group: groupKey, text }, gridVersion)
  const known = useColumns(upload, gridVersion)
  const [indexes, columns] = [failing ?? NO_ROWS, known ?? NO_COLUMNS]
  const isLoading = failing === undefined || known === undefined
  // A column does not move while a row of it is being fixed.
  // biome-ignore lint/correctness/useExhaustiveDependencies: uses the groups at the time when the rows were found
  const sortedColumns = useMemo(() => sortColumns(columns, errors.groups, groupKey), [columns, groupKey, gridVersion])
  if (indexes.length === 0 && errors.rowCount === 0) return null
  return (
    <Stack gap="xs">
      <Group gap="xs">
        <Title order={3} size="h5">
          {countText(isLoading ? errors.rowCount : indexes.length, 'row', 'rows')} to fix
        </Title>
        <TextInput
          aria-label="Filter"
          placeholder="Row, field, reason or value"
          size="xs"
          leftSection={<Search size={14} />}
          value={filter}
          onChange={(event) => setFilter(event.currentTarget.value)}
          flex="1 1 180px"
        />
      </Group>
      {isLoading && <GridPlace rows={errors.rowCount} />}
      {indexes.length > 0 && sortedColumns.length > 0 && (
        <RowGrid
          key={`${groupKey} ${text} ${gridVersion}`}
          type={type}
          upload={upload}
          indexes={indexes}
          columns={sortedColumns}
          version={version}
        />
      )}
      <Text size="xs" c="dimmed" visibleFrom="sm">
        Type into a cell, or paste cells from a spreadsheet. Enter goes down, Tab to the right, and Escape undoes what
        you are typing.
      </Text>
    </Stack>
  )
}

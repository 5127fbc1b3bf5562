import { Alert, NativeSelect, Stack, Text, Title } from '@mantine/core'
import { CircleHelp } from 'lucide-react'
import type { FileColumn, Target } from '#files/columns/columns'
import type { RecordType } from '#shared/records/record-type'
import { fieldWord } from '../../wording'
import { columnName } from '../questions/column-table'

interface MissingColumnProps {
  type: RecordType
  /** Fields without a column that every record must have. */
  fields: readonly string[]
  columns: readonly FileColumn[]
  onMap: (position: number, target: Target) => void
  /** What to do if the file has no such column. */
  advice: string
}

const columnText = (column: FileColumn): string =>
  column.examples.length === 0
    ? columnName(column)
    : `${columnName(column)} (${column.examples.slice(0, 2).join(', ')})`

/** Asks for the columns that every record needs and that the headers do not tell. */
export function MissingColumn({ type, fields, columns, onMap, advice }: MissingColumnProps) {
  const filled = columns.filter(({ hasValues }) => hasValues)
  const title =
    fields.length === 1
      ? `Which column is the ${fieldWord(fields[0]!)}?`
      : `Which columns are the ${fields.map(fieldWord).join(' and the ')}?`
  return (
    <Alert
      color="yellow"
      icon={<CircleHelp />}
      role="alert"
      title={
        <Title order={2} size="h4" id="errors">
          {title}
        </Title>
      }
    >
      <Stack gap="sm">
        <Text size="sm">
          Every row of a file with {type.plural} needs {fields.length === 1 ? 'it' : 'them'}. Nothing was written.{' '}
          {advice}
        </Text>
        {fields.map((field) => (
          <NativeSelect
            key={field}
            label={`Column for the ${fieldWord(field)}`}
            maw={480}
            value=""
            data={[
              { value: '', label: 'Choose a column', disabled: true },
              ...filled.map((column) => ({ value: `${column.position}`, label: columnText(column) })),
            ]}
            onChange={({ currentTarget: { value } }) => value !== '' && onMap(Number(value), { field })}
          />
        ))}
      </Stack>
    </Alert>
  )
}

import { Accordion, Alert, Badge, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { CircleX } from 'lucide-react'
import { useDeferredValue, useMemo, useState } from 'react'
import type { FieldError } from '#errors'
import type { RecordType } from '#records/record-type'
import { countText, fieldLabel, numberText, valueText } from '../wording'
import type { ChosenFile } from './chosen-file'
import { ErrorTable } from './error-table'
import { FixErrors } from './fix-errors'
import { type ErrorGroup, groupErrors, type RowError, rowErrors } from './row-errors'

interface ErrorReportProps {
  type: RecordType
  file: ChosenFile
  /** As the service names them. */
  fieldErrors: readonly FieldError[]
}

/** Everything that is wrong with a file, and the file to fix it in. */
export function ErrorReport({ type, file, fieldErrors }: ErrorReportProps) {
  const [filter, setFilter] = useState('')
  const errors = useMemo(() => rowErrors(fieldErrors, file.csv), [fieldErrors, file])
  const shown = useFiltered(errors, filter)
  const groups = useMemo(() => groupErrors(shown), [shown])
  const rows = useMemo(() => new Set(errors.map(({ row }) => row)).size, [errors])
  const ofFile = errors.every(({ row }) => row === null)
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="errors">
      <Stack>
        <Alert
          color="red"
          variant="light"
          icon={<CircleX aria-hidden />}
          role="alert"
          title={
            <Title order={2} size="h4" id="errors">
              {ofFile
                ? 'The file cannot be read'
                : `${countText(errors.length, 'error', 'errors')} in ${countText(rows, 'row', 'rows')}`}
            </Title>
          }
        >
          <Text size="sm">
            Nothing was written.{' '}
            {ofFile
              ? 'Fix the file and choose it again.'
              : 'Fix the rows below in your spreadsheet and choose the file again. Rows are numbered as the spreadsheet shows them.'}
          </Text>
        </Alert>
        {!ofFile && (
          <FixErrors file={file} errors={errors} shown={shown} filter={filter} onFilter={setFilter} />
        )}
        <Text size="sm" c="dimmed" role="status">
          {shown.length === errors.length
            ? ''
            : `${numberText(shown.length)} of ${numberText(errors.length)} errors match the filter.`}
        </Text>
        <Groups groups={groups} type={type} file={file} />
      </Stack>
    </Paper>
  )
}

/** Errors in whose row, field, reason or value the text occurs. */
function useFiltered(errors: readonly RowError[], filter: string): readonly RowError[] {
  // Filtering thousands of errors must not hold up the typing.
  const wanted = useDeferredValue(filter.trim().toLowerCase())
  return useMemo(
    () =>
      wanted === ''
        ? errors
        : errors.filter(({ row, field, message, value }) =>
            `${row ?? ''}\n${field ?? ''}\n${message}\n${valueText(value)}`.toLowerCase().includes(wanted),
          ),
    [errors, wanted],
  )
}

/** What the errors of a group are about. */
function nameOf({ field, errors }: ErrorGroup): string {
  if (field !== null) return fieldLabel(field)
  return errors[0]!.row === null ? 'The file' : 'The whole row'
}

function Groups({
  groups,
  type,
  file,
}: {
  groups: readonly ErrorGroup[]
  type: RecordType
  file: ChosenFile
}) {
  return (
    <Accordion
      variant="separated"
      multiple
      defaultValue={groups.length > 0 ? [groups[0]!.key] : []}
      order={3}
      // Each table looks up its names in the file.
      keepMounted={false}
    >
      {groups.map((group) => (
        <Accordion.Item key={group.key} value={group.key}>
          <Accordion.Control>
            <Group justify="space-between" wrap="nowrap" pr="sm">
              <Text>
                <Text span fw={600}>
                  {nameOf(group)}
                </Text>{' '}
                {group.reason}
              </Text>
              <Badge color="red" variant="light">
                {numberText(group.errors.length)}
              </Badge>
            </Group>
          </Accordion.Control>
          <Accordion.Panel>
            <ErrorTable group={group} type={type} file={file} />
          </Accordion.Panel>
        </Accordion.Item>
      ))}
    </Accordion>
  )
}

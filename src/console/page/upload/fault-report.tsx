import { Accordion, Alert, Badge, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { CircleX } from 'lucide-react'
import { useDeferredValue, useMemo, useState } from 'react'
import type { FieldError } from '#errors'
import type { RecordType } from '#records/record-type'
import { countText, fieldLabel, numberText, valueText } from '../wording'
import type { ChosenFile } from './chosen-file'
import { FaultTable } from './fault-table'
import { type Fault, type FaultGroup, faultsOf, groupFaults } from './faults'
import { Mending } from './mending'

interface FaultReportProps {
  type: RecordType
  file: ChosenFile
  errors: readonly FieldError[]
}

/** Everything that is wrong with a file, and the file to mend it in. */
export function FaultReport({ type, file, errors }: FaultReportProps) {
  const [filter, setFilter] = useState('')
  const faults = useMemo(() => faultsOf(errors, file.csv), [errors, file])
  const shown = useFiltered(faults, filter)
  const groups = useMemo(() => groupFaults(shown), [shown])
  const rows = useMemo(() => new Set(faults.map(({ row }) => row)).size, [faults])
  const ofFile = faults.every(({ row }) => row === null)
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="faults">
      <Stack>
        <Alert
          color="red"
          variant="light"
          icon={<CircleX aria-hidden />}
          role="alert"
          title={
            <Title order={2} size="h4" id="faults">
              {ofFile
                ? 'The file cannot be read'
                : `${countText(faults.length, 'error', 'errors')} in ${countText(rows, 'row', 'rows')}`}
            </Title>
          }
        >
          <Text size="sm">
            Nothing was written.{' '}
            {ofFile
              ? 'Mend the file and choose it again.'
              : 'Mend the rows below in your spreadsheet and choose the file again. Rows are numbered as the spreadsheet shows them.'}
          </Text>
        </Alert>
        {!ofFile && (
          <Mending file={file} faults={faults} shown={shown} filter={filter} onFilter={setFilter} />
        )}
        <Text size="sm" c="dimmed" role="status">
          {shown.length === faults.length
            ? ''
            : `${numberText(shown.length)} of ${numberText(faults.length)} errors match the filter.`}
        </Text>
        <Groups groups={groups} type={type} file={file} />
      </Stack>
    </Paper>
  )
}

/** Faults in whose row, field, reason or value the text occurs. */
function useFiltered(faults: readonly Fault[], filter: string): readonly Fault[] {
  // Thousands of faults are gone through while somebody types.
  const wanted = useDeferredValue(filter.trim().toLowerCase())
  return useMemo(
    () =>
      wanted === ''
        ? faults
        : faults.filter(({ row, field, message, value }) =>
            `${row ?? ''}\n${field ?? ''}\n${message}\n${valueText(value)}`.toLowerCase().includes(wanted),
          ),
    [faults, wanted],
  )
}

/** What the faults of a group are about. */
function nameOf({ field, faults }: FaultGroup): string {
  if (field !== null) return fieldLabel(field)
  return faults[0]!.row === null ? 'The file' : 'The whole row'
}

function Groups({
  groups,
  type,
  file,
}: {
  groups: readonly FaultGroup[]
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
                {numberText(group.faults.length)}
              </Badge>
            </Group>
          </Accordion.Control>
          <Accordion.Panel>
            <FaultTable group={group} type={type} file={file} />
          </Accordion.Panel>
        </Accordion.Item>
      ))}
    </Accordion>
  )
}

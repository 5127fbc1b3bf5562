import {
  Accordion,
  Alert,
  Badge,
  Button,
  CopyButton,
  Group,
  Paper,
  Stack,
  Text,
  TextInput,
  Title,
} from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { CircleX, Copy, Download, Search } from 'lucide-react'
import { useDeferredValue, useMemo, useState } from 'react'
import type { RecordType } from '../../../catalog/record-type'
import type { FieldError } from '../../../errors'
import { saveFile } from '../save-file'
import { Problem } from '../shell/problem'
import { countText, fieldLabel, numberText, valueText } from '../wording'
import type { ChosenFile } from './chosen-file'
import { FaultTable } from './fault-table'
import { type Fault, type FaultGroup, faultsOf, groupFaults } from './faults'
import { fileWithFaults } from './faults-file'

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
              ? `Mend the file and choose it again.`
              : `Mend the rows below in your spreadsheet and choose the file again. Rows are numbered as the spreadsheet shows them.`}
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

/** Tab-separated, as spreadsheet programs take it from the clipboard. */
const clipboardText = (faults: readonly Fault[]): string =>
  [
    ['Row', 'Field', 'Reason', 'Value'],
    ...faults.map(({ row, field, message, value }) => [row ?? '', field ?? '', message, valueText(value)]),
  ]
    .map((cells) => cells.map((cell) => String(cell).replace(/[\t\r\n]+/g, ' ')).join('\t'))
    .join('\n')

interface MendingProps {
  file: ChosenFile
  faults: readonly Fault[]
  shown: readonly Fault[]
  filter: string
  onFilter: (filter: string) => void
}

/** What helps to mend a file: a filter, the list for the clipboard, the file with the faults in it. */
function Mending({ file, faults, shown, filter, onFilter }: MendingProps) {
  const download = useMutation({
    mutationFn: () => fileWithFaults(file, faults),
    onSuccess: ({ name, content }) => saveFile(content, name),
  })
  return (
    <Stack gap="sm">
      <Group align="flex-end">
        <TextInput
          label="Filter"
          placeholder="Row, field, reason or value"
          leftSection={<Search size={16} aria-hidden />}
          value={filter}
          onChange={(event) => onFilter(event.currentTarget.value)}
          flex="1 1 220px"
        />
        <CopyButton value={clipboardText(shown)}>
          {({ copied, copy }) => (
            <Button variant="default" leftSection={<Copy size={16} aria-hidden />} onClick={copy}>
              {copied ? 'Copied' : 'Copy the list'}
            </Button>
          )}
        </CopyButton>
        <Button
          leftSection={<Download size={16} aria-hidden />}
          loading={download.isPending}
          onClick={() => download.mutate()}
        >
          Download the file with its errors
        </Button>
      </Group>
      <Text size="sm" c="dimmed">
        The download is your file with one more column, “_errors”. Mend it, leave that column or not, and
        upload it here.
      </Text>
      {download.error !== null && <Problem title="The file could not be made" error={download.error} />}
    </Stack>
  )
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
    >
      {groups.map((group) => (
        <Accordion.Item key={group.key} value={group.key}>
          <Accordion.Control>
            <Group justify="space-between" wrap="nowrap" pr="sm">
              <Text>
                <Text span fw={600}>
                  {group.field === null ? 'Whole row' : fieldLabel(group.field)}
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

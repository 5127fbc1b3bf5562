import { Button, Group, Stack, Table, Tabs, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { CHANGES, type Change } from '../../../catalog/change'
import type { RecordType } from '../../../catalog/record-type'
import { countOf, OUTCOME_LABELS } from '../counts'
import { saveFile } from '../save-file'
import { Problem } from '../shell/problem'
import { ScrollTable } from '../shell/scroll-table'
import { fieldLabel, numberText, valueText } from '../wording'
import type { Check } from './upload-process'

interface ChangeListsProps {
  type: RecordType
  check: Check
  /** The full list, as CSV. */
  onList: (change: Change) => Promise<Blob>
}

/** The first records of each kind of change; the full lists are files. */
export function ChangeLists({ type, check, onList }: ChangeListsProps) {
  const lists = CHANGES.filter((change) => countOf(check, change) > 0)
  return (
    <Tabs defaultValue={lists[0]!} keepMounted={false}>
      <Tabs.List aria-label="Changes">
        {lists.map((change) => (
          <Tabs.Tab key={change} value={change}>
            {OUTCOME_LABELS[change]} ({numberText(countOf(check, change))})
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {lists.map((change) => (
        <Tabs.Panel key={change} value={change} pt="sm">
          <ChangeList type={type} check={check} change={change} onList={onList} />
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}

function ChangeList({ type, check, change, onList }: ChangeListsProps & { change: Change }) {
  const shown = check.diff[change]
  const count = countOf(check, change)
  const download = useMutation({
    mutationFn: () => onList(change),
    onSuccess: (file) => saveFile(file, `${type.name}-${change}.csv`),
  })
  return (
    <Stack gap="xs">
      <Group justify="space-between">
        <Text size="sm" c="dimmed">
          {count > shown.length ? `The first ${shown.length} of ${numberText(count)}` : 'All of them'}
        </Text>
        <Button
          size="xs"
          variant="default"
          leftSection={<Download size={14} aria-hidden />}
          loading={download.isPending}
          onClick={() => download.mutate()}
        >
          Download the full list
        </Button>
      </Group>
      {download.error !== null && <Problem title="The list could not be downloaded" error={download.error} />}
      <ScrollTable label={`${OUTCOME_LABELS[change]} records`} minWidth={260} maxHeight={420}>
        <Table striped stickyHeader>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Id</Table.Th>
              <Table.Th>{change === 'updated' ? 'Name, and what changes' : 'Name'}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {shown.map((record) => (
              <Table.Tr key={record.id}>
                <Table.Td className="id">{record.id}</Table.Td>
                <Table.Td className="value">
                  {record.name}
                  {'fields' in record && <Differences fields={record.fields} />}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </ScrollTable>
    </Stack>
  )
}

/** Old and new value of each field that changes. */
const Differences = ({ fields }: { fields: Record<string, [unknown, unknown]> }) => (
  <Stack gap={2}>
    {Object.entries(fields).map(([name, [before, after]]) => (
      <Text size="sm" key={name} className="difference">
        <Text span c="dimmed">
          {fieldLabel(name)}:{' '}
        </Text>
        <del>{valueText(before)}</del>
        <span aria-hidden> → </span>
        <ins>{valueText(after)}</ins>
      </Text>
    ))}
  </Stack>
)

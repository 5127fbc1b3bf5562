import { Badge, Group, Paper, Table, Text } from '@mantine/core'
import { MODE_LABELS } from '../counts'
import { numberText, sizeText, timeText } from '../wording'
import { authorText } from './author'
import type { BatchListProps } from './batch-list'
import { COUNTS } from './counts'

export const BatchTable = ({ batches, latestId }: BatchListProps) => (
  <Paper withBorder>
    <Table.ScrollContainer
      minWidth={940}
      type="native"
      tabIndex={0}
      role="region"
      aria-label="Table of uploads"
    >
      <Table verticalSpacing="xs" horizontalSpacing={8} aria-label="Uploads">
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">Uploaded</Table.Th>
            <Table.Th scope="col">File</Table.Th>
            {COUNTS.map(({ label }) => (
              <Table.Th key={label} scope="col" fz="xs" className="number-cell">
                {label}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {batches.map((batch) => (
            <Table.Tr key={batch.batch_id} className={batch.batch_id === latestId ? 'latest' : undefined}>
              <Table.Td className="author-cell">
                <Group gap="xs" wrap="nowrap">
                  <Text span size="sm" fw={550} className="time-cell">
                    {timeText(batch.created_at)}
                  </Text>
                  {batch.batch_id === latestId && <LatestBadge />}
                </Group>
                <Text size="xs" c="dimmed">
                  {authorText(batch.created_by)}
                </Text>
              </Table.Td>
              <Table.Td className="file-cell">
                {batch.file_name ?? 'Without a file name'}
                <Text size="xs" c="dimmed">
                  {MODE_LABELS[batch.mode]}, {sizeText(batch.size_bytes)}
                </Text>
              </Table.Td>
              {COUNTS.map(({ label, of }) => (
                <Table.Td key={label} className="number-cell">
                  {numberText(of(batch))}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  </Paper>
)

export const LatestBadge = () => (
  <Badge size="sm" tt="none" className="state-badge">
    Latest
  </Badge>
)

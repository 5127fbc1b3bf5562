import { Group, Paper, SimpleGrid, Stack, Text } from '@mantine/core'
import { MODE_LABELS } from '../counts'
import { numberText, sizeText, timeText } from '../wording'
import { authorText } from './author'
import type { BatchListProps } from './batch-list'
import { LatestBadge } from './batch-table'
import { COUNTS } from './counts'

export const BatchCards = ({ batches, latestId }: BatchListProps) => (
  <Stack component="ul" gap="xs" className="plain-list" aria-label="Uploads">
    {batches.map((batch) => (
      <Paper key={batch.batch_id} component="li" withBorder p="sm">
        <Group justify="space-between" wrap="nowrap">
          <Text fw={600}>{timeText(batch.created_at)}</Text>
          {batch.batch_id === latestId && <LatestBadge />}
        </Group>
        <Text size="sm" className="breakable">
          {batch.file_name ?? 'Without a file name'}, {sizeText(batch.size_bytes)}
        </Text>
        <Text size="sm">{MODE_LABELS[batch.mode]}</Text>
        <Text size="xs" c="dimmed" className="breakable">
          {authorText(batch.created_by)}
        </Text>
        <SimpleGrid component="dl" cols={3} spacing="xs" verticalSpacing="xs" mt="sm" mb={0}>
          {COUNTS.map(({ label, of }) => (
            <div key={label}>
              <Text component="dt" size="xs" c="dimmed">
                {label}
              </Text>
              <Text component="dd" size="sm" m={0} fw={550}>
                {numberText(of(batch))}
              </Text>
            </div>
          ))}
        </SimpleGrid>
      </Paper>
    ))}
  </Stack>
)

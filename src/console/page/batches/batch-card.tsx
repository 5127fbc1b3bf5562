import { Group, SimpleGrid, Text } from '@mantine/core'
import { MODE_LABELS } from '../counts'
import type { Batch } from '../service/answers'
import { numberText, sizeText, timeText } from '../wording'
import { authorText } from './author'
import { COUNTS } from './counts'
import { LatestBadge } from './latest-badge'

/** What a card says of an upload. */
export const BatchCard = ({ batch, isLatest }: { batch: Batch; isLatest: boolean }) => (
  <>
    <Group justify="space-between" wrap="nowrap">
      <Text fw={600}>{timeText(batch.created_at)}</Text>
      {isLatest && <LatestBadge />}
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
  </>
)

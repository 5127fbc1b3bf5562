import { Group, Text } from '@mantine/core'
import { MODE_LABELS } from '../counts'
import type { Batch } from '../service/answers'
import type { Column } from '../shell/item-table'
import { numberText, sizeText, timeText } from '../wording'
import { authorText } from './author'
import { COUNTS } from './counts'
import { LatestBadge } from './latest-badge'

/** What a table says of each upload. */
export const batchColumns = (isLatest: (batch: Batch) => boolean): readonly Column<Batch>[] => [
  {
    label: 'Uploaded',
    cell: (batch) => (
      <>
        <Group gap="xs" wrap="nowrap">
          <Text span size="sm" fw={550} className="time-cell">
            {timeText(batch.created_at)}
          </Text>
          {isLatest(batch) && <LatestBadge />}
        </Group>
        <Text size="xs" c="dimmed" fw={400}>
          {authorText(batch.created_by)}
        </Text>
      </>
    ),
    isRowHeader: true,
    className: 'author-cell',
  },
  {
    label: 'File',
    cell: ({ file_name, mode, size_bytes }) => (
      <>
        {file_name ?? 'Without a file name'}
        <Text size="xs" c="dimmed">
          {MODE_LABELS[mode]}, {sizeText(size_bytes)}
        </Text>
      </>
    ),
    className: 'file-cell',
  },
  ...COUNTS.map(({ label, of }) => ({
    label,
    cell: (batch: Batch) => numberText(of(batch)),
    className: 'number-cell',
  })),
]

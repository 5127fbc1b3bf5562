import { Text } from '@mantine/core'
import { authorText } from '../author'
import type { Column } from '../shell/item-table'
import { timeText } from '../wording'

/** What lists say of every key besides what it is. */
export interface KeyUse {
  created_by: string | null
  created_at: string
  last_used_at: string | null
}

/** Who made a key, and when it was last used. */
export const USE_COLUMNS: readonly Column<KeyUse>[] = [
  {
    label: 'Last used',
    // The service keeps the hour, not the minute.
    cell: ({ last_used_at }) => (last_used_at === null ? 'Never' : timeText(last_used_at)),
    className: 'time-cell',
  },
  {
    label: 'Created',
    cell: ({ created_at, created_by }) => (
      <>
        <span className="time-cell">{timeText(created_at)}</span>
        {created_by !== null && (
          <Text size="xs" c="dimmed" className="breakable">
            by {authorText(created_by)}
          </Text>
        )}
      </>
    ),
  },
]

import { Anchor, Group, Text } from '@mantine/core'
import { Link } from 'wouter'
import { authorText } from '../author'
import type { Write } from '../service/answers'
import type { Column } from '../shell/item-table'
import { numberText, timeText } from '../wording'
import { CurrentBadge } from './current-badge'
import { SHOWN_COUNTS } from './shown-counts'
import { UndoLink } from './undo-link'
import type { WriteItemProps } from './write-list'
import { detailText, titleText } from './write-text'

/** What a table says of each write. */
export const writeColumns = (props: WriteItemProps): readonly Column<Write>[] => [
  {
    label: 'Written',
    cell: (write) => (
      <>
        <Group gap="xs" wrap="nowrap">
          <Anchor component={Link} href={props.addressOf(write)} fw={550} inherit className="time-cell">
            {timeText(write.created_at)}
          </Anchor>
          {props.isCurrent(write) && <CurrentBadge />}
        </Group>
        <Text size="xs" c="dimmed" fw={400}>
          {authorText(write.created_by)}
        </Text>
      </>
    ),
    isRowHeader: true,
    className: 'author-cell',
  },
  {
    label: 'What',
    cell: (write) => (
      <>
        {titleText(write)}
        <Text size="xs" c="dimmed">
          {detailText(write)}
        </Text>
        <UndoLink write={write} {...props} />
      </>
    ),
    className: 'file-cell',
  },
  ...SHOWN_COUNTS.map(({ label, of }) => ({
    label,
    cell: (write: Write) =>
      of(write) === 0 ? <span className="quiet-number">0</span> : numberText(of(write)),
    className: 'number-cell',
  })),
]

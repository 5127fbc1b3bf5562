import { Anchor, Group, SimpleGrid, Text } from '@mantine/core'
import { Link } from 'wouter'
import { authorText } from '../author'
import type { Write } from '../service/answers'
import { numberText, timeText } from '../wording'
import { CurrentBadge } from './current-badge'
import { SHOWN_COUNTS } from './shown-counts'
import { UndoLink } from './undo-link'
import type { WriteItemProps } from './write-list'
import { detailText, titleText } from './write-text'

/** What a card says of a write. */
export const WriteCard = ({ write, ...props }: WriteItemProps & { write: Write }) => (
  <>
    <Group justify="space-between" wrap="nowrap">
      <Anchor component={Link} href={props.addressOf(write)} fw={600}>
        {timeText(write.created_at)}
      </Anchor>
      {props.isCurrent(write) && <CurrentBadge />}
    </Group>
    <Text size="sm" className="breakable">
      {titleText(write)}
    </Text>
    <Text size="sm">{detailText(write)}</Text>
    <Text size="xs" c="dimmed" className="breakable">
      {authorText(write.created_by)}
    </Text>
    <SimpleGrid component="dl" cols={3} spacing="xs" verticalSpacing="xs" mt="sm" mb="xs">
      {SHOWN_COUNTS.map(({ label, of }) => (
        <div key={label}>
          <Text component="dt" size="xs" c="dimmed">
            {label}
          </Text>
          <Text component="dd" size="sm" m={0} fw={550}>
            {numberText(of(write))}
          </Text>
        </div>
      ))}
    </SimpleGrid>
    <UndoLink write={write} {...props} />
  </>
)

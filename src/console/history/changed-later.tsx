import { Alert, Anchor, Button, List, Stack, Text } from '@mantine/core'
import { Layers } from 'lucide-react'
import { Link } from 'wouter'
import type { RecordType } from '#shared/records/record-type'
import { recordAddress, WHOLE_LIST } from '../record/address'
import type { RestoreCheck } from '../service/answers'
import { useAuthorText } from '../use-author-text'
import { takeFocus } from '../widgets/take-focus'
import { numberText, timeText } from '../wording'
import { writeAddress } from './address'

type LaterChanges = NonNullable<RestoreCheck['changed_later']>

interface ChangedLaterProps {
  type: RecordType
  /** Records that are taken back. */
  total: number
  later: LaterChanges
  /** Whether the person has said that they stay. */
  isLeft: boolean
  onLeave: () => void
}

/** Which records of a write stay as they are, because others have changed them later. */
export function ChangedLater({ type, total, later, isLeft, onLeave }: ChangedLaterProps) {
  const { count, items } = later
  const isOne = count === 1
  return (
    <Alert
      color={isLeft ? 'gray' : 'yellow'}
      icon={<Layers />}
      title={`${numberText(total)} of ${numberText(total + count)} can be taken back; ${isOne ? 'this one was' : `these ${numberText(count)} were`} changed later`}
      role="status"
      ref={takeFocus}
      tabIndex={-1}
    >
      <Stack gap="sm">
        <List size="sm" aria-label="Changed later">
          {items.map((item) => (
            <LaterChange key={item.id} type={type} item={item} />
          ))}
          {count > items.length && <List.Item>and {numberText(count - items.length)} more</List.Item>}
        </List>
        {isLeft || total === 0 ? (
          <Text size="sm">{isOne ? 'It stays as it is.' : 'They stay as they are.'}</Text>
        ) : (
          <Button size="xs" variant="default" style={{ alignSelf: 'flex-start' }} onClick={onLeave}>
            Leave {isOne ? 'it' : 'them'} as {isOne ? 'it is' : 'they are'}
          </Button>
        )}
      </Stack>
    </Alert>
  )
}

function LaterChange({ type, item }: { type: RecordType; item: LaterChanges['items'][number] }) {
  const authorOf = useAuthorText()
  const { id, name, batch_id, changed_at, changed_by } = item
  const time = timeText(changed_at)
  return (
    <List.Item className="breakable">
      <Anchor component={Link} href={recordAddress(type, id, WHOLE_LIST)} inherit>
        {name}
      </Anchor>
      {', '}
      {batch_id === null ? (
        time
      ) : (
        <Anchor component={Link} href={writeAddress(type, batch_id)} inherit>
          {time}
        </Anchor>
      )}
      {changed_by !== null && `, by ${authorOf(changed_by)}`}
    </List.Item>
  )
}

import { Alert, Anchor, Button, List, Stack, Text } from '@mantine/core'
import { Layers } from 'lucide-react'
import { Link } from 'wouter'
import type { RecordType } from '#shared/records/record-type'
import { recordAddress, WHOLE_LIST } from '../record/address'
import type { RestoreCheck, Write } from '../service/answers'
import { useAuthorText } from '../use-author-text'
import { takeFocus } from '../widgets/take-focus'
import { countText, numberText, timeText } from '../wording'
import { writeAddress } from './address'
import { kindText } from './write-text'

type LaterChanges = NonNullable<RestoreCheck['changed_later']>

/** Why a write cannot be taken back: whose later work that would undo, record by record. */
export function ChangedLater({
  type,
  write,
  later,
}: {
  type: RecordType
  write: Write
  later: LaterChanges
}) {
  const { count, items } = later
  return (
    <Stack>
      <Alert
        color="yellow"
        icon={<Layers />}
        title={`${countText(count, `of its ${type.plural} was`, `of its ${type.plural} were`)} changed later`}
        role="status"
        ref={takeFocus}
        tabIndex={-1}
      >
        <Stack gap="sm">
          <Text size="sm">
            To take this {kindText(write)} back would undo that work too, so nothing can be taken back here.
            Open a record to see its history, and change what is wrong.
          </Text>
          <List size="sm" aria-label="Changed later">
            {items.map((item) => (
              <LaterChange key={item.id} type={type} item={item} />
            ))}
            {count > items.length && <List.Item>and {numberText(count - items.length)} more</List.Item>}
          </List>
        </Stack>
      </Alert>
      <div>
        <Button component={Link} href={writeAddress(type, write.batch_id)} variant="default">
          Back
        </Button>
      </div>
    </Stack>
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

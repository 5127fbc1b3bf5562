import { Anchor, Badge, Group, Stack, Text, VisuallyHidden } from '@mantine/core'
import { Fragment } from 'react'
import { Link } from 'wouter'
import type { RecordType } from '#shared/records/record-type'
import { recordAddress, WHOLE_LIST } from '../record/address'
import type { CatalogStatus, ListedWrite, WriteChange } from '../service/answers'
import { useSession } from '../session'
import { useAuthorText } from '../use-author-text'
import { type Column, ItemList } from '../widgets/item-table'
import { countText, timeText } from '../wording'
import { restoreAddress, writeAddress } from './address'
import { changeWords } from './change-words'
import { canUndo, detailText, isCurrent, outcomeText, titleText, undoText } from './write-text'

/** A write, and what the list says of it besides. */
interface Entry {
  type: RecordType
  write: ListedWrite
  author: string
  address: string
  /** Whether the catalog is as it left it. */
  current: boolean
  /** Undefined if this person cannot undo it. */
  undoAddress: string | undefined
}

interface WriteListProps {
  type: RecordType
  writes: readonly ListedWrite[]
  /** Undefined until it is known. */
  status: CatalogStatus | undefined
}

export function WriteList({ type, writes, status }: WriteListProps) {
  const { can } = useSession()
  const authorOf = useAuthorText()
  const isUndoable = (write: ListedWrite) => can('catalog:write') && status !== undefined && canUndo(write, status)
  const items = writes.map(
    (write): Entry => ({
      type,
      write,
      author: authorOf(write.created_by),
      address: writeAddress(type, write.batch_id),
      current: status !== undefined && isCurrent(write, status),
      undoAddress: isUndoable(write) ? restoreAddress(type, write.batch_id, 'undo') : undefined,
    }),
  )
  return (
    <ItemList
      name="history"
      items={items}
      idOf={({ write }) => write.batch_id}
      columns={ENTRY_COLUMNS}
      minWidth={760}
      rowClassOf={({ current }) => (current ? 'latest' : undefined)}
      card={(entry) => <EntryCard {...entry} />}
    />
  )
}

const ENTRY_COLUMNS: readonly Column<Entry>[] = [
  {
    label: 'Written',
    cell: ({ write, author, address, current }) => (
      <>
        <Group gap="xs" wrap="nowrap">
          <Anchor component={Link} href={address} fw={550} inherit className="time-cell">
            {timeText(write.created_at)}
          </Anchor>
          {current && <CurrentBadge />}
        </Group>
        <Text size="xs" c="dimmed" fw={400}>
          by {author}
        </Text>
      </>
    ),
    isRowHeader: true,
    className: 'author-cell top-cell',
  },
  {
    label: 'How',
    cell: (entry) => (
      <>
        {titleText(entry.write)}
        <Text size="xs" c="dimmed">
          {detailText(entry.write)}
        </Text>
      </>
    ),
    className: 'file-cell top-cell',
  },
  { label: 'What changed', cell: (entry) => <EntryOutcome {...entry} />, className: 'top-cell' },
  {
    label: 'Undo',
    hidesLabel: true,
    cell: (entry) => <UndoLink {...entry} />,
    className: 'actions-cell top-cell',
  },
]

const EntryCard = (entry: Entry) => (
  <Stack gap={4}>
    <Group justify="space-between" wrap="nowrap">
      <Anchor component={Link} href={entry.address} fw={600}>
        {timeText(entry.write.created_at)}
      </Anchor>
      {entry.current && <CurrentBadge />}
    </Group>
    <Text size="xs" c="dimmed" className="breakable">
      by {entry.author}
    </Text>
    <Text size="sm" className="breakable">
      {titleText(entry.write)}
    </Text>
    <Text size="sm" c="dimmed">
      {detailText(entry.write)}
    </Text>
    <EntryOutcome {...entry} />
    <UndoLink {...entry} />
  </Stack>
)

/** What a write changed: each record if they are few, else how many. */
const EntryOutcome = ({ type, write }: Entry) => (
  <>
    {write.changes === undefined ? (
      <Text size="sm">{outcomeText(write)}</Text>
    ) : (
      write.changes.map((change) => <ChangeLine key={change.id} type={type} change={change} />)
    )}
    {write.warnings > 0 && (
      <Text size="xs" c="dimmed">
        {countText(write.warnings, 'warning', 'warnings')}
      </Text>
    )}
  </>
)

const CurrentBadge = () => (
  <Badge size="sm" tt="none" className="state-badge">
    Current
  </Badge>
)

/** The way back before this write alone. */
const UndoLink = ({ write, undoAddress }: Entry) =>
  undoAddress !== undefined && (
    <Anchor component={Link} href={undoAddress} size="sm">
      {undoText(write)}
      <VisuallyHidden> of {timeText(write.created_at)}</VisuallyHidden>
    </Anchor>
  )

/** What became of one record, in words: `XCOPRI 25MG: strength 25MG → 50MG`. */
function ChangeLine({ type, change }: { type: RecordType; change: WriteChange }) {
  const { became, fields, more } = changeWords(change)
  return (
    <Text size="sm" className="breakable difference">
      <Anchor component={Link} href={recordAddress(type, change.id, WHOLE_LIST)} inherit>
        {change.name}
      </Anchor>
      {': '}
      {became}
      {fields.map(({ field, before, after }, place) => (
        <Fragment key={field}>
          {place > 0 || became !== undefined ? ', ' : ''}
          {field} <del>{before}</del> → <ins>{after}</ins>
        </Fragment>
      ))}
      {more > 0 && `, and ${countText(more, 'more field', 'more fields')}`}
    </Text>
  )
}

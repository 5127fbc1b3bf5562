import { Anchor, Badge, Group, SimpleGrid, Text } from '@mantine/core'
import { Link } from 'wouter'
import type { RecordType } from '#records/record-type'
import { authorText } from '../author'
import { countOf, OUTCOME_LABELS, OUTCOMES } from '../changes/counts'
import type { CatalogStatus, Write } from '../service/answers'
import { useSession } from '../session'
import { ItemList } from '../shell/item-list'
import type { Column } from '../shell/item-table'
import { numberText, timeText } from '../wording'
import { restoreAddress, writeAddress } from './address'
import { canUndo, detailText, isCurrent, titleText, undoText } from './write-text'

/** A write, and what the list says of it besides. */
interface ListedWrite {
  write: Write
  address: string
  /** Whether the catalog is as it left it. */
  current: boolean
  /** Undefined if this person cannot undo it. */
  undoAddress: string | undefined
}

interface WriteListProps {
  type: RecordType
  writes: readonly Write[]
  /** Undefined until it is known. */
  status: CatalogStatus | undefined
}

export function WriteList({ type, writes, status }: WriteListProps) {
  const { can } = useSession()
  const isUndoable = (write: Write) => can('catalog:write') && status !== undefined && canUndo(write, status)
  const items = writes.map(
    (write): ListedWrite => ({
      write,
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
      columns={COLUMNS}
      minWidth={940}
      horizontalSpacing={8}
      rowClassOf={({ current }) => (current ? 'latest' : undefined)}
      card={(item) => <WriteCard {...item} />}
    />
  )
}

/** The counts of a write. */
const COUNTS: readonly { label: string; of: (write: Write) => number }[] = [
  { label: 'Records', of: ({ total }) => total },
  ...OUTCOMES.map((outcome) => ({
    label: OUTCOME_LABELS[outcome],
    of: (write: Write) => countOf(write, outcome),
  })),
  { label: 'Warnings', of: ({ warnings }) => warnings },
]

const COLUMNS: readonly Column<ListedWrite>[] = [
  {
    label: 'Written',
    cell: ({ write, address, current }) => (
      <>
        <Group gap="xs" wrap="nowrap">
          <Anchor component={Link} href={address} fw={550} inherit className="time-cell">
            {timeText(write.created_at)}
          </Anchor>
          {current && <CurrentBadge />}
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
    cell: (item) => (
      <>
        {titleText(item.write)}
        <Text size="xs" c="dimmed">
          {detailText(item.write)}
        </Text>
        <UndoLink {...item} />
      </>
    ),
    className: 'file-cell',
  },
  ...COUNTS.map(({ label, of }) => ({
    label,
    cell: ({ write }: ListedWrite) =>
      of(write) === 0 ? <span className="quiet-number">0</span> : numberText(of(write)),
    className: 'number-cell',
  })),
]

const WriteCard = (item: ListedWrite) => (
  <>
    <Group justify="space-between" wrap="nowrap">
      <Anchor component={Link} href={item.address} fw={600}>
        {timeText(item.write.created_at)}
      </Anchor>
      {item.current && <CurrentBadge />}
    </Group>
    <Text size="sm" className="breakable">
      {titleText(item.write)}
    </Text>
    <Text size="sm">{detailText(item.write)}</Text>
    <Text size="xs" c="dimmed" className="breakable">
      {authorText(item.write.created_by)}
    </Text>
    <SimpleGrid component="dl" cols={3} spacing="xs" verticalSpacing="xs" mt="sm" mb="xs">
      {COUNTS.map(({ label, of }) => (
        <div key={label}>
          <Text component="dt" size="xs" c="dimmed">
            {label}
          </Text>
          <Text component="dd" size="sm" m={0} fw={550}>
            {numberText(of(item.write))}
          </Text>
        </div>
      ))}
    </SimpleGrid>
    <UndoLink {...item} />
  </>
)

const CurrentBadge = () => (
  <Badge size="sm" tt="none" className="state-badge">
    Current
  </Badge>
)

/** The way back from the newest change. */
const UndoLink = ({ write, undoAddress }: ListedWrite) =>
  undoAddress !== undefined && (
    <Anchor component={Link} href={undoAddress} size="sm">
      {undoText(write)}
    </Anchor>
  )

import { Anchor, Group, Text, VisuallyHidden } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { RecordType } from '#shared/records/record-type'
import { Author } from '../author-text'
import { ChangeBadge } from '../changes/change-badge'
import { Differences } from '../record/differences'
import type { CatalogStatus, ListedWrite, Upload, WriteChange } from '../service/answers'
import type { Column } from '../widgets/item-table'
import { countText, timeText } from '../wording'
import { RecordLink } from './changed-records'
import { restoreAddress, uploadAddress, writeAddress } from './history-address'
import { isWritten, reasonText, uploadDetail, uploadTitle } from './uploads/outcome-text'
import { OutcomeBadge } from './uploads/upload-facts'
import { canUndo, countsText, detailText, titleText, undoText } from './write-text'

interface Entry {
  id: string
  address: string
  /** ISO 8601. */
  time: string
  createdBy: string
  title: string
  detail: string | undefined
  outcome: ReactNode
  /** Undefined if this user cannot undo it. */
  undo: { address: string; text: string } | undefined
}

/** @param status undefined until loaded */
export function writeEntry(
  type: RecordType,
  write: ListedWrite,
  status: CatalogStatus | undefined,
  mayWrite: boolean,
): Entry {
  const isUndoable = mayWrite && status !== undefined && canUndo(write, status)
  return {
    id: write.batch_id,
    address: writeAddress(type, write.batch_id),
    time: write.created_at,
    createdBy: write.created_by,
    title: titleText(write),
    detail: detailText(write),
    outcome: <WriteOutcome type={type} write={write} />,
    undo: isUndoable ? { address: restoreAddress(type, write.batch_id, 'undo'), text: undoText(write) } : undefined,
  }
}

export const uploadEntry = (type: RecordType, upload: Upload): Entry => ({
  id: upload.upload_id,
  address: uploadAddress(type, upload.upload_id),
  time: upload.created_at,
  createdBy: upload.created_by,
  title: uploadTitle(upload),
  detail: uploadDetail(upload),
  outcome: <UploadOutcome upload={upload} />,
  undo: undefined,
})

export const COLUMNS: readonly Column<Entry>[] = [
  {
    label: 'When',
    cell: (entry) => (
      <>
        <EntryLink {...entry} />
        <EntryAuthor {...entry} />
      </>
    ),
    isRowHeader: true,
    className: 'name-cell',
  },
  {
    label: 'What',
    cell: ({ title, detail }) => (
      <>
        {title}
        <Text size="xs" c="dimmed">
          {detail}
        </Text>
      </>
    ),
    className: 'name-cell',
  },
  { label: 'Result', cell: ({ outcome }) => outcome },
  {
    label: 'Undo',
    hidesLabel: true,
    cell: ({ undo, time }) =>
      undo === undefined ? null : (
        <Anchor component={Link} href={undo.address} size="sm">
          {undo.text}
          <VisuallyHidden> of {timeText(time)}</VisuallyHidden>
        </Anchor>
      ),
    className: 'actions-cell',
  },
]

const EntryLink = ({ address, time }: Entry) => (
  <Anchor component={Link} href={address} fw={550} inherit className="time-cell">
    {timeText(time)}
  </Anchor>
)

const EntryAuthor = ({ createdBy }: Entry) => (
  <Text size="xs" c="dimmed" fw={400} className="breakable">
    by <Author createdBy={createdBy} />
  </Text>
)

/** The changes of a write: the records if there are few, otherwise their number. */
const WriteOutcome = ({ type, write }: { type: RecordType; write: ListedWrite }) => (
  <>
    {write.changes === undefined ? (
      <Text size="sm">{countsText(write)}</Text>
    ) : (
      write.changes.map((change) => <ListedChange key={change.id} type={type} change={change} />)
    )}
    {write.warnings > 0 && (
      <Text size="xs" c="dimmed">
        {countText(write.warnings, 'warning', 'warnings')}
      </Text>
    )}
  </>
)

/** Number of fields per record in the list. */
const NAMED_FIELDS = 3

/** The change of one record. For a new record, fields are not listed, because all are new. */
const ListedChange = ({ type, change }: { type: RecordType; change: WriteChange }) => (
  <div>
    <Group gap="xs">
      <RecordLink type={type} change={change} />
      {change.change !== 'updated' && <ChangeBadge change={change.change} />}
    </Group>
    {change.change !== 'inserted' && <Differences fields={change.fields ?? {}} most={NAMED_FIELDS} />}
  </div>
)

const UploadOutcome = ({ upload }: { upload: Upload }) => (
  <>
    <OutcomeBadge upload={upload} />
    {!isWritten(upload) && upload.held_for !== 'dry_run' && (
      <Text size="sm" className="breakable">
        {reasonText(upload)}
      </Text>
    )}
    {upload.repeated > 0 && (
      <Text size="xs" c="dimmed">
        {`${countText(upload.repeated, 'time', 'times')} more, last ${timeText(upload.last_at)}`}
      </Text>
    )}
  </>
)

import { Anchor, Group, Text } from '@mantine/core'
import { Link } from 'wouter'
import type { RecordType } from '#shared/records/record-type'
import { uploadAddress } from '../history/address'
import type { Upload } from '../service/answers'
import { Author } from '../use-author-text'
import { ItemList } from '../widgets/item-list'
import type { Column } from '../widgets/item-table'
import { countText, timeText } from '../wording'
import { isWritten, reasonText, uploadDetail, uploadTitle } from './outcome-text'
import { OutcomeBadge } from './upload-facts'

/** Uploads with what was wrong in each. */
export const UploadList = ({ type, uploads }: { type: RecordType; uploads: readonly Upload[] }) => (
  <ItemList
    name="uploads"
    items={uploads}
    idOf={({ upload_id }) => upload_id}
    columns={columnsFor(type)}
    minWidth={720}
    card={(upload) => <UploadCard type={type} upload={upload} />}
  />
)

const columnsFor = (type: RecordType): readonly Column<Upload>[] => [
  {
    label: 'Arrived',
    cell: (upload) => (
      <>
        <Arrival type={type} upload={upload} />
        <Text size="xs" c="dimmed" fw={400}>
          <Author createdBy={upload.created_by} />
        </Text>
      </>
    ),
    isRowHeader: true,
    className: 'author-cell top-cell',
  },
  {
    label: 'What',
    cell: (upload) => (
      <>
        {uploadTitle(upload)}
        <Text size="xs" c="dimmed">
          {uploadDetail(upload)}
        </Text>
      </>
    ),
    className: 'file-cell top-cell',
  },
  { label: 'What became of it', cell: (upload) => <Ending upload={upload} />, className: 'top-cell' },
]

const Arrival = ({ type, upload }: { type: RecordType; upload: Upload }) => (
  <Anchor
    component={Link}
    href={uploadAddress(type, upload.upload_id)}
    fw={550}
    inherit
    className="time-cell"
  >
    {timeText(upload.created_at)}
  </Anchor>
)

const Ending = ({ upload }: { upload: Upload }) => (
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

const UploadCard = ({ type, upload }: { type: RecordType; upload: Upload }) => (
  <>
    <Group justify="space-between">
      <Arrival type={type} upload={upload} />
    </Group>
    <Text size="sm" className="breakable">
      {uploadTitle(upload)}
    </Text>
    <Text size="xs" c="dimmed" className="breakable">
      {uploadDetail(upload)} · <Author createdBy={upload.created_by} />
    </Text>
    <Ending upload={upload} />
  </>
)

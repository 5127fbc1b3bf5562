import { Anchor, EmptyState, Group, Text } from '@mantine/core'
import { Inbox } from 'lucide-react'
import { Link, useLocation } from 'wouter'
import { useSearch } from 'wouter/use-browser-location'
import type { RecordType } from '#shared/records/record-type'
import { uploadAddress, uploadsAddress } from '../history/address'
import { HistoryFilter } from '../history/history-filter'
import type { Upload } from '../service/answers'
import { useSession } from '../session'
import { Author } from '../use-author-text'
import { type Column, ItemList } from '../widgets/item-table'
import { Loaded } from '../widgets/loaded'
import { Page } from '../widgets/page'
import { Pager } from '../widgets/pager'
import { PAGE_SIZE, pageOf, usePages } from '../widgets/use-pages'
import { countText, timeText } from '../wording'
import { isOutcome, isWritten, reasonText, uploadDetail, uploadTitle } from './outcome-text'
import { OutcomeBadge } from './upload-facts'

/** Uploads with what was wrong in each. */
const UploadList = ({ type, uploads }: { type: RecordType; uploads: readonly Upload[] }) => (
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
  <Anchor component={Link} href={uploadAddress(type, upload.upload_id)} fw={550} inherit className="time-cell">
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

/** What arrived and was not written, and why not. @param shown as the address has it */
export function UploadsView({ type, shown: named }: { type: RecordType; shown: string }) {
  const { client } = useSession()
  const [, navigate] = useLocation()
  const parameters = new URLSearchParams(useSearch())
  const outcome = isOutcome(named) ? named : undefined
  const page = pageOf(parameters)
  const show = (wanted: number, options?: { replace: boolean }) =>
    navigate(`${uploadsAddress(type, outcome)}${wanted > 1 ? `&page=${wanted}` : ''}`, options)
  const place = { page, size: PAGE_SIZE, onPage: show }
  const uploads = usePages({
    ...place,
    queryKey: ['uploads', type.name, outcome],
    read: (range, signal) =>
      client.get('/admin/catalogs/v1/{type}/uploads', {
        params: { type: type.name },
        // A preview of a file in this console: nobody else has to know of it.
        query: { ...range, outcome, previews: false },
        signal,
      }),
  })
  return (
    <Page
      title="History"
      description={
        'What arrived for this catalog, newest first: what was refused and why, and files that wait for a ' +
        'decision.'
      }
      actions={<HistoryFilter type={type} shown={outcome ?? 'arrived'} />}
    >
      <Text role="status" fw={600}>
        {uploads.data === undefined ? '' : countText(uploads.data.total, 'upload', 'uploads')}
      </Text>
      <Loaded query={uploads} name="uploads" height={320}>
        {(shown) =>
          shown.items.length === 0 ? (
            shown.total === 0 && (
              <EmptyState
                icon={<Inbox />}
                title={outcome === undefined ? 'Nothing has arrived yet' : 'There is none of these'}
                description="Files of people and programs are listed here, also those that are refused."
              />
            )
          ) : (
            <>
              <UploadList type={type} uploads={shown.items} />
              <Pager items="uploads" {...place} shown={shown} />
            </>
          )
        }
      </Loaded>
    </Page>
  )
}

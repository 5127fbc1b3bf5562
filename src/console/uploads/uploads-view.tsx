import { EmptyState, Text } from '@mantine/core'
import { Inbox } from 'lucide-react'
import { useLocation } from 'wouter'
import { useSearch } from 'wouter/use-browser-location'
import type { RecordType } from '#shared/records/record-type'
import { uploadsAddress } from '../history/address'
import { HistoryFilter } from '../history/history-filter'
import type { Upload } from '../service/answers'
import { useSession } from '../session'
import { Loaded } from '../widgets/loaded'
import { Page } from '../widgets/page'
import { Pager } from '../widgets/pager'
import { PAGE_SIZE, pageOf, usePages } from '../widgets/use-pages'
import { countText } from '../wording'
import { isOutcome } from './outcome-text'
import { UploadList } from './upload-list'

/** A preview of a file in this console: nobody else has to know of it. */
const isPreview = ({ outcome, held_for }: Upload): boolean => outcome === 'held' && held_for === 'dry_run'

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
        query: { ...range, outcome },
        signal,
      }),
  })
  return (
    <Page
      title="History"
      description="What arrived for this catalog, newest first: what was refused and why, and files that wait for a decision."
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
              <UploadList type={type} uploads={shown.items.filter((one) => !isPreview(one))} />
              <Pager items="uploads" {...place} shown={shown} />
            </>
          )
        }
      </Loaded>
    </Page>
  )
}

import { EmptyState, NativeSelect, Text } from '@mantine/core'
import { Inbox } from 'lucide-react'
import { useLocation } from 'wouter'
import { useSearch } from 'wouter/use-browser-location'
import type { RecordType } from '#shared/records/record-type'
import { useSession } from '../session'
import { Loaded } from '../widgets/loaded'
import { Page } from '../widgets/page'
import { Pager } from '../widgets/pager'
import { PAGE_SIZE, pageOf, usePages } from '../widgets/use-pages'
import { countText } from '../wording'
import { uploadsAddress } from './address'
import { isOutcome, OUTCOME_TEXTS } from './outcome-text'
import { UploadList } from './upload-list'

const ALL = { value: '', label: 'All' }
const OUTCOME_CHOICES = [ALL, ...Object.entries(OUTCOME_TEXTS).map(([value, label]) => ({ value, label }))]

/** What arrived, written or not, and why not. */
export function UploadsView({ type }: { type: RecordType }) {
  const { client } = useSession()
  const [, navigate] = useLocation()
  const parameters = new URLSearchParams(useSearch())
  const named = parameters.get('outcome')
  const outcome = isOutcome(named) ? named : undefined
  const page = pageOf(parameters)
  const show = (wanted: number, options?: { replace: boolean }) => {
    const query = new URLSearchParams({
      ...(outcome !== undefined && { outcome }),
      ...(wanted > 1 && { page: String(wanted) }),
    })
    navigate(`${uploadsAddress(type)}${query.size > 0 ? `?${query}` : ''}`, options)
  }
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
      title="All uploads"
      description="Everything that arrived for this catalog, newest first: what was written, what was refused and why, and files that wait for a decision."
      actions={
        <NativeSelect
          label="What became of them"
          data={OUTCOME_CHOICES}
          value={outcome ?? ''}
          onChange={({ currentTarget: { value } }) =>
            navigate(uploadsAddress(type, isOutcome(value) ? value : undefined))
          }
        />
      }
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

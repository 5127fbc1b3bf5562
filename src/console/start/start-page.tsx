import { Anchor, Group, Paper, Stack, Text, Title, VisuallyHidden } from '@mantine/core'
import { CircleCheck, CircleX, Clock, Hourglass, type LucideIcon } from 'lucide-react'
import { Link } from 'wouter'
import type { RecordType } from '#shared/records/record-type'
import { recordTypes } from '#shared/records/record-types'
import { LastDays } from '../activity/last-days'
import { useActivity } from '../activity/use-activity'
import { Author } from '../author-text'
import { changesIn } from '../changes/change-texts'
import { historyAddress, uploadAddress, writeAddress } from '../history/history-address'
import { isWritten } from '../history/uploads/outcome-text'
import { titleText } from '../history/write-text'
import { useRead } from '../queries'
import type { ActivityDay, CatalogStatus } from '../service/answers'
import { useSession } from '../session-context'
import { Page } from '../widgets/page'
import { Problem } from '../widgets/problem'
import { QueryResult } from '../widgets/query-result'
import { countText, numberText, ROLE_MEANINGS, timeText, titleCase } from '../wording'
import { type SyncStatus, syncStatusOf } from './sync-status'

/** The state of the four catalogs, and the next steps. */
export default function StartPage() {
  const { login } = useSession()
  const statuses = useRead(
    ['catalog-statuses'],
    async (client, signal) => (await client.get('/admin/catalogs/v1/', { query: { include: 'held' }, signal })).items,
  )
  const activity = useActivity()
  const workspace = login.workspaces.find(({ workspace_id }) => workspace_id === login.workspace_id)
  return (
    <Page
      title="Overview"
      description={
        <span className="breakable">
          The catalogs of {workspace?.name ?? login.workspace_id}. You are logged in as {login.email}. Your role is{' '}
          {login.role}, which {ROLE_MEANINGS[login.role]}.
        </span>
      }
    >
      <Problem title="The last 30 days could not be loaded" error={activity.error} onRetry={activity.refetch} />
      <QueryResult query={statuses} name="catalogs" height={320}>
        {(items) => (
          <div className="cards">
            {items.map((status) => (
              <CatalogCard key={status.type} status={status} days={activity.data?.get(status.type)} />
            ))}
          </div>
        )}
      </QueryResult>
    </Page>
  )
}

interface CatalogCardProps {
  status: CatalogStatus
  /** Undefined until loaded. */
  days: readonly ActivityDay[] | undefined
}

function CatalogCard({ status, days }: CatalogCardProps) {
  const { can } = useSession()
  const type = recordTypes[status.type]
  const { active_records, total_records, search_enabled } = status
  return (
    <Paper withBorder p="md" component="section" aria-labelledby={`catalog-${type.name}`}>
      <Stack gap="xs" h="100%">
        <Group justify="space-between" gap="xs">
          <Title order={2} size="h4" id={`catalog-${type.name}`}>
            {titleCase(type.plural)}
          </Title>
          {active_records > 0 && <ProblemsLink type={type} />}
        </Group>
        <Group gap="xs" align="baseline">
          <Text fw={650} fz={28} lh={1.2}>
            {numberText(active_records)}
          </Text>
          <Text>
            {'active' +
              (total_records > active_records ? `, ${numberText(total_records - active_records)} inactive` : '')}
          </Text>
        </Group>
        {status.last_write !== null && <LastDays type={type} days={days} />}
        <SyncLine type={type} status={status} />
        <LastChange type={type} status={status} />
        <Text size="sm">
          <Anchor component={Link} href={`/${type.name}/search`} inherit>
            Partner search
          </Anchor>
          {search_enabled ? ' is on: partners find these records.' : " is off: partners find the provider's records."}
        </Text>
        <Group gap="4px 16px" mt="auto" pt="xs">
          <Anchor component={Link} href={`/${type.name}/catalog`} size="sm">
            See the {type.plural}
          </Anchor>
          {can('catalog:write') && (
            <Anchor component={Link} href={`/${type.name}/upload`} size="sm">
              Upload {type.plural}
            </Anchor>
          )}
          {status.last_write !== null && (
            <Anchor component={Link} href={historyAddress(type)} size="sm">
              History <VisuallyHidden>of the {type.plural}</VisuallyHidden>
            </Anchor>
          )}
        </Group>
      </Stack>
    </Paper>
  )
}

/** The number of records that may be wrong, as a link to them; nothing if there are none. */
function ProblemsLink({ type }: { type: RecordType }) {
  const params = { type: type.name }
  const { data } = useRead(['problems', type.name, 'total'], (client, signal) =>
    client.get('/admin/catalogs/v1/{type}/problems', { params, query: { limit: 1 }, signal }),
  )
  if (data === undefined || data.total === 0) return null
  return (
    <Anchor component={Link} href={`/${type.name}/catalog?inactive=problems`} size="sm">
      {countText(data.total, 'possible problem', 'possible problems')}
    </Anchor>
  )
}

/** When and by whom the catalog was last changed. For a later write without changes, only the time is known. */
function LastChange({ type, status }: { type: RecordType; status: CatalogStatus }) {
  const { last_write, updated_at } = status
  if (last_write === null || updated_at === null) {
    return (
      <Text size="sm" c="dimmed">
        No {type.plural} yet.
      </Text>
    )
  }
  const isSame = changesIn(last_write) === 0
  const author = <Author createdBy={last_write.created_by} />
  return (
    <Text size="sm" c="dimmed" className="breakable">
      {isSame ? (
        <>
          Last updated {timeText(updated_at)}. Sent again {timeText(last_write.created_at)} by {author}, without a
          change.
        </>
      ) : (
        <>
          Last updated {timeText(last_write.created_at)} by {author}:{' '}
          <Anchor component={Link} href={writeAddress(type, last_write.batch_id)} inherit>
            {titleText(last_write)}
          </Anchor>
        </>
      )}
    </Text>
  )
}

const STATUS_LOOKS: Readonly<Record<SyncStatus['is'], { color: string; icon: LucideIcon }>> = {
  good: { color: 'green', icon: CircleCheck },
  late: { color: 'red', icon: Clock },
  notWritten: { color: 'red', icon: CircleX },
  waiting: { color: 'yellow', icon: Hourglass },
}

/** Whether integrations keep a catalog up to date, in one line, with a link to the problem. */
function SyncLine({ type, status }: { type: RecordType; status: CatalogStatus }) {
  const { sync, held = [] } = status
  const { last_upload } = sync
  // A pending upload must not be overlooked when another upload was written later.
  const others = held.filter(({ upload_id }) => upload_id !== last_upload?.upload_id).length
  const state = syncStatusOf(sync, new Date())
  if (state === undefined && others === 0) return null
  const isWell = state === undefined || state.is === 'good'
  const hasTrouble = last_upload !== null && !isWritten(last_upload)
  const address = hasTrouble ? uploadAddress(type, last_upload.upload_id) : historyAddress(type, 'all')
  const { color, icon: Icon } = STATUS_LOOKS[isWell && others > 0 ? 'waiting' : (state?.is ?? 'good')]
  return (
    <Group gap={6} wrap="nowrap" align="flex-start">
      <Icon size={18} color={`var(--mantine-color-${color}-text)`} aria-hidden />
      <Text size="sm" className="breakable" flex={1}>
        {isWell ? (
          state?.text
        ) : (
          <Anchor component={Link} href={address} inherit>
            {state.text}
          </Anchor>
        )}
        {others > 0 && (
          <>
            {state !== undefined && '. '}
            <Anchor component={Link} href={historyAddress(type, 'held')} inherit>
              {hasTrouble
                ? countText(others, 'other pending upload', 'other pending uploads')
                : countText(others, 'pending upload', 'pending uploads')}
            </Anchor>
          </>
        )}
      </Text>
    </Group>
  )
}
